// Statements with named values: `:org` stands for a value and may occur several times.

export type NamedValues = Record<string, string | number | null>;

/** A name after a colon; not the type after the two colons of a cast. */
const NAMED = /(?<!:):([a-z]\w*)\b/gi;

/** Replaces names with values: returns the statement and its values, in order of their places. */
export function bound(sql: string, values: NamedValues): [string, NamedValues[string][]] {
  const names = [...sql.matchAll(NAMED)].map(([, name = '']) => name);
  return [sql.replaceAll(NAMED, '?'), names.map((name) => values[name] ?? null)];
}
