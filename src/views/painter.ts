const INTERVAL = 100;

/** Paints in animation frames, and a stream of changes no more often than the eye can follow. */
export class Painter {
  /** @param _interval - at most this often a stream is painted, in milliseconds. */
  constructor(
    private readonly _paint: () => void,
    private readonly _interval = INTERVAL
  ) {}

  request(): void {
    if (this._timer || this._frame) {
      return;
    }
    const wait = this._last + this._interval - performance.now();
    if (wait <= 0) {
      this.now();
    } else {
      this._timer = window.setTimeout(() => {
        this._timer = 0;
        this.now();
      }, wait);
    }
  }

  /** Paints in the next frame: for what the user does. */
  now(): void {
    this._frame ||= requestAnimationFrame(() => {
      this._frame = 0;
      this._last = performance.now();
      this._paint();
    });
  }

  dispose(): void {
    window.clearTimeout(this._timer);
    cancelAnimationFrame(this._frame);
    this._timer = this._frame = 0;
  }

  private _timer = 0;
  private _frame = 0;
  private _last = -Infinity;
}
