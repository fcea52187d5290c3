// Tables written as text. RFC 4180.
import test from 'ava';
import { csvLine } from '../../domain/csv.ts';

test('text that a spreadsheet would execute begins with an apostrophe, and a number stays a number', (t) => {
  for (const sign of ['=', '+', '-', '@', '\t', '＝', '＋', '－', '＠'])
    t.is(csvLine([`${sign}1+1`]), `'${sign}1+1\r\n`);
  t.is(csvLine(['\r=1']), `"'\r=1"\r\n`);
  t.is(csvLine([-12.5, 'a-b', null, undefined, true]), '-12.5,a-b,,,true\r\n');
});

test('a field with a comma, a quote or a line end is quoted', (t) => {
  t.is(csvLine(['Acme, Inc', 'say "hi"', 'one\ntwo']), '"Acme, Inc","say ""hi""","one\ntwo"\r\n');
});
