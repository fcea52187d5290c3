// Rows as a table in the terminal.

/** Returns the lines of a table: headings, then one line per row; `none` if there are no rows. */
export function tableOf(rows: readonly Readonly<Record<string, unknown>>[], none: string): string[] {
  const [first] = rows;
  if (first === undefined) return [none];
  const headings = Object.keys(first);
  const cells = [headings, ...rows.map((row) => headings.map((heading) => textOf(row[heading])))];
  const widths = headings.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  return cells.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value ?? '');
}
