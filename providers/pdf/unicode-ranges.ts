// Character ranges in stylesheet notation: `U+0041-005A, U+20AC`.
export type CodeRange = readonly [first: number, last: number];

export function rangesOf(text: string): CodeRange[] {
  return text.split(',').map((part) => {
    const [first = '', last = first] = part.trim().replace(/^U\+/i, '').split('-');
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
  });
}

export function isWithin(ranges: readonly CodeRange[], code: number): boolean {
  return ranges.some(([first, last]) => code >= first && code <= last);
}

/** Writes characters as a range. */
export function rangeOfCodes(codes: readonly number[]): string {
  return codes.map((code) => `U+${code.toString(16)}`).join(',');
}
