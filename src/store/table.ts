interface Entry<T> {
  /** Of the update that told the record. */
  readonly number: number;
  readonly record: T;
}

/**
 * Records by key, merged from numbered updates: for each key the highest number wins, so the order in which updates come,
 * and whether one comes twice, makes no difference. Immutable.
 */
export class Table<T> {
  constructor(
    private readonly _keyOf: (record: T) => string,
    private readonly _entries: ReadonlyMap<string, Entry<T>> = new Map()
  ) {
    this.records = [..._entries.values()].map(entry => entry.record);
  }

  readonly records: readonly T[];

  get(key: string): T | undefined {
    return this._entries.get(key)?.record;
  }

  /** @param complete - whether `records` is everything there is, so that older records not among them are gone. */
  merge(records: readonly T[], number: number, complete: boolean): Table<T> {
    if (records.length === 0 && !(complete && this._entries.size > 0)) {
      return this;
    }
    const entries = new Map<string, Entry<T>>();
    for (const [key, entry] of this._entries) {
      if (!complete || entry.number > number) {
        entries.set(key, entry);
      }
    }
    for (const record of records) {
      const key = this._keyOf(record);
      if ((entries.get(key)?.number ?? 0) <= number) {
        entries.set(key, { number, record });
      }
    }
    return new Table(this._keyOf, entries);
  }
}
