// Bordereaux: their months, their rows as text, and how two versions differ. Figures by hand.
import test from 'ava';
import { csvRecords } from '../../../domain/csv.ts';
import { bordereauDueDate, reportedDays } from '../../../domain/insight/bordereau.ts';
import {
  addToTotals,
  BORDEREAU_COLUMNS,
  noTotals,
  type WrittenRow,
  writtenRow,
} from '../../../domain/insight/bordereau-columns.ts';
import {
  Comparison,
  countDifference,
  NO_DIFFERENCES,
  type RowDifference,
} from '../../../domain/insight/bordereau-differences.ts';
import { bordereauRow } from '../../../domain/insight/bordereau-rows.ts';
import {
  csvHead,
  csvRows,
  differenceLines,
  jsonFoot,
  jsonHead,
  jsonRows,
  rowsOfJson,
} from '../../../domain/insight/bordereau-text.ts';

test('a month is reported up to its end or today, and due on the 15th of the next', (t) => {
  t.deepEqual(reportedDays('2028-02', '2028-03-09'), { first: '2028-02-01', last: '2028-02-29' });
  t.deepEqual(reportedDays('2026-12', '2026-12-05'), { first: '2026-12-01', last: '2026-12-05' });
  t.like(
    t.throws(() => reportedDays('2027-01', '2026-12-31')),
    { code: 'validation_failed' },
  );
  t.is(bordereauDueDate('2026-12'), '2027-01-15');
});

const FOUND = {
  ...{ entry: 'transaction', policyNumber: 'GL-TX-2026-000001', reference: 'ptx_1', transactionType: 'endorsement' },
  ...{ insuredName: '=HYPERLINK("http://evil")', producer: 'Lone Star', hasProducer: true },
  address: { line1: '1 Congress Ave', line2: 'Suite 2', city: 'Austin', state: 'TX', postalCode: '78701' },
  terms: { tier: 1, agentRate: '0.125', mgaRate: '0.10' },
  ...{ grossPremium: '100001', fees: '19500', taxes: '5796', stampingFee: '48' },
};
const CONTEXT = { month: '2026-03', broker: 'An organization' };

test('written premium is shared at the terms of its transaction, and tax excludes stamping fees', (t) => {
  // 12.5 percent of 1,000.01 is 125.00125, ten percent 100.001: both round down, and the carrier has the rest.
  const row = bordereauRow('premium', FOUND, CONTEXT);
  t.like(row, { agentCommission: 12_500, mgaCommission: 10_000, commission: 22_500, netToCarrier: 77_501 });
  t.like(row, { commissionRate: 0.225, surplusLinesTax: 5748, stampingFee: 48, fees: 19_500, settledPremium: 0 });
  t.like(row, { insuredAddress: '1 Congress Ave, Suite 2', insuredCity: 'Austin', reportingPeriod: '2026-03' });
  const direct = bordereauRow('premium', { ...FOUND, hasProducer: false }, CONTEXT);
  t.like(direct, { agentCommission: 0, netToCarrier: 90_001, commissionRate: 0.1 });
  const unknown = bordereauRow('premium', { ...FOUND, terms: null }, CONTEXT);
  t.like(unknown, { commission: 0, netToCarrier: 100_001, commissionRate: null });
});

test('a row is the same in CSV and JSON, and the text of a person is never a formula', async (t) => {
  const columns = BORDEREAU_COLUMNS.premium;
  const row = writtenRow(columns, bordereauRow('premium', FOUND, CONTEXT));
  t.is(row.grossPremium, 1000.01);
  const [head = [], cells = []] = await all(csvRecords(pieces(csvHead(columns) + csvRows(columns, [row]))));
  const ofCsv = Object.fromEntries(head.map((name, at) => [name, cells[at]]));
  t.is(ofCsv.insuredName, `'=HYPERLINK("http://evil")`);
  for (const { name } of columns) {
    if (name !== 'insuredName') t.is(ofCsv[name], String(row[name] ?? ''), name);
  }
  t.regex(csvRows(columns, [{ ...row, grossPremium: -1 }]), /,-1,/);
});

test('the rows of a JSON text are read back one by one, wherever it is cut, and its sums are exact', async (t) => {
  const columns = BORDEREAU_COLUMNS.premium;
  const rows = ['a\nb', '\u2028', ']"rows":['].map((insuredName) =>
    bordereauRow('premium', { ...FOUND, insuredName, grossPremium: '10' }, CONTEXT),
  );
  const written = rows.map((row) => writtenRow(columns, row));
  const totals = addToTotals(addToTotals(noTotals(columns), rows.slice(0, 2)), rows.slice(2));
  t.is(totals.grossPremium, 30);
  const head = jsonHead({ carrier: 'A "carrier"', month: '2026-03', kind: 'premium' });
  const body = jsonRows(written.slice(0, 2), true) + jsonRows(written.slice(2), false);
  const text = head + body + jsonFoot(columns, totals, rows.length);
  t.like(JSON.parse(text), { carrier: 'A "carrier"', rowCount: 3, totals: { grossPremium: 0.3 } });
  t.deepEqual(JSON.parse(text).rows, written);
  for (const length of [1, 7, text.length]) t.deepEqual(await all(rowsOfJson(pieces(text, length))), written);
  const empty = head + jsonRows([], true) + jsonFoot(columns, noTotals(columns), 0);
  t.deepEqual([JSON.parse(empty).rows, await all(rowsOfJson(pieces(empty)))], [[], []]);
});

const row = (policyNumber: string, reference: string, amount = 1): WrittenRow => ({ policyNumber, reference, amount });

test('a version names the rows that came, went and changed since the one before', async (t) => {
  const before = [row('A', '1'), row('A', '2'), row('B', '1'), row('D', '1'), row('E', '1')];
  const after = [row('A', '1'), row('A', '3'), row('B', '1', 2), row('C', '1'), row('D', '1')];
  const comparison = new Comparison(pieced(before));
  const found: RowDifference[] = [];
  for (const page of [after.slice(0, 2), after.slice(2)]) found.push(...(await comparison.take(page)));
  for await (const gone of comparison.rest()) found.push(gone);
  const named = ({ change, policyNumber, reference }: RowDifference) => `${change} ${policyNumber}${reference}`;
  t.deepEqual(found.map(named), ['removed A2', 'added A3', 'changed B1', 'added C1', 'removed E1']);
  t.deepEqual(found[2]?.columns, [{ column: 'amount', before: 1, after: 2 }]);
  t.is(found.map(differenceLines)[2], 'changed,B,1,amount,1,2\r\n');
  const many = Array.from({ length: 150 }, () => found[0] as RowDifference);
  const sum = many.reduce(countDifference, NO_DIFFERENCES);
  t.like(sum, { added: 0, removed: 150, changed: 0 });
  t.is(sum.rows.length, 100);
  t.deepEqual(await new Comparison(pieced(before)).take(before), []);
});

async function* pieced<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

async function* pieces(text: string, length = text.length): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
}

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const value of values) found.push(value);
  return found;
}
