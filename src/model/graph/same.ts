/** Whether two values that came as JSON are the same. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) {
    return true;
  }
  if (!isObject(one) || !isObject(other)) {
    return false;
  }
  const names = Object.keys(one);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    names.length === Object.keys(other).length &&
    names.every(name => isSame(one[name], other[name]))
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
