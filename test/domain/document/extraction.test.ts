import test from 'ava';
import { extracted } from '../../../domain/document/extraction.ts';
import { linesOf, linesOfText } from '../../../domain/document/text-layout.ts';

const ofText = (text: string) => ({ lines: linesOfText(text, false), fields: [] });

test('rows of a loss run are found under their headings on a page, numbers right-aligned', (t) => {
  const at = (x: number, y: number, text: string) => ({ page: 1, x, y, width: text.length * 5, height: 9, text });
  const right = (edge: number, y: number, text: string) => at(edge - text.length * 5, y, text);
  const lines = linesOf([
    at(40, 740, 'Valued as of: 10/31/2026'),
    ...[at(40, 700, 'Claim #'), at(140, 700, 'Date of Loss'), at(260, 700, 'Status')],
    ...[right(400, 700, 'Total Paid'), right(500, 700, 'Reserves')],
    ...[at(40, 685, 'C-1'), at(140, 685, '04/10/2025'), at(260, 685, 'Open')],
    ...[right(400, 685, '$1,200.00'), right(500, 685, '$300.10')],
    ...[at(40, 670, 'C-2'), at(140, 670, '05/11/2023'), at(260, 670, 'Closed')],
    ...[right(400, 670, '-'), right(500, 670, '0.00')],
    at(40, 655, 'Total'),
  ]);
  const run = extracted({ type: 'loss_run', confidence: 1 }, { lines, fields: [] });
  t.like(run, { valuationDate: '2026-10-31' });
  t.deepEqual(run.losses, [
    {
      ...{ claimNumber: 'C-1', lossDate: '2025-04-10', description: null, status: 'open' },
      ...{ paid: 1200, reserved: 300.1, incurred: 1500.1 },
    },
    {
      ...{ claimNumber: 'C-2', lossDate: '2023-05-11', description: null, status: 'closed' },
      ...{ paid: 0, reserved: 0, incurred: 0 },
    },
  ]);
  t.deepEqual(run.totals, { count: 2, paid: 1200, reserved: 300.1, incurred: 1500.1 });
});

test('a loss run without claims has none', (t) => {
  const run = extracted({ type: 'loss_run', confidence: 1 }, ofText('Loss run\nNo losses reported'));
  t.deepEqual(run.losses, []);
  t.deepEqual(run.totals, { count: 0, paid: 0, reserved: 0, incurred: 0 });
});

test('a loss run of which something was not read, or whose figures disagree, has no totals', (t) => {
  const heading = 'Claim Number,Date of Loss,Status,Paid,Reserve,Incurred';
  const read = (...rows: string[]) =>
    extracted(
      { type: 'loss_run', confidence: 1 },
      { lines: linesOfText([heading, ...rows].join('\n'), true), fields: [] },
    );
  const good = 'C-1,04/10/2025,Open,500.00,100.00,600.00';
  t.deepEqual(read(good).totals, { count: 1, paid: 500, reserved: 100, incurred: 600 });
  t.deepEqual(read(good, 'Total,,,500.00,100.00,600.00').totals, { count: 1, paid: 500, reserved: 100, incurred: 600 });
  const partial = {
    'a recovery': ['C-2,04/10/2025,Open,(500.00),0.00,0.00'],
    'a date that is none': [good, 'C-3,07/xx/2024,Open,100.00,0.00,100.00'],
    'an amount that is none': [good, 'C-3,07/01/2024,Open,n/a,0.00,100.00'],
    'a row that does not add up': ['C-3,07/01/2024,Open,100.00,0.00,900.00'],
    'another total': [good, 'Total,,,8700.00,0.00,8700.00'],
    'a printed total': [good, 'Total incurred $8,700.00'.replace(',', '')],
    'nothing at all': [],
  };
  for (const [what, rows] of Object.entries(partial)) t.is(read(...rows).totals, undefined, what);
  t.is((read('C-2,04/10/2025,Open,(500.00),0.00,0.00').losses as { paid: number | null }[])[0]?.paid, null);
});

test('a number ends where the next label begins, and a label is no part of it', (t) => {
  const run = extracted(
    { type: 'loss_run', confidence: 1 },
    ofText('Policy Number: GL-123456 Policy period 01/01/2024 - 01/01/2025'),
  );
  t.is(run.policyNumber, 'GL-123456');
});

test('the terms of a policy are read from its declarations', (t) => {
  const text = [
    'Policy Number: GL-TX-2026-000123    Carrier: Pioneer Mutual',
    'Named Insured: Acme LLC',
    'Effective Date: 03/01/2026    Expiration Date: 03/01/2027',
    'Each Occurrence Limit: $1,000,000',
    'Total Premium: $3,990.00',
  ].join('\n');
  t.deepEqual(extracted({ type: 'declaration_page', confidence: 1 }, ofText(text)), {
    ...{ policyNumber: 'GL-TX-2026-000123', carrier: 'Pioneer Mutual', insuredName: 'Acme LLC' },
    ...{ effectiveDate: '2026-03-01', expirationDate: '2027-03-01', eachOccurrence: 1_000_000, premium: 3990 },
  });
});

test('rows whose amounts stand at the other edge are read, and labels that stand before their value in one text', (t) => {
  const at = (x: number, y: number, text: string) => ({ page: 1, x, y, width: text.length * 5, height: 10, text });
  const lines = linesOf([
    ...[at(324, 683, 'Policy GL-TX-2026-000004'), at(324, 670, 'Issued November 30, 2026')],
    ...[at(324, 656, 'Due February 28, 2027'), at(51, 536, 'Additional premium'), at(526, 536, '$688.27')],
    ...[at(51, 515, 'Total'), at(518, 515, '$1,685.77'), at(51, 496, 'Paid'), at(537, 496, '$0.00')],
  ]);
  t.deepEqual(extracted({ type: 'invoice', confidence: 1 }, { lines, fields: [] }), {
    policyNumber: 'GL-TX-2026-000004',
    ...{ invoiceDate: '2026-11-30', dueDate: '2027-02-28', total: 1_685.77 },
  });
  const term = linesOf([at(324, 656, 'November 30, 2026 to November 30, 2027'), at(51, 549, 'Each occurrence')]);
  t.deepEqual(extracted({ type: 'declaration_page', confidence: 1 }, { lines: term, fields: [] }), {
    ...{ effectiveDate: '2026-11-30', expirationDate: '2027-11-30' },
  });
});

test('the limits of an ACORD 126 are read from its fields', (t) => {
  const field = (name: string, value: string) => ({ page: 1, name: `F[0].P1[0].${name}[0]`, value });
  const fields = [
    field('GeneralLiability_EachOccurrence_LimitAmount_A', '1,000,000'),
    field('GeneralLiability_GeneralAggregate_LimitAmount_A', '$2,000,000'),
  ];
  const found = extracted({ type: 'acord_126', confidence: 1 }, { lines: [], fields });
  t.deepEqual(found, { eachOccurrence: 1_000_000, generalAggregate: 2_000_000 });
});

test('text written to slow its reader down is read in no time', (t) => {
  const slow = [' '.repeat(1_000_000), 'policy number:'.repeat(70_000), '"'.repeat(1_000_000), 'a '.repeat(500_000)];
  const startedMs = performance.now();
  for (const text of slow) {
    for (const isCsv of [true, false]) {
      extracted({ type: 'loss_run', confidence: 1 }, { lines: linesOfText(text, isCsv), fields: [] });
    }
  }
  // Quadratic work on a million takes minutes.
  t.true(performance.now() - startedMs < 20_000);
});

test('nothing is extracted from documents that people read for themselves', (t) => {
  t.deepEqual(extracted({ type: 'medical_record', confidence: 1 }, ofText('Patient: Jane Doe')), {});
});
