/** The newest form we can read; an older package would misread a newer document. */
export const SCHEMA_VERSION = 1;

/** How the package in a kernel differs from the one that this page has. */
export interface OtherVersion {
  /** `other`: they claim the same form, but what comes does not have it. */
  readonly age: 'older' | 'newer' | 'other';
  /** As the kernel calls it; empty where it runs from a folder that is not installed. */
  readonly version: string;
}

/** What the first words of a kernel tell of its package, whatever form the rest of them has. */
export function otherVersionOf(
  hello: unknown,
  isReadable: boolean
): OtherVersion | null {
  const schema = schemaOf(hello);
  if (schema === SCHEMA_VERSION && isReadable) {
    return null;
  }
  const age =
    schema > SCHEMA_VERSION
      ? 'newer'
      : schema < SCHEMA_VERSION
        ? 'older'
        : 'other';
  const { package_version: version } = (hello ?? {}) as Record<string, unknown>;
  return { age, version: typeof version === 'string' ? version : '' };
}

export function schemaOf(data: unknown): number {
  const version = (data as { schema_version?: unknown } | null | undefined)
    ?.schema_version;
  return typeof version === 'number' ? version : SCHEMA_VERSION;
}
