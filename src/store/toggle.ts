import { Signal } from './signal';

/** Something that is on or off, for whoever shows it and whoever turns it. */
export class Toggle {
  readonly changed = new Signal();

  constructor(private _on: boolean) {}

  get on(): boolean {
    return this._on;
  }

  set(on: boolean): void {
    if (on !== this._on) {
      this._on = on;
      this.changed.emit();
    }
  }
}
