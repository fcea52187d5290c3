// A policy with an unpaid bill, from the day after the due date to the lapse, through its workflow and the test clock.
import test, { type ExecutionContext } from 'ava';
import { policyWorkflowId } from '../../../contracts/machinery/start.ts';
import type { Invoice } from '../../../db/entities/billing/invoice.ts';
import { AuditEntry } from '../../../db/entities/platform/audit-entry.ts';
import { newId } from '../../../db/ids.ts';
import { invoiceAmounts, invoicesOfPolicy } from '../../../db/queries/billing/invoices.ts';
import { findPolicy, policyTransactions } from '../../../db/queries/policy/policies.ts';
import { invoiceBalance } from '../../../domain/billing/invoice.ts';
import { addDays, type BusinessDate, dayText } from '../../../domain/dates.ts';
import type { InstallmentPlan } from '../../../domain/lines.ts';
import type { CancellationReason } from '../../../domain/policy/cancellation-words.ts';
import type { PolicyStatus } from '../../../domain/policy/policy.ts';
import { eventually } from '../../support/eventually.ts';
import { type Engine, startEngine, type Tenant } from '../engine.ts';
import { bindNew } from '../run-engine.ts';
import { payment } from './billed.ts';

let engine: Engine;

test.before(async (t) => {
  engine = await startEngine(t);
});

interface Unpaid {
  tenant: Tenant;
  policyId: string;
  /** First day of coverage, when the first installment is due. */
  start: BusinessDate;
}

async function unpaid(
  options: { state?: string; plan?: InstallmentPlan; email?: string | null } = {},
): Promise<Unpaid> {
  const { state = 'TX', plan = 'PAY_IN_FULL', email = 'owner@diner.test' } = options;
  const tenant = await engine.organization();
  const { policyId } = await bindNew(engine, tenant, { state, insuredEmail: email }, plan);
  const [first] = await invoices({ tenant, policyId });
  return { tenant, policyId, start: first?.dueDate ?? '' };
}

const invoices = ({ tenant, policyId }: Pick<Unpaid, 'tenant' | 'policyId'>): Promise<Invoice[]> =>
  tenant.database.forOrg(tenant.orgId, (em) => invoicesOfPolicy(em, policyId));

const advance = ({ tenant }: Unpaid, advanceTo: BusinessDate) =>
  tenant.lifecycle.advanceTestClock(tenant.command(tenant.orgId, { advanceTo }));

const policyOf = async ({ tenant, policyId }: Unpaid) => {
  const policy = await tenant.database.forOrg(tenant.orgId, (em) => findPolicy(em, policyId));
  if (policy === null) throw new Error('The policy is gone');
  return policy;
};

async function pay(of: Unpaid, index = 0): Promise<void> {
  const invoice = (await invoices(of))[index];
  if (!invoice) throw new Error('There is no such invoice');
  const { tenant } = of;
  const paid = payment(invoice.id, { amountCents: invoiceBalance(invoiceAmounts(invoice)) });
  await tenant.lifecycle.recordPayment(tenant.command(newId('payment'), paid));
}

async function becomes(t: ExecutionContext, of: Unpaid, status: PolicyStatus): Promise<void> {
  await eventually(async () => (await policyOf(of)).status === status, { what: `the policy to be ${status}` });
  t.is((await policyOf(of)).status, status);
}

const shown = async ({ tenant, policyId }: Unpaid) => {
  const handle = engine.temporal.client.workflow.getHandle(policyWorkflowId(tenant.orgId, policyId));
  const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  return currentDetails;
};

const stackOf = ({ tenant, policyId }: Unpaid) =>
  tenant.database.forOrg(tenant.orgId, (em) => policyTransactions(em, policyId));

const cancel = ({ tenant, policyId, start }: Unpaid, days: number, reason: CancellationReason) => {
  const payload = { effectiveDate: addDays(start, days), reason, source: null, method: null };
  return tenant.lifecycle.cancelPolicy(tenant.command(policyId, payload));
};

/** The e-mails about a policy, once that many have gone out. */
async function mails(of: Unpaid, count: number) {
  const { policyNumber } = await policyOf(of);
  const found = () => engine.providers.mails.filter(({ subject }) => subject.includes(policyNumber));
  await eventually(async () => found().length >= count, { what: `${count} mails` });
  return found();
}

test('notice in Texas is sent on the 11th day after the due date and the policy lapses 21 days after it', async (t) => {
  const of = await unpaid();
  const { start } = of;
  await advance(of, start);
  t.is(await shown(of), `active, next: installment 1 past due on ${addDays(start, 1)}`);
  await advance(of, addDays(start, 10));
  t.is((await policyOf(of)).status, 'active');
  t.is(await shown(of), `active, next: notice of cancellation on ${addDays(start, 11)}`);
  await advance(of, addDays(start, 11));
  t.like(await policyOf(of), {
    status: 'pending_cancellation',
    cancellation: {
      effectiveDate: addDays(start, 21),
      reason: 'non_payment',
      source: 'carrier',
      method: 'pro_rata',
    },
  });
  t.is(await shown(of), `pending_cancellation, next: lapse on ${addDays(start, 21)}`);
  await advance(of, addDays(start, 20));
  t.is((await policyOf(of)).status, 'pending_cancellation');
  await advance(of, addDays(start, 21));
  t.is((await policyOf(of)).status, 'lapsed');
  await engine.temporal.client.workflow.getHandle(policyWorkflowId(of.tenant.orgId, of.policyId)).result();
  t.deepEqual(
    (await stackOf(of)).map(({ type }) => type),
    ['new_business', 'cancellation'],
  );
});

test('a year without a payment ends in a lapse in one move of the clock', async (t) => {
  const of = await unpaid({ state: 'NY' });
  await advance(of, addDays(of.start, 300));
  t.like(await policyOf(of), { status: 'lapsed', cancellation: { effectiveDate: addDays(of.start, 26) } });
});

test('paying everything past due rescinds the notice immediately, by a transaction that moves no money', async (t) => {
  const of = await unpaid({ plan: 'QUARTERLY_4' });
  await advance(of, addDays(of.start, 15));
  t.is((await policyOf(of)).status, 'pending_cancellation');
  await pay(of);
  await becomes(t, of, 'active');
  const stack = await stackOf(of);
  t.deepEqual(
    stack.map(({ type, totalChangeCents, changes }) => [
      type,
      totalChangeCents === 0,
      'withdrawal' in changes ? changes.withdrawal : null,
    ]),
    [
      ['new_business', false, null],
      ['cancellation', false, null],
      ['reinstatement', true, true],
    ],
  );
  const second = (await invoices(of))[1];
  // The row is there before the workflow shows the next step.
  const next = `active, next: installment 2 past due on ${addDays(second?.dueDate ?? '', 1)}`;
  await eventually(async () => (await shown(of)) === next, { what: next });
});

test('a cancellation for non-payment made by hand ends as soon as its debt is paid, without waiting for a day', async (t) => {
  const of = await unpaid({ plan: 'QUARTERLY_4' });
  const { tenant, policyId, start } = of;
  await advance(of, addDays(start, 5));
  const payload = { effectiveDate: addDays(start, 15), reason: 'non_payment', source: null, method: null } as const;
  await tenant.lifecycle.cancelPolicy(tenant.command(policyId, payload));
  t.is((await policyOf(of)).status, 'pending_cancellation');
  await pay(of);
  await becomes(t, of, 'active');
  await advance(of, addDays(start, 15));
  t.like(await policyOf(of), { status: 'active', cancellation: null });
});

test('the insured gets an e-mail at every stage', async (t) => {
  const of = await unpaid();
  await advance(of, addDays(of.start, 11));
  await mails(of, 2);
  await advance(of, addDays(of.start, 21));
  const sent = await mails(of, 3);
  const { policyNumber } = await policyOf(of);
  t.deepEqual(sent.map(({ subject }) => subject).sort(), [
    `Notice of cancellation for non-payment: policy ${policyNumber}`,
    `Payment past due: policy ${policyNumber}`,
    `Policy cancelled for non-payment: policy ${policyNumber}`,
  ]);
  t.true(sent.every(({ to }) => to === 'owner@diner.test'));
  const notice = sent.find(({ subject }) => subject.startsWith('Notice'));
  t.regex(
    notice?.text ?? '',
    new RegExp(
      `on ${dayText(addDays(of.start, 21))} for .*That is 10 days from the date of this notice, as state law requires`,
    ),
  );
  t.regex(notice?.text ?? '', /Past due: \$4,\d{3}\.\d\d/);
});

test('an insured without an address gets no e-mail, and the audit says so', async (t) => {
  const of = await unpaid({ email: null });
  await advance(of, addDays(of.start, 1));
  const { tenant, policyId } = of;
  const find = () =>
    tenant.database.forOrg(tenant.orgId, (em) =>
      em.findOne(AuditEntry, { action: 'policy:send_notice', entityId: policyId }),
    );
  const entry = await eventually(find, { what: 'the audit of the mail' });
  t.like(entry, { changes: { kind: 'past_due', result: 'no_address' } });
});

test('a hold stops the clock: the pending notice gets a later day, and the policy lapses on that', async (t) => {
  const of = await unpaid();
  const { tenant, start } = of;
  await advance(of, addDays(start, 12));
  const hold = { state: 'TX', from: addDays(start, 15), to: addDays(start, 19) };
  await tenant.lifecycle.placeBillingHold(tenant.command(newId('billingHold'), hold));
  // Five of the ten days do not count.
  const moved = addDays(start, 26);
  await eventually(async () => (await policyOf(of)).cancellation?.effectiveDate === moved, { what: 'the later day' });
  await advance(of, addDays(start, 25));
  t.like(await policyOf(of), { status: 'pending_cancellation', cancellation: { effectiveDate: moved } });
  await advance(of, moved);
  t.is((await policyOf(of)).status, 'lapsed');
  const { policyNumber } = await policyOf(of);
  const postponed = `Cancellation for non-payment postponed: policy ${policyNumber}`;
  const isSent = () => engine.providers.mails.some(({ subject }) => subject === postponed);
  await eventually(async () => isSent(), { what: 'the mail about the later day' });
  t.true(isSent());
});

test('a hold of another state or organization changes nothing', async (t) => {
  const of = await unpaid();
  const other = await engine.organization();
  const days = { from: of.start, to: addDays(of.start, 100) };
  const { tenant } = of;
  await tenant.lifecycle.placeBillingHold(tenant.command(newId('billingHold'), { state: 'LA', ...days }));
  await other.lifecycle.placeBillingHold(other.command(newId('billingHold'), { state: 'TX', ...days }));
  await advance(of, addDays(of.start, 21));
  t.is((await policyOf(of)).status, 'lapsed');
});

test('a hold that is lifted lets the clock go on, without the days that it has stopped it', async (t) => {
  const of = await unpaid();
  const { tenant, start } = of;
  const holdId = newId('billingHold');
  await tenant.lifecycle.placeBillingHold(
    tenant.command(holdId, { state: 'TX', from: start, to: addDays(start, 200) }),
  );
  await advance(of, addDays(start, 31));
  t.is((await policyOf(of)).status, 'active');
  await tenant.lifecycle.liftBillingHold(tenant.command(holdId, {}));
  // 30 of the days after the due date do not count.
  await advance(of, addDays(start, 40));
  t.is((await policyOf(of)).status, 'active');
  await advance(of, addDays(start, 41));
  t.is((await policyOf(of)).status, 'pending_cancellation');
  await advance(of, addDays(start, 51));
  t.is((await policyOf(of)).status, 'lapsed');
});

test('a hold longer than the term rescinds the notice, and the term goes on to its end', async (t) => {
  const of = await unpaid();
  const { tenant, start } = of;
  await advance(of, addDays(start, 12));
  const hold = { state: 'TX', from: start, to: addDays(start, 500) };
  await tenant.lifecycle.placeBillingHold(tenant.command(newId('billingHold'), hold));
  await becomes(t, of, 'active');
  await advance(of, addDays(start, 366));
  t.is((await policyOf(of)).status, 'expired');
});

test('a notice withdrawn by hand gives a new grace period', async (t) => {
  const of = await unpaid();
  const { tenant, policyId, start } = of;
  await advance(of, addDays(start, 12));
  await tenant.lifecycle.reinstatePolicy(tenant.command(policyId, { effectiveDate: null, reason: 'A word was given' }));
  t.is((await policyOf(of)).status, 'active');
  await advance(of, addDays(start, 22));
  t.is((await policyOf(of)).status, 'active');
  await advance(of, addDays(start, 23));
  t.is((await policyOf(of)).status, 'pending_cancellation');
});

test('a cancellation that is scheduled for a day after the lapse does not stop it', async (t) => {
  const of = await unpaid();
  const { start } = of;
  await advance(of, addDays(start, 2));
  await cancel(of, 60, 'insured_request');
  await advance(of, addDays(start, 11));
  t.is((await policyOf(of)).cancellation?.effectiveDate, addDays(start, 21));
  t.is(await shown(of), `pending_cancellation, next: lapse on ${addDays(start, 21)}`);
  await advance(of, addDays(start, 21));
  t.is((await policyOf(of)).status, 'lapsed');
});

test('a lapse takes the next term along, which never begins', async (t) => {
  const of = await unpaid({ plan: 'QUARTERLY_4' });
  const { tenant, policyId, start } = of;
  for (const index of [0, 1, 2]) await pay(of, index);
  await advance(of, addDays(start, 276));
  const { renewal } = await tenant.lifecycle.renewPolicy(
    tenant.command(policyId, { effectiveDate: null, changes: {} }),
  );
  await advance(of, addDays(start, 320));
  t.is((await policyOf(of)).status, 'lapsed');
  t.is((await policyOf({ ...of, policyId: renewal.policyId })).status, 'cancelled');
  await engine.temporal.client.workflow.getHandle(policyWorkflowId(tenant.orgId, renewal.policyId)).result();
});

test('the insured gets notice of a cancellation by the carrier, and none of one that they request', async (t) => {
  const of = await unpaid();
  const { tenant, policyId, start } = of;
  const cancel = { effectiveDate: addDays(start, 60), source: null, method: null };
  await tenant.lifecycle.cancelPolicy(tenant.command(policyId, { ...cancel, reason: 'insured_request' }));
  await tenant.lifecycle.reinstatePolicy(tenant.command(policyId, { effectiveDate: null, reason: null }));
  await tenant.lifecycle.cancelPolicy(tenant.command(policyId, { ...cancel, reason: 'underwriting' }));
  const [mail, ...others] = await mails(of, 1);
  t.regex(mail?.subject ?? '', /^Notice of cancellation: /);
  t.regex(mail?.text ?? '', new RegExp(`effective ${dayText(addDays(start, 60))}`));
  t.true(mail?.text.includes('\n\nReason: The risk no longer meets our underwriting guidelines.\n\n'));
  t.deepEqual(others, []);
});

test('a carrier who moves the day of a cancellation gives notice of each day, even twice in one day', async (t) => {
  const of = await unpaid({ plan: 'QUARTERLY_4' });
  await cancel(of, 60, 'underwriting');
  await mails(of, 1);
  await cancel(of, 50, 'underwriting');
  const sent = await mails(of, 2);
  t.true(
    [60, 50].every((days) => sent.some(({ text }) => text.includes(`effective ${dayText(addDays(of.start, days))}`))),
  );
});

test('the insured gets one notice of non-renewal', async (t) => {
  const of = await unpaid();
  const { tenant, policyId } = of;
  await tenant.lifecycle.nonRenewPolicy(tenant.command(policyId, { reason: 'Losses.' }));
  const again = tenant.lifecycle.nonRenewPolicy(tenant.command(policyId, { reason: 'Losses again.' }));
  await t.throwsAsync(again, { code: 'invalid_state_transition' });
  const [mail, ...others] = await mails(of, 1);
  t.regex(mail?.subject ?? '', /^Notice of non-renewal: /);
  t.regex(mail?.text ?? '', new RegExp(`expires on ${dayText((await policyOf(of)).expirationDate)}`));
  t.true(mail?.text.includes('\n\nReason: Losses.\n\n'));
  t.deepEqual(others, []);
});

test('a policy whose workflow was lost lapses all the same', async (t) => {
  const of = await unpaid();
  const { tenant, policyId, start } = of;
  await engine.temporal.client.workflow.getHandle(policyWorkflowId(tenant.orgId, policyId)).terminate('lost');
  await advance(of, addDays(start, 21));
  t.is((await policyOf(of)).status, 'lapsed');
});
