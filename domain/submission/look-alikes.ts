// Letters that look like plain Latin ones in print: those of other alphabets, small capitals, and letters with a stroke
// or a ligature, which no normalization takes apart. A listed name with some of them substituted still reads the same.
// Taken from Unicode's table of confusable characters (UTS 39): only letters, and only of living alphabets.

/** Each Latin letter with its look-alikes, in lower case, as names are compared. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: 'аαɑᴀ',
  b: 'вьβʙ',
  c: 'сϲᴄ',
  d: 'ԁɗᴅđð',
  e: 'еєεᴇ',
  f: 'ꜰ',
  g: 'ɡցɢ',
  h: 'һнηʜħ',
  i: 'іιıɩӏɪ',
  j: 'јϳᴊ',
  k: 'кκᴋ',
  l: 'ǀʟł',
  m: 'мμᴍ',
  n: 'пոɴ',
  o: 'оοσօᴏø',
  p: 'рρᴘ',
  q: 'ԛ',
  r: 'гʀ',
  s: 'ѕꜱ',
  t: 'тτᴛŧ',
  u: 'υսᴜ',
  v: 'ѵνᴠ',
  w: 'ԝωաᴡ',
  x: 'хχ',
  y: 'уγүʏ',
  z: 'ζᴢ',
  ae: 'æ',
  oe: 'œ',
  ss: 'ß',
  th: 'þ',
};

const LATIN = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([latin, others]) => [...others].map((each) => [each, latin])),
);

/** Writes a name of any alphabet with the Latin letters that it can be mistaken for. */
export function inLatinLetters(name: string): string {
  return [...name].map((letter) => LATIN.get(letter) ?? letter).join('');
}
