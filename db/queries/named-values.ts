// Statements with named values: `:org` stands for a value, as often as it occurs.

export type NamedValues = Record<string, string | number | null>;

/** A name after a colon; not the type after the two colons of a cast. */
const NAMED = /(?<!:):([a-z]\w*)\b/gi;

/** Puts values in the place of their names: the statement and its values, in the order of their places. */
export function bound(sql: string, values: NamedValues): [string, NamedValues[string][]] {
  const names = [...sql.matchAll(NAMED)].map(([, name = '']) => name);
  return [sql.replaceAll(NAMED, '?'), names.map((name) => values[name] ?? null)];
}
