// Bank statements as files: tables, camt.053, and files that only look like statements.
import test from 'ava';
import { readCamt } from '../../../providers/bank/camt.ts';
import { readStatementTable } from '../../../providers/bank/statement-table.ts';

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08';

const entry = (parts: string, amount = '4262.04', side = 'CRDT', currency = 'USD') => `
  <Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
    <BookgDt><Dt>2026-11-20</Dt></BookgDt>${parts}</Ntry>`;
const balance = (code: string, amount: string, day: string) => `
  <Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="USD">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd>
    <Dt><Dt>${day}</Dt></Dt></Bal>`;
const statement = (inner: string) => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="${NAMESPACE}"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr><Stmt><Id>2026-11</Id>
  <Acct><Id><Othr><Id>000123456789</Id></Othr></Id></Acct>${inner}</Stmt></BkToCstmrStmt></Document>`;

const refusal = (text: string) => {
  try {
    readCamt(text);
  } catch (error) {
    return error as Error & { code: string };
  }
  return null;
};

test('a camt.053 gives account, days, balances and every booked entry with its references', (t) => {
  const details = `<AcctSvcrRef>BK1</AcctSvcrRef><NtryDtls><TxDtls><Refs><EndToEndId>PO-1</EndToEndId></Refs>
    <RmtInf><Ustrd>STRIPE &amp; CO</Ustrd></RmtInf></TxDtls></NtryDtls><AddtlNtryInf>ACH credit</AddtlNtryInf>`;
  const pending = entry('').replace('BOOK', 'PDNG');
  const balances = `${balance('OPBD', '100.00', '2026-11-01')}${balance('CLBD', '3962.04', '2026-11-30')}`;
  const check = '<NtryDtls><TxDtls><Refs><ChqNb>4711</ChqNb></Refs></TxDtls></NtryDtls>';
  const read = readCamt(statement(`${balances}${entry(details)}${pending}${entry(check, '400.00', 'DBIT')}`));
  t.deepEqual(read, {
    ...{ number: '2026-11', account: '000123456789', from: '2026-11-01', to: '2026-11-30', saysDays: true },
    ...{ openingCents: 10_000, closingCents: 396_204 },
    lines: [
      {
        ...{ place: 'Entry 1', bookedOn: '2026-11-20', amountCents: 426_204, reference: 'PO-1' },
        ...{ description: 'ACH credit STRIPE & CO', bankId: 'BK1' },
      },
      {
        ...{ place: 'Entry 3', bookedOn: '2026-11-20', amountCents: -40_000, reference: '4711' },
        ...{ description: '', bankId: null },
      },
    ],
  });
});

test('the days of a camt.053 are those that it says, those of its balances, or those of its entries', (t) => {
  const daysOf = (inner: string) => {
    const { from, to, saysDays } = readCamt(statement(`${inner}${entry('')}`));
    return [from, to, saysDays];
  };
  const said = (end: string) => `<FrToDt><FrDtTm>2026-11-01T00:00:00</FrDtTm>${end}</FrToDt>`;
  const november = ['2026-11-01', '2026-11-30', true];
  t.deepEqual(daysOf(said('<ToDtTm>2026-11-30T23:59:59</ToDtTm>')), november);
  t.deepEqual(
    daysOf(said('<ToDtTm>2026-12-01T00:00:00-05:00</ToDtTm>')),
    november,
    'midnight is the end of the day before',
  );
  const closing = balance('CLBD', '1.00', '2026-11-30');
  t.deepEqual(daysOf(`${balance('OPBD', '1.00', '2026-11-01')}${closing}`), november);
  t.deepEqual(daysOf(`${balance('PRCD', '1.00', '2026-10-31')}${closing}`), november, 'the day of the end before');
  t.deepEqual(daysOf(''), ['2026-11-20', '2026-11-20', false]);
});

test('amounts of a camt.053 may have more decimals, if these are zeros', (t) => {
  t.is(readCamt(statement(entry('', '1.23000'))).lines[0]?.amountCents, 123);
  t.regex(refusal(statement(entry('', '1.230.00')))?.message ?? '', /two decimals/);
});

test('prefixes of namespaces and other versions make no difference', (t) => {
  const prefixed = statement(entry(''))
    .replaceAll('.001.08', '.001.02')
    .replaceAll(/<(\/?)(?=[A-Z])/g, '<$1c:')
    .replace('xmlns=', 'xmlns:c=');
  t.is(readCamt(prefixed).lines.length, 1);
});

test('a document type is refused, so no entity grows and no file is read', (t) => {
  const bomb = `<!DOCTYPE Document [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>`;
  const outside = '<!DOCTYPE Document [<!ENTITY x SYSTEM "file:///etc/hostname">]>';
  for (const type of [bomb, outside]) {
    const text = statement(entry('<AddtlNtryInf>&b;&x;</AddtlNtryInf>')).replace('<Document', `${type}<Document`);
    t.regex(refusal(text)?.message ?? '', /document type/);
  }
  t.regex(refusal(statement(entry('<AddtlNtryInf>&unknown;</AddtlNtryInf>')))?.message ?? '', /not well-formed/);
});

test('a file that is not a statement in dollars is refused with a reason, on the field of the file', (t) => {
  const deep = `${'<a>'.repeat(60)}${'</a>'.repeat(60)}`;
  const cases: [string, RegExp][] = [
    ['date,amount\n', /not well-formed/],
    ['<Document><BkToCstmrStmt>', /not well-formed/],
    ['<Document/>', /not a camt\.053/],
    [statement(''), /gives no date/],
    [statement(entry('', '10.00', 'CRDT', 'EUR')), /USD/],
    [statement(entry('', '10.005')), /two decimals/],
    [statement(entry('', '-10.00')), /two decimals/],
    [statement(entry('', '10.00', 'UP')), /CRDT or DBIT/],
    [statement(entry('').replace('2026-11-20', '2026-02-30')), /YYYY-MM-DD/],
    [statement(entry(deep)), /too deeply/],
    [statement(entry('')).replace('</Stmt>', '</Stmt><Stmt><Id>2</Id></Stmt>'), /several/],
  ];
  for (const [text, reason] of cases) {
    const refused = refusal(text);
    t.regex(refused?.message ?? '', reason);
    t.like(refused, { code: 'validation_failed', details: { field: 'file' } });
  }
});

test('an entry of zero is left out, and texts are cut to the stored length', (t) => {
  const long = entry(`<NtryRef>${'R'.repeat(300)}</NtryRef><AddtlNtryInf>${'D'.repeat(3_000)}</AddtlNtryInf>`);
  const { lines } = readCamt(statement(`${entry('', '0.00')}${long}`));
  t.deepEqual(
    lines.map(({ reference, description }) => [reference.length, description.length]),
    [[200, 2_000]],
  );
});

test('a file of nothing but elements is refused while it is read', (t) => {
  t.regex(refusal(statement('<a/>'.repeat(200_001)))?.message ?? '', /more than 200000 elements/);
  t.regex(refusal(statement('<Ntry/>'.repeat(5_001)))?.message ?? '', /at most 5000 entries/);
});

test('a file of nothing but attributes is refused while it is read', (t) => {
  const attributes = Array.from({ length: 50_001 }, (_, i) => ` a${i}="1"`).join('');
  t.regex(refusal(statement(`<a${attributes}/>`))?.message ?? '', /more than 50000 attributes/);
});

test('control characters of a table do not reach the books', async (t) => {
  const { lines } = await table('date,amount,reference,description\n2026-11-02,1,A\u0000B,x\u001by\u007f\n');
  t.like(lines, [{ reference: 'A B', description: 'x y' }]);
});

const table = (text: string) =>
  readStatementTable(
    (async function* () {
      yield text;
    })(),
  );

test('a table has one column for amounts or one for each direction, days in either form', async (t) => {
  const one = await table(
    'Date,Description,Amount,Reference\n11/20/2026,STRIPE,"4,262.04",PO-1\n2026-11-02,Check,-400,4711\n',
  );
  const days = { from: '2026-11-02', to: '2026-11-20', saysDays: false };
  t.like(one, { ...days, account: '', openingCents: null, closingCents: null });
  t.deepEqual(
    one.lines.map(({ bookedOn, amountCents, reference }) => [bookedOn, amountCents, reference]),
    [
      ['2026-11-20', 426_204, 'PO-1'],
      ['2026-11-02', -40_000, '4711'],
    ],
  );
  const two = await table('date,debit,credit,id\n2026-11-02,400.00,,A\n2026-11-03,,7.5,B\n2026-11-04,-1.00,0,C\n');
  t.deepEqual(
    two.lines.map(({ amountCents, bankId }) => [amountCents, bankId]),
    [
      [-40_000, 'A'],
      [750, 'B'],
      [-100, 'C'],
    ],
  );
});

test('a table that cannot be read says which row and why', async (t) => {
  const cases: [string, RegExp][] = [
    ['', /no rows/],
    ['date,amount\n', /no rows/],
    ['day,amount\n', /column date/],
    ['date,reference\n', /amount, or/],
    ['date,amount,debit\n', /amount, or/],
    ['date,amount,amount\n', /repeats/],
    ['date,amount\n2026-11-02,1\n2026-13-02,1\n', /^Row 3, date: it must be/],
    ['date,amount\n2026-11-02,0\n', /^Row 2: the amount must be a number other than 0/],
    ['date,amount\n2026-11-02,1.230\n', /^Row 2, amount: it must be a number with at most two decimals/],
    ['date,debit,credit\n2026-11-02,1.230,\n', /^Row 2, debit: it must be/],
    ['date,debit,credit\n2026-11-02,,1.23.0\n', /^Row 2, credit: it must be/],
    ['date,debit,credit\n2026-11-02,1,1\n', /^Row 2: either debit or credit must be blank/],
  ];
  for (const [text, reason] of cases) await t.throwsAsync(() => table(text), { message: reason }, text);
});
