// Letters of other alphabets that look like a Latin letter in print: a listed name with some of them substituted still
// reads the same. Taken from Unicode's table of confusable characters (UTS 39): only letters, and only of living
// alphabets.

/** Each Latin letter with its look-alikes, in lower case, as names are compared. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: 'аαɑ',
  b: 'вьβ',
  c: 'сϲ',
  d: 'ԁɗ',
  e: 'еєε',
  g: 'ɡց',
  h: 'һнη',
  i: 'іιıɩӏ',
  j: 'јϳ',
  k: 'кκ',
  l: 'ǀ',
  m: 'мμ',
  n: 'пո',
  o: 'оοσօ',
  p: 'рρ',
  q: 'ԛ',
  r: 'г',
  s: 'ѕ',
  t: 'тτ',
  u: 'υս',
  v: 'ѵν',
  w: 'ԝωա',
  x: 'хχ',
  y: 'уγү',
  z: 'ζ',
};

const LATIN = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([latin, others]) => [...others].map((each) => [each, latin])),
);

/** Writes a name of any alphabet with the Latin letters that it can be mistaken for. */
export function inLatinLetters(name: string): string {
  return [...name].map((letter) => LATIN.get(letter) ?? letter).join('');
}
