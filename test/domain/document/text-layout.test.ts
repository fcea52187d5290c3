// A page's text in reading order, including right-to-left text.
import test from 'ava';
import { turnedAround } from '../../../domain/document/reading-direction.ts';
import { linesOf } from '../../../domain/document/text-layout.ts';

/** Words of one line, from left to right as on the page. */
const seen = (words: readonly string[]) => {
  let x = 40;
  return words.map((text) => {
    const piece = { page: 1, x, y: 700, width: text.length * 6, height: 10, text };
    x += piece.width + 3;
    return piece;
  });
};
const read = (...words: string[]) => linesOf(seen(words)).map((line) => line.map(({ text }) => text));

test('words that run from right to left are read from the right, and those beside them as before', (t) => {
  t.deepEqual(read('Harbor', 'Landlord', 'LLC'), [['Harbor Landlord LLC']]);
  t.deepEqual(read('للتجارة', 'الميناء', 'شركة'), [['شركة الميناء للتجارة']]);
  t.deepEqual(read('הנמל', 'חברת'), [['חברת הנמל']]);
  // A Latin name and a figure within Arabic keep their own direction.
  t.deepEqual(read('للتجارة', 'Harbor', '12', 'شركة'), [['شركة Harbor 12 للتجارة']]);
  // An Arabic name within an English line.
  t.deepEqual(read('The', 'insured', 'named', 'الميناء', 'شركة', 'in', 'Dubai'), [
    ['The insured named شركة الميناء in Dubai'],
  ]);
});

test('a label and its value stay two cells, whichever way the value runs', (t) => {
  const value = seen(['الميناء', 'شركة']).map((piece) => ({ ...piece, x: piece.x + 300 }));
  const [line = []] = linesOf([...seen(['Named', 'insured']), ...value]);
  t.deepEqual(
    line.map(({ text }) => text),
    ['Named insured', 'شركة الميناء'],
  );
});

test('marks of direction are no part of a value', (t) => {
  t.deepEqual(read('\u202Bחברת\u202C', '\u200EHarbor'), [['חברת Harbor']]);
});

test('text reversed twice is unchanged', (t) => {
  const parts = ['شركة', ' ', 'Harbor', ' ', '12', ' ', 'الميناء', ' ', 'للتجارة'].map((text) => ({ text }));
  for (const isBackward of [true, false]) {
    t.deepEqual(turnedAround(turnedAround(parts, isBackward), isBackward), parts);
  }
});
