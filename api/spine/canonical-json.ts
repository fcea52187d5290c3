// JSON that is the same text for equal values, to be hashed.

/** Writes JSON with the keys of objects in order, so that equal values are equal text. */
export function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner: unknown) => {
      if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
      return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
    }) ?? ''
  );
}
