// The change by which business days begin at another time of day than midnight UTC, in source or in a bundle.

/**
 * Shifts the two places that turn an instant into a date, or a date into an instant.
 * @throws Error if one of them is not there, or more than once
 */
export function shifted(code: string, beginsMs: number): string {
  const toDate = replaceOnce(code, 'Math.floor(epochMs / DAY_MS)', `Math.floor((epochMs - ${beginsMs}) / DAY_MS)`);
  return replaceOnce(toDate, 'Date.parse(date) -', `${beginsMs} + Date.parse(date) -`);
}

function replaceOnce(code: string, found: string, by: string): string {
  const [before, after, ...others] = code.split(found);
  if (after === undefined || others.length > 0) throw new Error(`"${found}" is not there once`);
  return `${before}${by}${after}`;
}
