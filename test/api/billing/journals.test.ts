// Manual journal entries: made by one person, approved by another, posted once.
import test from 'ava';
import { StepSkip } from '../../../db/entities/billing/step-skip.ts';
import type { TestClient } from '../../support/client.ts';
import { allPages, bodyOf, bound, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { reconciled } from './reconciled.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

type Finding = { check: string; entityId: string; part: string };

const FEES = {
  ledger: 'general',
  description: 'Fees of the card processor in May.',
  lines: [
    { account: 5010, debit: 12.5 },
    { account: 1030, credit: 12.5 },
  ],
};

const make = async (client: TestClient, body: object = {}) =>
  bodyOf(await client.post('/v1/ledger/entries', { ...FEES, ...body }), 201);

async function balanceOf(client: TestClient, number: number): Promise<number> {
  const { data } = bodyOf(await client.get('/v1/ledger/accounts'));
  return data.find(({ account }: { account: number }) => account === number).balance;
}

test('a journal is posted when someone else approves it, once, and not before', async (t) => {
  const house = await newHouse(platform);
  const [billing, admin] = [house.as('billing_admin'), house.as('org_admin', 'usr_approver')];
  const journal = await make(billing);
  t.like(journal, { status: 'pending_approval', ledger: 'general', decidedBy: null, entryId: null });
  t.is(await balanceOf(billing, 5010), 0);
  const path = `/v1/ledger/journals/${journal.id}`;
  t.is((await billing.post(`${path}/approve`)).status, 403);
  const approved = bodyOf(await admin.post(`${path}/approve`));
  t.like(approved, { status: 'posted', decidedBy: 'usr_approver' });
  t.deepEqual(bodyOf(await billing.get(path)), approved);
  t.is(await balanceOf(billing, 5010), 12.5);
  t.is(await balanceOf(billing, 1030), -12.5);
  const { data } = bodyOf(await billing.get('/v1/ledger/entries'));
  t.is(data.length, 1);
  t.like(data[0], { id: approved.entryId, entryType: 'journal', sourceType: 'journal', sourceId: journal.id });

  for (const [decision, body] of [['approve'], ['reject', { reason: 'Too late.' }]] as const) {
    const again = await admin.post(`${path}/${decision}`, body);
    t.is(again.status, 422, again.text);
    const details = { resource: 'journal', from: 'posted', action: decision, allowed: [] };
    t.like(again.body, { error: 'invalid_state_transition', details });
  }
  t.is(await balanceOf(billing, 5010), 12.5);
  const [event] = bodyOf(await admin.get('/v1/events', { query: { type: 'journal.posted' } })).data;
  t.like(event.data, { journalId: journal.id, entryId: approved.entryId, ledger: 'general', amount: 12.5 });
  const audited = bodyOf(await admin.get('/v1/audit', { query: { entity: journal.id } })).data;
  const actions = audited.map(({ action }: { action: string }) => action);
  t.deepEqual(actions.sort(), ['journal:approve', 'journal:create']);
});

test('nobody decides on a journal of their own, and a rejected one is never posted', async (t) => {
  const house = await newHouse(platform);
  const [maker, other] = [house.as('org_admin', 'usr_maker'), house.as('org_admin', 'usr_other')];
  const [first, second] = [await make(maker), await make(maker)];
  for (const [decision, body] of [['approve'], ['reject', { reason: 'Mine.' }]] as const) {
    t.is((await maker.post(`/v1/ledger/journals/${first.id}/${decision}`, body)).status, 403);
  }
  const reason = 'The wrong month.';
  const rejected = bodyOf(await other.post(`/v1/ledger/journals/${first.id}/reject`, { reason }));
  t.like(rejected, { status: 'rejected', reason, decidedBy: 'usr_other', entryId: null });
  t.is((await other.post(`/v1/ledger/journals/${first.id}/approve`)).status, 422);
  t.is(await balanceOf(other, 5010), 0);
  const ids = async (query: Record<string, string | number>) =>
    (await allPages(other, '/v1/ledger/journals', query)).map(({ id }) => id);
  t.deepEqual(await ids({ limit: 1 }), [second.id, first.id]);
  t.deepEqual(await ids({ status: 'rejected' }), [first.id]);
  t.deepEqual(await ids({ status: 'posted' }), []);
});

test('a journal that does not balance, crosses the ledgers, has a line on both sides, or an amount or a day out of bounds is refused', async (t) => {
  const house = await newHouse(platform);
  const billing = house.as('billing_admin');
  const lines = (...all: [account: number, debit?: number, credit?: number][]) => ({
    lines: all.map(([account, debit, credit]) => ({
      ...{ account },
      ...(debit === undefined ? {} : { debit }),
      ...(credit === undefined ? {} : { credit }),
    })),
  });
  const cases: [body: object, field: string][] = [
    [lines([5010, 10], [1030, undefined, 9.99]), 'lines'],
    [lines([5010, 10], [1010, undefined, 10]), 'lines.1.account'],
    [lines([5010, 10], [1011, undefined, 10]), 'lines.1.account'],
    [lines([5010, 10, 10], [1030, undefined, 0]), 'lines.0'],
    [lines([5010, -10], [1030, undefined, -10]), 'lines.0.debit'],
    [lines([5010, 0.001], [1030, undefined, 0.001]), 'lines.0.debit'],
    [lines([5010, 10]), 'lines'],
    [lines([5010, 10_000_000.01], [1030, undefined, 10_000_000.01]), 'lines.0.debit'],
    [{ date: '2099-01-01' }, 'date'],
    [{ date: '1900-01-01' }, 'date'],
    [{ ledger: 'private' }, 'ledger'],
    [{ invoiceId: 'inv_01jz8k3v5ne0rbx4q2mw7t6yha' }, 'invoiceId'],
    [{ policyId: 'pol_01jz8k3v5ne0rbx4q2mw7t6yha' }, 'policyId'],
    [{ completesStep: { paymentId: 'pay_01jz8k3v5ne0rbx4q2mw7t6yha', step: 'fiduciary ledger' } }, 'completesStep'],
  ];
  for (const [body, field] of cases) {
    const answer = await billing.post('/v1/ledger/entries', { ...FEES, ...body });
    t.is(answer.status, 400, answer.text);
    t.is(answer.body.details.field, field, JSON.stringify(body));
  }
  t.is((await house.as('finance_analyst').post('/v1/ledger/entries', FEES)).status, 403);
  t.deepEqual(bodyOf(await billing.get('/v1/ledger/journals')).data, []);
});

test('a journal that names an omitted step makes up for it when posted and ends its finding; that step takes no other', async (t) => {
  const house = await newHouse(platform);
  const { invoices } = await bound(house.as('underwriter'), {}, 'MONTHLY_10');
  const [{ id: invoiceId }] = invoices;
  const [billing, admin] = [house.as('billing_admin'), house.as('org_admin', 'usr_approver')];
  const body = { amount: 10, method: 'check', reference: 'Check 1' };
  const { id: paymentId } = bodyOf(await billing.post(`/v1/invoices/${invoiceId}/pay`, body), 201);
  const completesStep = { paymentId, step: 'general ledger' };
  await platform.database.transaction(house.orgId, (em) =>
    em.execute(
      `insert into step_skips (org_id, payment_id, invoice_id, step, skipped_by) values (?, ?, ?, 'general ledger', 'ops')`,
      [house.orgId, paymentId, invoiceId],
    ),
  );
  const mendedBy = async () =>
    (await platform.database.forOrg(house.orgId, (em) => em.findOneOrFail(StepSkip, { paymentId }))).mendedBy;
  const leftOut = async () => {
    const { findings } = await reconciled(billing);
    const named = (findings as Finding[]).filter(({ check }) => check === 'steps_left_out');
    return named.map(({ entityId, part }) => [entityId, part]);
  };
  const crossing = { ...FEES, ledger: 'fiduciary', completesStep };
  crossing.lines = [
    { account: 1010, debit: 1 },
    { account: 2070, credit: 1 },
  ] as typeof FEES.lines;
  const refused = await billing.post('/v1/ledger/entries', crossing);
  t.is(refused.body.details.field, 'ledger', refused.text);

  const [journal, twin] = [await make(billing, { completesStep }), await make(billing, { completesStep })];
  t.like(journal, { invoiceId, completesStep });
  t.is(await mendedBy(), null, 'nothing is mended before the approval');
  t.deepEqual(await leftOut(), [[paymentId, 'general ledger']]);
  const { entryId } = bodyOf(await admin.post(`/v1/ledger/journals/${journal.id}/approve`));
  t.is(await mendedBy(), entryId);
  t.deepEqual(await leftOut(), [], 'the finding is over');
  const mended = { resource: 'step', from: 'mended', action: 'complete' };
  const late = await admin.post(`/v1/ledger/journals/${twin.id}/approve`);
  t.like(late.body, { error: 'invalid_state_transition', details: { ...mended, allowed: ['reject'] } });
  const third = await billing.post('/v1/ledger/entries', { ...FEES, completesStep });
  t.like(third.body, { error: 'invalid_state_transition', details: { ...mended, allowed: [] } });
});

test('trust money that a journal has moved leaves the books reconciled', async (t) => {
  const house = await newHouse(platform);
  const billing = house.as('billing_admin');
  const moved: [debit: number, credit: number][] = [
    [1010, 2070],
    [2060, 1010],
    [1010, 2060],
    [1110, 2090],
  ];
  for (const [debit, credit] of moved) {
    const lines = [
      { account: debit, debit: 7.5 },
      { account: credit, credit: 7.5 },
    ];
    const journal = await make(billing, { ledger: 'fiduciary', description: 'Interest of the trust account.', lines });
    bodyOf(await house.as('org_admin', 'usr_approver').post(`/v1/ledger/journals/${journal.id}/approve`));
  }
  const run = await reconciled(billing);
  t.deepEqual(run.findings, []);
  t.like(run.figures, { trustCash: 7.5, cardClearing: 7.5, unapplied: 7.5, returnsPayable: 0, trustRatio: 1 });
});
