// Bank statements: stored once, matched with the ledger and the card processor, the rest listed for a person.
import test from 'ava';
import { addDays } from '../../../../domain/dates.ts';
import { eventually } from '../../../support/eventually.ts';
import { testToday } from '../../../support/fixed/today.ts';
import { allPages, bodyOf, bound, type House, newHouse } from '../../../support/house.ts';
import { startCheckedPlatform } from '../../../support/openapi-check.ts';
import type { Platform } from '../../../support/run-platform.ts';
import { refused } from '../billed-invoice.ts';
import { reconciled } from '../reconciled.ts';

const TODAY = testToday();
const daysAgo = (days: number) => addDays(TODAY, -days);
const PATH = '/v1/bank-statements';
const TOTAL = 4_389.64;

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

/** A policy of the worked example, 4,389.64, paid by check. */
async function paidByCheck(house: House, reference: string): Promise<void> {
  const [{ id }] = (await bound(house.as('underwriter'))).invoices;
  const check = { amount: TOTAL, method: 'check', reference };
  bodyOf(await house.as('billing_admin').post(`/v1/invoices/${id}/pay`, check), 201);
}

const table = (...rows: string[]) => ({
  ...{ fileName: 'november.csv', contentType: 'text/csv' },
  contentBase64: Buffer.from(['date,amount,reference,description', ...rows].join('\n')).toString('base64'),
});

const upload = (house: House, body: object) => house.as('billing_admin').post(PATH, body);

interface Line {
  id: string;
  amount: number;
  movements: object[];
}

interface Movement {
  id: string;
  sourceId: string;
  references: string[];
}

const linesOf = async (house: House, query: Record<string, string>) =>
  (await allPages(house.as('auditor'), '/v1/bank-lines', query)) as Line[];
const openLines = (house: House) => linesOf(house, { status: 'unmatched' });
const openMovements = async (house: House) =>
  (await allPages(house.as('auditor'), '/v1/ledger/bank-movements', { status: 'unmatched' })) as Movement[];

test('bookings are matched by amount and reference, and the rest of both sides is listed', async (t) => {
  const house = await newHouse(platform);
  await paidByCheck(house, 'Check 4711');
  await paidByCheck(house, 'Check 4712');
  const rows = [`${TODAY},4389.64,CHECK-4712,Deposit`, `${TODAY},-15.00,,Account fee`];
  const statement = bodyOf(await upload(house, table(...rows)), 201);
  t.like(statement, {
    ...{
      format: 'csv',
      account: null,
      from: TODAY,
      to: TODAY,
      fileName: 'november.csv',
      closingBalance: null,
      wholeUntil: null,
    },
    ...{ lineCount: 2, newLineCount: 2, matchedCount: 1, unmatchedCount: 1, unmatchedAmount: -15 },
  });
  t.deepEqual(bodyOf(await house.as('finance_analyst').get(`${PATH}/${statement.id}`)), statement);
  t.deepEqual(bodyOf(await house.as('auditor').get(PATH)).data, [statement]);

  const query = { statementId: statement.id, status: 'matched' };
  const [matched] = await linesOf(house, query);
  t.like(matched, { amount: TOTAL, reference: 'CHECK-4712', matched: true, matchedBy: 'reference' });
  t.like(matched?.movements, [{ sourceType: 'payment', amount: TOTAL, bankLineId: matched?.id }]);
  t.like(await openLines(house), [{ amount: -15, description: 'Account fee', matched: false, movements: [] }]);
  const [movement, ...others] = await openMovements(house);
  t.deepEqual(others, []);
  t.true(movement?.references.includes('Check 4711'));
});

test('a booking that names another movement of ours, of whatever amount, is not matched by its amount', async (t) => {
  for (const [text, matchedCount] of [
    ['Deposit wire T7', 0],
    ['Deposit wire', 1],
  ] as const) {
    const house = await newHouse(platform);
    const [{ id }] = (await bound(house.as('underwriter'))).invoices;
    for (const [amount, method, reference] of [
      [200, 'check', 'Check 4711'],
      [100, 'wire', 'T7'],
    ]) {
      const payment = { amount, method, reference };
      bodyOf(await house.as('billing_admin').post(`/v1/invoices/${id}/pay`, payment), 201);
    }
    t.like(bodyOf(await upload(house, table(`${TODAY},200.00,,${text}`)), 201), { lineCount: 1, matchedCount }, text);
  }
});

test('the same file again changes nothing, and a booking that an earlier statement had is kept once', async (t) => {
  const house = await newHouse(platform);
  const rows = [`${TODAY},7.00,A,Twin`, `${TODAY},7.00,A,Twin`];
  const first = bodyOf(await upload(house, table(...rows)), 201);
  t.is(first.newLineCount, 2, 'two bookings may say the same');
  t.deepEqual(bodyOf(await upload(house, table(...rows)), 200), first);
  const copies = await Promise.all([1, 2, 3].map(() => upload(house, table(`${TODAY},9.00,B,`))));
  t.deepEqual(copies.map(({ status }) => status).sort(), [200, 200, 201]);
  const longer = bodyOf(await upload(house, table(...rows, `${TODAY},8.00,C,`)), 201);
  t.like(longer, { lineCount: 3, newLineCount: 1 });
  t.is((await openLines(house)).length, 4);
});

test('a person matches an open booking with movements that add up to it, and takes the match back', async (t) => {
  const house = await newHouse(platform);
  await paidByCheck(house, 'Check 1001');
  await paidByCheck(house, 'Check 1002');
  bodyOf(await upload(house, table(`${TODAY},8779.28,,Deposit of two`, `${TODAY},5.00,,Interest`)), 201);
  const lines = await openLines(house);
  const [interest, deposit] = [5, 8_779.28].map((amount) => lines.find((line) => line.amount === amount));
  const movementIds = (await openMovements(house)).map(({ id }) => id);
  t.is(movementIds.length, 2);
  const billing = house.as('billing_admin');
  const path = `/v1/bank-lines/${deposit?.id}`;
  const match = (ids: unknown[], at = path) => billing.post(`${at}/match`, { movementIds: ids });

  refused(t, await match(movementIds.slice(1)), 400, 'validation_failed', { field: 'movementIds', rule: 'format' });
  const [one] = movementIds;
  const twice = { field: 'movementIds', rule: 'unknown_reference' };
  refused(t, await match([one, one]), 400, 'validation_failed', twice);
  refused(t, await house.as('finance_analyst').post(`${path}/match`, { movementIds }), 403, 'forbidden');
  const both = await Promise.all([match(movementIds), match(movementIds)]);
  t.deepEqual(both.map(({ status }) => status).sort(), [200, 422], 'of two clicks one matches');
  const matched = bodyOf(await house.as('auditor').get(path));
  t.like(matched, { matched: true, matchedBy: 'person', movements: [{ amount: TOTAL }, { amount: TOTAL }] });
  t.deepEqual(await openMovements(house), []);
  refused(t, await match([one], `/v1/bank-lines/${interest?.id}`), 400, 'validation_failed', { field: 'movementIds' });

  t.like(bodyOf(await billing.post(`${path}/unmatch`)), { matched: false, matchedBy: null, movements: [] });
  refused(t, await billing.post(`${path}/unmatch`), 422, 'invalid_state_transition');
  t.is((await openMovements(house)).length, 2);
  t.like(bodyOf(await match(movementIds)), { matched: true });
});

test('processor, bank and ledger agree in the reconciliation, or it names the items one of them lacks', async (t) => {
  const house = await newHouse(platform);
  const { processor } = platform.providers;
  const billing = house.as('billing_admin');
  const [{ id }] = (await bound(house.as('underwriter'))).invoices;
  const { paymentIntentId } = bodyOf(await billing.post(`/v1/invoices/${id}/payment-intent`, {}), 201);
  processor.pay(paymentIntentId);
  const payoutId = processor.payOut();
  const payouts = () => allPages(billing, '/v1/ledger/card-payouts');
  await eventually(async () => (await payouts()).length === 1, { what: 'the payout' });
  t.like((await reconciled(house.as('billing_admin'))).figures, {
    bankBalance: null,
    bankUnmatched: null,
    ledgerUnmatched: null,
  });

  // Since then the bank has shown six days and a fee, but no payout.
  const later = addDays(TODAY, 6);
  bodyOf(await house.as('org_admin').post('/v1/test-clock', { advanceTo: later }));
  bodyOf(await upload(house, table(`${TODAY},-15.00,,Account fee`, `${later},0.01,,Interest`)), 201);
  const lacking = await reconciled(house.as('billing_admin'));
  t.deepEqual(lacking.failed, ['bank_lines', 'bank_payouts']);
  // The payout, and the fee of 127.60 that operating cash owes: 4,262.04 + 127.60.
  t.like(lacking.figures, { trustCash: TOTAL, bankUnmatched: -14.99, ledgerUnmatched: TOTAL });
  const [payout] = await payouts();
  const named = lacking.findings.find(({ check }: { check: string }) => check === 'bank_payouts');
  t.like(named, { entityType: 'card_payout', entityId: payout?.id, expected: 4_262.04, actual: 0 });

  const entry = (amount: string, text: string) => `<Ntry><Amt Ccy="USD">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd>
    <Sts>BOOK</Sts><BookgDt><Dt>${later}</Dt></BookgDt><AddtlNtryInf>${text}</AddtlNtryInf></Ntry>`;
  const closing = `<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="USD">4374.65</Amt>
    <CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${later}</Dt></Dt></Bal>`;
  const entries = `${entry('4262.04', `STRIPE ${payoutId}`)}${entry('127.60', 'From operating')}`;
  const xml = `<Document><BkToCstmrStmt><Stmt><Id>11</Id>${closing}${entries}</Stmt></BkToCstmrStmt></Document>`;
  const camt = { fileName: 'november.xml', contentBase64: Buffer.from(xml).toString('base64') };
  t.like(bodyOf(await upload(house, camt), 201), { format: 'camt.053', matchedCount: 1, closingBalance: 4_374.65 });
  // The fee is six days apart in the ledger and at the bank: a person confirms that it is the same.
  const fee = (await openLines(house)).find(({ amount }) => amount === 127.6);
  const [owed] = await openMovements(house);
  bodyOf(await billing.post(`/v1/bank-lines/${fee?.id}/match`, { movementIds: [owed?.id] }));
  const agreed = await reconciled(house.as('billing_admin'));
  t.deepEqual(agreed.failed, ['bank_lines'], 'the fee and the interest of the bank are still to be booked');
  // 4,389.64 in the ledger, all of it shown, less 15.00 and plus 0.01 that only the bank has.
  t.like(agreed.figures, { bankBalance: 4_374.65, trustCash: TOTAL, ledgerUnmatched: 0, bankUnmatched: -14.99 });
  t.is(agreed.figures.bankDifference, 0);
});

test('the balance of the bank is that of the ledger and the open items, or the reconciliation names the difference', async (t) => {
  const house = await newHouse(platform);
  for (const check of ['4711', '4712', '4713']) await paidByCheck(house, `Check ${check}`);
  const bounced = (await openMovements(house)).find(({ references }) => references.includes('Check 4713'));
  bodyOf(await house.as('billing_admin').post(`/v1/payments/${bounced?.sourceId}/reverse`, { reason: 'nsf' }), 201);
  // The bank had 10.00 before, and shows checks 4711 and 4713, but neither 4712 nor the return of 4713.
  const shown = table(`${daysAgo(0)},4389.64,Check 4711,`, `${daysAgo(0)},4389.64,Check 4713,`);
  const { id } = bodyOf(await upload(house, { ...shown, openingBalance: 10, closingBalance: 8_789.28 }), 201);
  const differing = await reconciled(house.as('billing_admin'));
  t.deepEqual(differing.failed, ['bank_balance']);
  // In the ledger, 4,389.64 came in three times and went out once.
  const items = { depositsInTransit: TOTAL, outstandingChecks: TOTAL, ledgerUnmatched: 0, bankUnmatched: 0 };
  t.like(differing.figures, { ...items, trustCash: 8_779.28, bankBalance: 8_789.28, bankDifference: 10 });
  const finding = { check: 'bank_balance', part: 'balance', expected: 8_779.28, actual: 8_789.28 };
  t.like(differing.findings, [finding]);

  bodyOf(await house.as('billing_admin').post(`${PATH}/${id}/withdraw`));
  const stated = { openingBalance: 0, closingBalance: 8_779.28 };
  bodyOf(await upload(house, { ...shown, ...stated }), 201);
  // Anything booked after the last balance is added to it.
  bodyOf(await house.as('org_admin').post('/v1/test-clock', { advanceTo: addDays(TODAY, 1) }));
  bodyOf(await upload(house, table(`${addDays(TODAY, 1)},4389.64,Check 4712,`)), 201);
  const agreed = await reconciled(house.as('billing_admin'));
  t.deepEqual(agreed.failed, []);
  const left = { depositsInTransit: 0, outstandingChecks: TOTAL, bankBalance: 13_168.92, bankDifference: 0 };
  t.like(agreed.figures, left);
});

test('a table may state its days and balances, and contradictions are refused', async (t) => {
  const house = await newHouse(platform);
  const facts = { from: daysAgo(9), to: daysAgo(6), openingBalance: 5, closingBalance: 17 };
  const rows = [`${daysAgo(8)},7.00,A-1001,`, `${daysAgo(7)},5.00,A-1002,`];
  const onFile = { field: 'file', rule: 'format' };
  const wrong = await upload(house, { ...table(...rows), ...facts, closingBalance: 17.01 });
  refused(t, wrong, 400, 'validation_failed', onFile);
  refused(t, await upload(house, table(`${addDays(TODAY, 1)},1.00,,`)), 400, 'validation_failed', onFile);
  const statement = bodyOf(await upload(house, { ...table(...rows), ...facts }), 201);
  t.like(statement, { ...facts, wholeUntil: daysAgo(6), newLineCount: 2 });

  const next = { from: daysAgo(5), to: daysAgo(4), closingBalance: 20 };
  const following = table(`${daysAgo(5)},3.00,A-1003,`);
  const apart = { ...next, openingBalance: 16, closingBalance: 19 };
  refused(t, await upload(house, { ...following, ...apart }), 400, 'validation_failed', onFile);
  const late = await upload(house, table(...rows, `${daysAgo(8)},1.00,A-1004,`));
  refused(t, late, 400, 'validation_failed', onFile);
  t.true(late.text.includes('Row 4: an earlier statement covers all of'), late.text);
  bodyOf(await upload(house, { ...following, ...next, openingBalance: '17.00' }), 201);

  const required = { field: 'to', rule: 'required' };
  refused(t, await upload(house, { ...following, from: daysAgo(5) }), 400, 'validation_failed', required);
  const backwards = { from: daysAgo(4), to: daysAgo(5) };
  refused(t, await upload(house, { ...following, ...backwards }), 400, 'validation_failed', { field: 'from' });
  const camt = { ...camtOf('000123456789', credit(9, 'X')), openingBalance: 1 };
  const unknown = { field: 'openingBalance', rule: 'unknown_field' };
  refused(t, await upload(house, camt), 400, 'validation_failed', unknown);
  const many = { ...following, openingBalance: 1.005 };
  refused(t, await upload(house, many), 400, 'validation_failed', { field: 'openingBalance' });
});

test('a booking of a withdrawn statement that another one repeats stands there, and is matched again', async (t) => {
  const house = await newHouse(platform);
  await paidByCheck(house, 'Check 4711');
  const both = [`${TODAY},4389.64,Check 4711,`, `${TODAY},7.00,A-1002,`];
  const first = bodyOf(await upload(house, table(...both)), 201);
  const second = bodyOf(await upload(house, table(...both, `${TODAY},8.00,A-1003,`)), 201);
  const third = bodyOf(await upload(house, table(...both, `${TODAY},9.00,A-1004,`)), 201);
  t.like(second, { newLineCount: 1, matchedCount: 0 });
  const withdraw = async (id: string) => bodyOf(await house.as('billing_admin').post(`${PATH}/${id}/withdraw`));
  const read = async (id: string) => bodyOf(await house.as('auditor').get(`${PATH}/${id}`));
  t.like(await withdraw(first.id), { matchedCount: 0, unmatchedCount: 0 });
  t.like(await read(second.id), { newLineCount: 3, matchedCount: 1, unmatchedCount: 2, unmatchedAmount: 15 });
  t.like(await read(third.id), { newLineCount: 1, matchedCount: 0, unmatchedCount: 1 });
  t.deepEqual((await linesOf(house, {})).map(({ amount }) => amount).sort(), [TOTAL, 7, 8, 9].sort());
  t.deepEqual(await openMovements(house), []);
  await withdraw(second.id);
  t.like(await read(third.id), { newLineCount: 3, matchedCount: 1, unmatchedCount: 2, unmatchedAmount: 16 });
  t.is((await linesOf(house, {})).length, 3);
});

test('a booking is matched however many open ones came before it', async (t) => {
  const house = await newHouse(platform);
  await paidByCheck(house, 'Check 4711');
  for (const dollars of [0, 30]) {
    const rows = Array.from({ length: 2_600 }, (_, at) => `${TODAY},${((dollars * 100 + at + 1) / 100).toFixed(2)},,`);
    bodyOf(await upload(house, table(...rows)), 201);
  }
  t.like(bodyOf(await upload(house, table(`${TODAY},4389.64,Check 4711,`)), 201), { matchedCount: 1 });
});

test('the next reconciliation matches entries posted to the ledger after a statement', async (t) => {
  const house = await newHouse(platform);
  bodyOf(await upload(house, table(`${TODAY},4389.64,Check 55,Deposit`)), 201);
  t.deepEqual((await reconciled(house.as('billing_admin'))).failed, ['bank_lines']);
  await paidByCheck(house, 'Check 55');
  t.deepEqual((await reconciled(house.as('billing_admin'))).failed, []);
  t.deepEqual(await openLines(house), []);
});

const camtOf = (account: string, ...entries: string[]) => {
  const acct = `<Acct><Id><Othr><Id>${account}</Id></Othr></Id></Acct>`;
  const xml = `<Document><BkToCstmrStmt><Stmt><Id>1</Id>${acct}${entries.join('')}</Stmt></BkToCstmrStmt></Document>`;
  return { fileName: 'november.xml', contentBase64: Buffer.from(xml).toString('base64') };
};
const credit = (amount: number, text: string, day = TODAY) => `<Ntry><Amt Ccy="USD">${amount}</Amt>
  <CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${day}</Dt></BookgDt><AddtlNtryInf>${text}</AddtlNtryInf></Ntry>`;

test('the same bookings in another format are not counted twice, and none is hidden', async (t) => {
  const house = await newHouse(platform);
  const [day, morning] = [daysAgo(1), [`${daysAgo(1)},9.00,A-1001,Deposit`, `${daysAgo(1)},7.00,A-1002,Deposit`]];
  bodyOf(await upload(house, table(...morning)), 201);
  const named = camtOf('000123456789', credit(9, 'DEPOSIT A 1001', day));
  t.like(bodyOf(await upload(house, named), 201), { lineCount: 1, newLineCount: 0 });
  // One of these could be the morning's deposit, or both could be new.
  const entries = [credit(7, 'DEPOSIT B', day), credit(7, 'DEPOSIT C', day)];
  const doubtful = await upload(house, camtOf('000123456789', ...entries));
  refused(t, doubtful, 400, 'validation_failed', { field: 'file', rule: 'format' });
  const whole = `<FrToDt><FrDt>${day}</FrDt><ToDt>${day}</ToDt></FrToDt>`;
  const sure = camtOf('000123456789', whole, ...entries);
  t.like(bodyOf(await upload(house, sure), 201), { lineCount: 2, newLineCount: 1, wholeUntil: day });
});

test('a statement of another account is refused, unless the earlier one is withdrawn', async (t) => {
  const house = await newHouse(platform);
  await paidByCheck(house, 'Check 4711');
  const wrong = camtOf('999123456789', credit(TOTAL, 'CHECK 4711'), credit(3, 'Interest'));
  const right = camtOf('000123456789', credit(TOTAL, 'CHECK 4711'));
  const { id } = bodyOf(await upload(house, wrong), 201);
  refused(t, await upload(house, right), 400, 'validation_failed', { field: 'file', rule: 'format' });
  const path = `${PATH}/${id}/withdraw`;
  refused(t, await house.as('finance_analyst').post(path), 403, 'forbidden');
  const [first] = await linesOf(house, {});
  const withdrawn = bodyOf(await house.as('billing_admin').post(path));
  t.like(withdrawn, { matchedCount: 0, unmatchedCount: 0 });
  t.truthy(withdrawn.withdrawnAt);
  refused(t, await house.as('billing_admin').post(path), 422, 'invalid_state_transition');
  t.is((await house.as('auditor').get(`/v1/bank-lines/${first?.id}`)).status, 404);
  t.is((await openMovements(house)).length, 1, 'its match is taken back');
  const { figures } = await reconciled(house.as('billing_admin'));
  t.like(figures, { bankUnmatched: null });
  t.like(bodyOf(await upload(house, right), 201), { newLineCount: 1, matchedCount: 1 });
});

test('a file that is no statement is refused whole, and says which field is wrong', async (t) => {
  const house = await newHouse(platform);
  const contentBase64 = Buffer.from('date,amount\n2026-11-02,much\n').toString('base64');
  const unnamed = await upload(house, { contentBase64 });
  refused(t, unnamed, 400, 'validation_failed', { field: 'format', rule: 'required' });
  const wrong = await upload(house, { contentBase64, format: 'csv' });
  refused(t, wrong, 400, 'validation_failed', { field: 'file', rule: 'format' });
  refused(t, await upload(house, { contentBase64, format: 'camt.053' }), 400, 'validation_failed', { field: 'file' });
  const bytes = { contentBase64: Buffer.from([0xff, 0xfe, 0x00]).toString('base64'), format: 'csv' };
  refused(t, await upload(house, bytes), 400, 'validation_failed', { field: 'file' });
  t.deepEqual(bodyOf(await house.as('auditor').get(PATH)).data, []);
  refused(t, await house.as('finance_analyst').post(PATH, table(`${TODAY},1.00,,`)), 403, 'forbidden');
});
