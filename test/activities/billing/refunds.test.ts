// Money that goes back, on a real database and without workflows: rows, invoice and trust in the corner cases.
import test from 'ava';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import { trustFigures } from '../../../db/queries/billing/trust.ts';
import { invoiceBalance, invoiceStatus } from '../../../domain/billing/invoice.ts';
import { outstandingSince, trustFindings } from '../../../domain/billing/ledger/trust.ts';
import { fc } from '../../support/fixed/chance.ts';
import { STORY_MS } from '../../support/patience.ts';
import { books, type Insurance, SAMPLE_TOTAL_CENTS } from '../../workflows/billing/billed.ts';
import type { Tenant } from '../../workflows/run-engine.ts';
import { prepareSteps, refused, type Steps } from '../steps.ts';
import { insuredBy, Money } from './returns.ts';

const TOTAL = SAMPLE_TOTAL_CENTS;

async function prepared(t: { title?: string }): Promise<{ steps: Steps; insurance: Insurance; money: Money }> {
  const steps = await prepareSteps(t);
  const insurance = await insuredBy(steps);
  return { steps, insurance, money: await Money.on(steps, insurance) };
}

/** For settled books, once everything is posted. */
const findings = async ({ database, orgId }: Steps) =>
  trustFindings(await database.forOrg(orgId, (em) => trustFigures(em)));

/** At any time, the way the daily reconciliation looks. */
const findingsUnderWay = async ({ database, orgId }: Steps) =>
  trustFindings(
    await database.forOrg(orgId, (em) => trustFigures(em, { outstandingSince: outstandingSince(Date.now()) })),
  );

async function standing(steps: Steps, { invoiceId }: Money) {
  const { invoice, payments, balances, events } = await books(steps as unknown as Tenant, invoiceId);
  const amounts = invoiceAmounts(invoice);
  return {
    status: invoiceStatus(amounts, steps.today),
    balanceCents: invoiceBalance(amounts),
    refundedCents: invoice.refundedCents,
    unappliedCents: payments.reduce(
      (sum, row) => sum + (row.status === 'succeeded' ? row.amountCents - row.appliedCents : 0),
      0,
    ),
    returns: payments.filter(({ kind }) => kind === 'refund' || kind === 'chargeback'),
    balances: Object.fromEntries(Object.entries(balances).filter(([, cents]) => cents !== 0)),
    alerts: events.filter(({ type }) => type === 'financial.operation_failed').map(({ data }) => data.operation),
  };
}

/** Nonzero balances of one invoice's entries. */
async function balancesOf(
  { database, orgId }: Steps,
  { invoiceId }: Money,
): Promise<[account: number, cents: number][]> {
  const rows = await database.forOrg(orgId, (em) =>
    em.execute<{ account: number; cents: string }[]>(
      `select l.account, sum(l.debit_cents - l.credit_cents) as cents from ledger_lines l
       join ledger_entries e on e.id = l.entry_id where e.invoice_id = ? group by l.account
       having sum(l.debit_cents - l.credit_cents) <> 0`,
      [invoiceId],
    ),
  );
  return rows.map(({ account, cents }) => [account, Number(cents)]);
}

test('an unpaid invoice refunds nothing, and no invoice refunds a cent more than is left', async (t) => {
  const { steps, money } = await prepared(t);
  t.like(await refused(t, money.reserve(null), 'refund_exceeds_paid'), { refundable: 0 });
  await money.payByCheck(10_000);
  const reserved = await money.reserve(9_999);
  t.like(await refused(t, money.reserve(2), 'refund_exceeds_paid'), { refundable: 0.01 });
  await money.settle(reserved, true);
  t.is((await money.reserve(null)).amountCents, 10_000);
  t.is((await standing(steps, money)).refundedCents, 0);
});

test('a refund of a paid invoice waits for the shares of the invoice to be posted', async (t) => {
  const { steps, money } = await prepared(t);
  await money.payByCheck(TOTAL);
  await money.refundByCheck(500_000);
  const [paid, returned] = money.sagas;
  t.false(await money.step(returned!));
  for (const _ of ['commission', 'earnings']) await money.step(paid!);
  t.false(await money.step(returned!));
  await money.finish();
  t.deepEqual(await findings(steps), []);
});

test('a refund returns the overpayment first, and the invoice keeps the rest', async (t) => {
  const { steps, money } = await prepared(t);
  await money.payByCheck(TOTAL - 30_000);
  const intentId = await money.payByCard(50_000);
  await money.chargeRefunded(intentId, 15_000);
  await money.chargeRefunded(intentId, 40_000);
  await money.finish();
  const { returns, unappliedCents, status } = await standing(steps, money);
  t.deepEqual(
    returns.map(({ amountCents, appliedCents }) => [amountCents, appliedCents]),
    [
      [-15_000, 0],
      [-25_000, -20_000],
    ],
  );
  t.is(unappliedCents, 0);
  t.is(status, 'partially_refunded');
  t.deepEqual(await findings(steps), []);
});

test('money that matches no invoice goes back out of the trust', async (t) => {
  const { steps, money } = await prepared(t);
  const intentId = await money.payByCard(12_300, null);
  t.like(await money.chargeRefunded(intentId, 12_300), { invoiceId: null, amountCents: 12_300, known: false });
  t.like(await money.chargeRefunded(intentId, 12_300), { known: true });
  await money.finish();
  t.deepEqual((await standing(steps, money)).balances, {});
  t.deepEqual(await findings(steps), []);
});

test('an unknown payment has neither refund nor dispute', async (t) => {
  const { money } = await prepared(t);
  t.is(await money.chargeRefunded('pi_of_somebody', 100), null);
  t.is(await money.dispute('pi_of_somebody', 100, 'needs_response'), 'unmatched');
});

test('a bank inquiry takes no money and raises an alert', async (t) => {
  const { steps, money } = await prepared(t);
  const intentId = await money.payByCard(TOTAL);
  t.is(await money.dispute(intentId, TOTAL, 'warning_needs_response'), 'alerted');
  await money.finish();
  t.like(await standing(steps, money), { status: 'paid', returns: [], alerts: ['chargeback'] });
  t.deepEqual(await findings(steps), []);
});

test('a chargeback that is won after its invoice was paid another way leaves its money unapplied', async (t) => {
  const { steps, money } = await prepared(t);
  const intentId = await money.payByCard(600_000);
  await money.dispute(intentId, 600_000, 'needs_response');
  await money.payByCheck(TOTAL);
  await money.finish();
  t.is(await money.dispute(intentId, 600_000, 'won'), 'alerted');
  t.like(await standing(steps, money), {
    status: 'paid',
    refundedCents: 0,
    unappliedCents: 600_000,
    alerts: ['chargeback', 'payment.unapplied'],
  });
  t.deepEqual(await findings(steps), []);
});

test('when a chargeback is won after its invoice was paid another way and refunded, only the won money is left', async (t) => {
  const { steps, money } = await prepared(t);
  const intentId = await money.payByCard(600_000);
  await money.dispute(intentId, 600_000, 'needs_response');
  await money.payByCheck(TOTAL);
  await money.finish();
  await money.refundByCheck(null);
  await money.finish();
  await money.dispute(intentId, 600_000, 'won');
  t.like(await standing(steps, money), { status: 'refunded', refundedCents: TOTAL, unappliedCents: 600_000 });
  t.deepEqual(await findings(steps), []);
});

test('a chargeback won after a smaller payment completes the invoice, which is shared out, and the rest is unapplied', async (t) => {
  const { steps, money } = await prepared(t);
  const intentId = await money.payByCard(600_000);
  await money.dispute(intentId, 600_000, 'needs_response');
  await money.payByCheck(TOTAL - 1);
  await money.finish();
  await money.dispute(intentId, 600_000, 'won');
  const { balances, ...stands } = await standing(steps, money);
  t.like(stands, { status: 'paid', balanceCents: 0, unappliedCents: 599_999 });
  t.like(balances, { 2010: -775_000, 2020: -125_000, 2030: -100_000, 2070: -599_999, 4010: -100_000 });
  t.deepEqual(await findings(steps), []);
});

test('a chargeback that is won between the steps of its saga leaves nothing half posted', async (t) => {
  for (const taken of [0, 1, 2, 3]) {
    const { steps, money } = await prepared(t);
    const intentId = await money.payByCard(TOTAL);
    await money.finish();
    const before = (await standing(steps, money)).balances;
    await money.dispute(intentId, TOTAL, 'needs_response');
    const [saga] = money.sagas;
    for (let i = 0; i < taken; i += 1) await money.step(saga!);
    await money.dispute(intentId, TOTAL, 'won');
    await money.finish();
    t.deepEqual((await standing(steps, money)).balances, before, `${taken} steps`);
    t.deepEqual(await findings(steps), []);
  }
});

const RUNS = 100;

/** The next operation; `share` is a percentage of the possible amount, `pick` chooses a target. */
const MOVE = fc.record({
  what: fc.constantFrom(
    'check',
    'card',
    'reserve',
    'agree',
    'decline',
    'dashboard',
    'late',
    'dispute',
    'won',
    'step',
    'step',
    'step',
  ),
  share: fc.integer({ min: 1, max: 100 }),
  pick: fc.nat(1_000),
});
type Move = typeof MOVE extends fc.Arbitrary<infer M> ? M : never;

/** A card payment as the processor sees it. */
interface Charge {
  intentId: string;
  amountCents: number;
  refundedCents: number;
  disputedCents: number;
}

/** Makes moves as the outside world may: the processor refunds no more than it has. */
class World {
  readonly #money: Money;
  readonly #charges: Charge[] = [];
  readonly #reserved: Awaited<ReturnType<Money['reserve']>>[] = [];

  constructor(money: Money) {
    this.#money = money;
  }

  async make({ what, share, pick }: Move): Promise<void> {
    const part = (cents: number) => Math.max(1, Math.floor((cents * share) / 100));
    const charge = this.#charges[pick % Math.max(this.#charges.length, 1)];
    const left = charge ? charge.amountCents - charge.refundedCents - charge.disputedCents : 0;
    if (what === 'check') await this.#money.payByCheck(part(TOTAL)).catch(onlyRefusals);
    if (what === 'card') {
      const amountCents = part(TOTAL);
      const intentId = await this.#money.payByCard(amountCents);
      this.#charges.push({ intentId, amountCents, refundedCents: 0, disputedCents: 0 });
    }
    if (what === 'reserve') {
      const reserved = await this.#money.reserve(share === 100 ? null : part(TOTAL / 2)).catch(onlyRefusals);
      if (reserved) this.#reserved.push(reserved);
    }
    if (what === 'agree' || what === 'decline') await this.#settle(what === 'decline');
    if (charge && what === 'dashboard' && left > 0 && charge.disputedCents === 0) {
      charge.refundedCents += part(left);
      await this.#money.chargeRefunded(charge.intentId, charge.refundedCents);
    }
    if (charge && what === 'late' && charge.refundedCents > 0)
      await this.#money.chargeRefunded(charge.intentId, part(charge.refundedCents));
    if (charge && what === 'dispute' && left > 0 && charge.disputedCents === 0 && this.#reserved.length === 0) {
      charge.disputedCents = left;
      await this.#money.dispute(charge.intentId, left, 'needs_response');
    }
    if (charge && what === 'won' && charge.disputedCents > 0) {
      await this.#money.dispute(charge.intentId, charge.disputedCents, 'won');
      charge.disputedCents = 0;
    }
    const saga = this.#money.sagas[pick % Math.max(this.#money.sagas.length, 1)];
    if (saga && what === 'step') await this.#money.step(saga);
  }

  async end(): Promise<void> {
    while (this.#reserved.length > 0) await this.#settle(false);
    await this.#money.finish();
  }

  /** The processor declines what it no longer has. */
  async #settle(isDeclined: boolean): Promise<void> {
    const reserved = this.#reserved.shift();
    if (!reserved) return;
    const expected = reserved.cardAllocations.map(({ intentId, amountCents }) => {
      return { charge: this.#charges.find((known) => known.intentId === intentId)!, amountCents };
    });
    const agrees = expected.every(({ charge, amountCents }) => {
      return charge.disputedCents === 0 && charge.amountCents - charge.refundedCents >= amountCents;
    });
    const declines = reserved.cardAllocations.length > 0 && (isDeclined || !agrees);
    for (const { charge, amountCents } of declines ? [] : expected) {
      charge.refundedCents += amountCents;
      // Its event may arrive before the answer.
      if (amountCents % 2 === 0) await this.#money.chargeRefunded(charge.intentId, charge.refundedCents);
    }
    await this.#money.settle(reserved, declines);
  }
}

function onlyRefusals(error: { nonRetryable?: boolean; type?: string }): null {
  if (error.type === 'refund_exceeds_paid' || error.type === 'amount_exceeds_balance') return null;
  throw error;
}

test('the trust reconciles after every step of any receipts and refunds, and nobody owes money they never had', async (t) => {
  t.timeout(STORY_MS);
  const steps = await prepareSteps(t);
  const insurance = await insuredBy(steps);
  const runs = fc.asyncProperty(fc.array(MOVE, { minLength: 5, maxLength: 40 }), async (moves) => {
    const money = await Money.on(steps, insurance);
    const world = new World(money);
    for (const move of moves) {
      await world.make(move);
      if ((await findingsUnderWay(steps)).length > 0) return false;
    }
    await world.end();
    return (await faultsIn(steps, money)).length === 0;
  });
  await t.notThrowsAsync(async () => fc.assert(runs, { numRuns: RUNS }));
});

/** What does not agree once all steps have been taken. */
async function faultsIn(steps: Steps, money: Money): Promise<string[]> {
  const { invoice, payments } = await books(steps as unknown as Tenant, money.invoiceId);
  const stand = payments.filter(({ status }) => status === 'succeeded');
  const sumOf = (isPart: (cents: number) => boolean) =>
    stand.filter(({ amountCents }) => isPart(amountCents)).reduce((sum, { appliedCents }) => sum + appliedCents, 0);
  const faults: string[] = await findings(steps);
  if (invoice.refundedCents > invoice.paidCents) faults.push('more was refunded than paid');
  if (sumOf((cents) => cents > 0) !== invoice.paidCents) faults.push('the receipts are not what was paid');
  if (sumOf((cents) => cents < 0) !== -invoice.refundedCents) faults.push('the returns are not what was refunded');
  for (const [account, cents] of await balancesOf(steps, money)) {
    if (account < 2000 ? cents < 0 : cents > 0) faults.push(`account ${account}: ${cents}`);
  }
  return faults;
}
