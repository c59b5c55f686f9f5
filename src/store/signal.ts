export type Unsubscribe = () => void;

/** Tells its subscribers that something changed, not what. */
export class Signal {
  subscribe(listener: () => void): Unsubscribe {
    const own = (): void => listener();
    this._listeners.add(own);
    return () => {
      this._listeners.delete(own);
    };
  }

  emit(): void {
    for (const listener of [...this._listeners]) {
      listener();
    }
  }

  private readonly _listeners = new Set<() => void>();
}
