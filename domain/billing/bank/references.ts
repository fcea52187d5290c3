// References in the texts of banks: each has its own way with case and punctuation. Decision 0175.

const SHORTEST_NAME = 4;

/** The words of a text as they are compared: `Check 4711` is `CHECK-4711` at another bank. */
export function wordsOf(text: string): string {
  return text
    .toUpperCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .join(' ');
}

/** Whether words can name something: `WIRE` or `1` cannot. */
export function isName(words: string): boolean {
  return words.length >= SHORTEST_NAME && /\d/.test(words);
}

/** Whether a text, in words, has a name in it as whole words. */
export function hasName(words: string, name: string): boolean {
  return isName(name) && ` ${words} `.includes(` ${name} `);
}
