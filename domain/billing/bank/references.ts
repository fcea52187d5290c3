// References in bank texts: each bank has its own case and punctuation. Decision 0175.

const SHORTEST_NAME = 4;

/** The words of a text in comparable form: `Check 4711` is `CHECK-4711` at another bank. */
export function comparableWords(text: string): string {
  return text
    .toUpperCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .join(' ');
}

/** Whether words are specific enough to be a name: `WIRE` or `1` is not. */
function isName(words: string): boolean {
  return words.length >= SHORTEST_NAME && /\d/.test(words);
}

const MOST_WORDS = 6;

/** The names that a text, in words, may contain, however short: `CH1`, but not the `05` of a date. */
export function namesIn(words: string): string[] {
  const all = words.split(' ').filter((word) => word !== '');
  const runs = all.flatMap((_word, from) => {
    const lengths = Array.from({ length: Math.min(MOST_WORDS, all.length - from) }, (_, index) => index + 1);
    return lengths.map((length) => all.slice(from, from + length).join(' '));
  });
  return runs.filter((run) => isName(run) || /(?=.*\d).*\p{L}/u.test(run));
}

const CHECK_WORDS = ['CHECK', 'CHK', 'CK'];
/** What precedes a check number, as whole words. */
const BEFORE_NUMBER = CHECK_WORDS.flatMap((word) => [` ${word} `, ` ${word} NO `, ` ${word} NUMBER `]);
const CHECK = new RegExp(` (?:${CHECK_WORDS.join('|')}) `);
const NUMBERED_CHECK = new RegExp(`(?:${BEFORE_NUMBER.join('|')})[^ ]*\\d`);

/** Whether a text, in words, refers to a check. */
export function hasCheck(words: string): boolean {
  return CHECK.test(` ${words} `);
}

/** Whether a text, in words, names a check by any number. */
export function hasNumberedCheck(words: string): boolean {
  return NUMBERED_CHECK.test(` ${words} `);
}

/** Whether a text, in words, names a check by its number, however short: `CHECK 101`, `CHK NO CH9`. */
export function hasCheckNumber(words: string, number: string): boolean {
  if (!/\d/.test(number)) return false;
  return BEFORE_NUMBER.some((before) => ` ${words} `.includes(`${before}${number} `));
}

/** Whether a text, in words, contains a name as whole words. */
export function hasName(words: string, name: string): boolean {
  return isName(name) && ` ${words} `.includes(` ${name} `);
}
