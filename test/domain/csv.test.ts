import test from 'ava';
import { csvRecords } from '../../domain/csv.ts';

async function read(...pieces: string[]): Promise<string[][]> {
  const text = async function* () {
    yield* pieces;
  };
  const records: string[][] = [];
  for await (const record of csvRecords(text())) records.push(record);
  return records;
}

const TEXTS: [what: string, pieces: string[], records: string[][]][] = [
  [
    'plain fields with either line end',
    ['a,b\r\n1,2\n3,4'],
    [
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
    ],
  ],
  [
    'commas, quotes and line ends within quotes',
    ['"a,b","say ""hi""","one\ntwo"\n'],
    [['a,b', 'say "hi"', 'one\ntwo']],
  ],
  [
    'pieces that are cut anywhere',
    ['"a"', '"b",', 'c\r', '\nd,e'],
    [
      ['a"b', 'c'],
      ['d', 'e'],
    ],
  ],
  [
    'empty fields, and no record for a blank line',
    ['a,,\n\n  \n,b\n'],
    [
      ['a', '', ''],
      ['', 'b'],
    ],
  ],
];

test('a quote that does not end is refused', async (t) => {
  await t.throwsAsync(read('a,"b\n1,2'), { message: 'A quoted cell in the file is missing its closing quote.' });
});

test('a row has at most 500 cells: no file of commas alone is held in memory', async (t) => {
  t.is((await read(','.repeat(499)))[0]?.length, 500);
  await t.throwsAsync(read('a\n', ','.repeat(500)), { message: 'A row of the table must have at most 500 cells.' });
});

for (const [what, pieces, records] of TEXTS) {
  test(`a table is read with ${what}`, async (t) => {
    t.deepEqual(await read(...pieces), records);
  });
}
