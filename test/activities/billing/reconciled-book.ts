// A small book of lives for reconciliation: paid, in installments, endorsed, cancelled with a refund by check,
// reinstated, paid and refunded by card, disputed and reversed, with a card processor payout. Its rows can be changed
// behind the application's back and restored.
import pg from 'pg';
import { recordCardReceipt } from '../../../activities/billing/cards/card-receipts.ts';
import type { Deps } from '../../../activities/context.ts';
import type { StatementCover } from '../../../contracts/trust.ts';
import { newId } from '../../../db/ids.ts';
import { listDisbursements } from '../../../db/queries/billing/disbursements.ts';
import { invoiceAmounts } from '../../../db/queries/billing/invoices.ts';
import { accountTotals } from '../../../db/queries/billing/ledger-lists.ts';
import { cardPayment } from '../../../db/queries/billing/payments.ts';
import { checkBooks } from '../../../db/queries/billing/reconciliation/run.ts';
import { trustFigures } from '../../../db/queries/billing/trust.ts';
import { invoiceBalance } from '../../../domain/billing/invoice.ts';
import { type CheckResult, joinResults } from '../../../domain/billing/reconciliation/report.ts';
import { trustReport, trustResults } from '../../../domain/billing/reconciliation/totals.ts';
import { silentLogger } from '../../support/logger.ts';
import { InsuredLife, type LifeOptions, revenueFor } from '../policy/insured-life.ts';
import { attempt, prepareSteps, type Steps } from '../steps.ts';
import { DisputedLife } from './disputed-life.ts';
import { refundApproved } from './events/approved-refund.ts';
import { madeJournal, postedJournal } from './journals/posted-journal.ts';
import { type LaterName, liveOn } from './later/later-lives.ts';
import { prepared, remit } from './remittances/remitted.ts';

/** What tampering may change. */
const TABLES = [
  ...['policies', 'policy_transactions', 'invoices', 'payments', 'ledger_entries', 'ledger_lines'],
  ...['commission_records', 'events', 'audit_entries', 'da_usage', 'card_statement_lines', 'step_skips'],
  ...[
    'journals',
    'disbursements',
    'remittances',
    'remittance_lines',
    'trust_shortfalls',
    'card_payouts',
    'card_payout_lines',
  ],
];

export class ReconciledBook {
  readonly steps: Steps;
  readonly lives: Readonly<Record<LifeName, InsuredLife>>;
  readonly owner: pg.Client;
  readonly #statementFrom: Date;

  private constructor(steps: Steps, lives: Record<LifeName, InsuredLife>, owner: pg.Client, statementFrom: Date) {
    this.steps = steps;
    this.lives = lives;
    this.owner = owner;
    this.#statementFrom = statementFrom;
  }

  static async open(t: { title?: string }): Promise<ReconciledBook> {
    const steps = await prepareSteps(t);
    let days = 0;
    const passDays = (more: number) => {
      days += more;
      steps.passDays(more);
    };
    const lives = await live({ ...steps, passDays });
    steps.providers.processor.payOut();
    const statement = await readStatement(steps, days);
    const owner = new pg.Client({ connectionString: steps.ownerUrl });
    await owner.connect();
    await owner.query('create schema kept');
    for (const table of TABLES) await owner.query(`create table kept.${table} as select * from public.${table}`);
    await owner.query('set session_replication_role = replica');
    return new ReconciledBook(steps, lives, owner, new Date(statement.from ?? 0));
  }

  /** Every check on settled books, including the card statement. */
  reconcile(): Promise<CheckResult[]> {
    const { database, orgId } = this.steps;
    return database.forOrg(orgId, async (em) => {
      const { results } = await checkBooks(em, { since: null, statementFrom: this.#statementFrom });
      const totals = [...(await accountTotals(em))].map(
        ([account, { debitCents, creditCents }]) => [account, debitCents - creditCents] as const,
      );
      return joinResults(results, trustResults(orgId, trustReport(await trustFigures(em), new Map(totals))));
    });
  }

  /** Changes rows as someone who has taken over the database would: no trigger or foreign key gets in the way. */
  async tamper(...statements: string[]): Promise<number> {
    let changed = 0;
    for (const statement of statements) changed += (await this.owner.query(statement)).rowCount ?? 0;
    return changed;
  }

  async restore(): Promise<void> {
    for (const table of TABLES) {
      await this.owner.query(`delete from public.${table}`);
      const { rows } = await this.owner.query<{ columns: string }>(WRITTEN_COLUMNS, [table]);
      const columns = rows[0]?.columns;
      await this.owner.query(`insert into public.${table} (${columns}) select ${columns} from kept.${table}`);
    }
  }

  close(): Promise<void> {
    return this.owner.end();
  }
}

/** Columns that the database does not generate itself. */
const WRITTEN_COLUMNS = `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
  where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`;

/** The carrier on a new organization's first contract. */
const CARRIER = 'Default Carrier';

export type LifeName = PlainLife | DisputedName | LaterName;
type DisputedName = 'disputed' | 'won' | 'regained' | 'lost' | 'covered' | 'reversed' | 'bounced' | 'applied';
type PlainLife =
  | 'paid'
  | 'withdrawn'
  | 'prepaid'
  | 'card'
  | 'quarterly'
  | 'endorsed'
  | 'cancelled'
  | 'reinstated'
  | 'approved'
  | 'direct'
  | 'cent';

/** Binds all lives on one day. */
async function begun(steps: Steps): Promise<Record<LifeName, InsuredLife>> {
  const begin = async (options: LifeOptions = {}) => {
    const life = await InsuredLife.on(steps, { ...options, startsIn: 0 });
    await life.activate();
    return life;
  };
  return {
    card: await begin(),
    paid: await begin(),
    quarterly: await begin({ installmentPlan: 'QUARTERLY_4' }),
    endorsed: await begin({ installmentPlan: 'QUARTERLY_4' }),
    cancelled: await begin({ installmentPlan: 'SEMI_ANNUAL_2' }),
    reinstated: await begin({ installmentPlan: 'SEMI_ANNUAL_2' }),
    withdrawn: await begin(),
    prepaid: await begin({ premiumCents: 5_000_000 }),
    approved: await begin(),
    direct: await begin({ withProducer: false }),
    cent: await begin({ withProducer: false }),
    disputed: await begin(),
    won: await begin(),
    regained: await begin(),
    lost: await begin(),
    covered: await begin(),
    reversed: await begin(),
    bounced: await begin(),
    applied: await begin({ installmentPlan: 'QUARTERLY_4' }),
    kept: await begin(),
    unpaid: await begin(),
    divided: await begin(),
    replanned: await begin({ installmentPlan: 'SEMI_ANNUAL_2' }),
    lapsed: await begin(),
    unrenewed: await begin(),
    renewed: await begin(),
    audited: await begin(),
  };
}

/** Days pass for all lives together, so each day's changes come together. */
async function live(steps: Steps): Promise<Record<LifeName, InsuredLife>> {
  const lives = await begun(steps);
  await lives.withdrawn.cancel(100);
  await lives.withdrawn.reinstate();
  await payByCard(lives.card);
  for (const life of [lives.paid, lives.direct, lives.cent]) await life.pay(1);
  await remit(steps, 'commission', await producerOf(lives.card));
  // Our share of one cent is zero, so its invoice earns nothing.
  await lives.cent.endorse(0, { annualRevenueCents: revenueFor(1_000_001) });
  await lives.cent.pay(2);
  for (const number of [1, 2]) await lives.quarterly.pay(number);
  await lives.quarterly.pay(3, 50_000);
  for (const life of [lives.endorsed, lives.cancelled, lives.reinstated]) await life.pay(1);
  // Card payments are not cash yet: a check that has not paid its invoice in full covers the remittances.
  await lives.prepaid.pay(1, 3_000_000);
  for (const life of [lives.endorsed, lives.cancelled]) await remit(steps, 'commission', await producerOf(life));
  await remit(steps, 'carrier', CARRIER);
  await remit(steps, 'transfer', '');
  await lives.endorsed.endorse(0, { annualRevenueCents: revenueFor(1_300_000) });
  for (const number of [2, 3, 4]) await lives.endorsed.pay(number);
  for (const life of [lives.cancelled, lives.reinstated]) {
    await life.pay(2);
    const { refundIds } = await life.cancel(0, { method: 'pro_rata' });
    await life.settle(refundIds);
  }
  await issueChecks(lives.cancelled);
  const { refundIds } = await lives.reinstated.reinstate(0);
  await lives.reinstated.settle(refundIds);
  const [again] = await lives.reinstated.open();
  if (again) await lives.reinstated.pay(again.number);
  await refundByCard(lives.card, 40_000);
  await dispute(lives);
  await refundApproved(lives.approved);
  for (const [kind, payee] of [['carrier', CARRIER] as const, ['tax', 'TX'] as const]) await remit(steps, kind, payee);
  await prepared(steps, 'stamping', 'TX');
  await interest(steps);
  await liveOn(lives);
  return lives;
}

/** Interest of the trust account, by journals: one is posted, one waits. */
async function interest({ database, orgId, today: date }: Steps): Promise<void> {
  await database.transaction(orgId, async (em) => {
    for (const make of [postedJournal, madeJournal])
      await make(em, { date }, [
        [1010, 750],
        [2070, -750],
      ]);
  });
}

async function producerOf(life: InsuredLife): Promise<string> {
  return (await life.invoices())[0]?.producerId ?? '';
}

/**
 * Disputes: one open, one won, one whose win pays the invoice, one lost and paid again, one over refunded money, and
 * one over money applied to another invoice. Also a check that bounced with an NSF fee, and one that bounced while a
 * refund check was owed for it.
 */
async function dispute(lives: Record<DisputedName, InsuredLife>) {
  const charged = async (life: InsuredLife, intentId: string, outcome: 'open' | 'won' | 'lost', paidMeanwhile = 0) => {
    const { amountCents } = await paymentOf(life, intentId);
    const disputed = new DisputedLife(life);
    const { processor } = life.steps.providers;
    const disputeId = processor.dispute(intentId, amountCents);
    await disputed.dispute(intentId, amountCents, 'created', 'needs_response');
    if (outcome === 'open') return;
    if (paidMeanwhile > 0) await life.pay(1, paidMeanwhile);
    processor.closeDispute(disputeId, outcome);
    await disputed.dispute(intentId, amountCents, 'closed', outcome);
  };
  await charged(lives.disputed, await payByCard(lives.disputed), 'open');
  await charged(lives.won, await payByCard(lives.won), 'won');
  await charged(lives.regained, await payByCard(lives.regained, 50_000), 'won', 1_035_123);
  await charged(lives.lost, await payByCard(lives.lost), 'lost');
  await lives.lost.pay(1);
  const refunded = await payByCard(lives.covered);
  await refundByCard(lives.covered, 40_000);
  await charged(lives.covered, refunded, 'lost');
  await lives.reversed.pay(1);
  await new DisputedLife(lives.reversed).reverse(2_500);
  await payByCard(lives.reversed);
  await lives.reversed.pay(2);
  await bounce(lives.bounced);
  await payByCard(lives.applied);
  const beyond = await payByCard(lives.applied, 50_000);
  await apply(lives.applied, beyond);
  await charged(lives.applied, beyond, 'lost');
}

/** A check bounces while a refund check is owed for part of it, which is cancelled; then the invoice is paid again. */
async function bounce(life: InsuredLife): Promise<void> {
  const { activities, command } = life.steps;
  await life.pay(1);
  const [invoice] = await life.invoices();
  const payload = { invoiceId: invoice?.id ?? '', amountCents: 40_000, reason: 'Goodwill' };
  const { refundId } = await activities.reserveRefund(command(newId('refund'), payload));
  await life.settle([refundId]);
  await new DisputedLife(life).reverse();
  const { data } = await life.read((em) => listDisbursements(em, { refundId }, { limit: 1 }));
  await activities.cancelDisbursement(command(data[0]?.id ?? '', { reason: 'The check bounced.' }));
  await payByCard(life);
}

/** Pays what is owed back by check. */
async function issueChecks(life: InsuredLife): Promise<void> {
  const { activities, command } = life.steps;
  const { data } = await life.read((em) => listDisbursements(em, { policyId: life.policyId }, { limit: 10 }));
  for (const { id } of data) {
    await activities.issueDisbursement(command(id, { method: 'check', reference: `Check ${id}`, issuedOn: null }));
  }
}

/** Applies to the second invoice what exceeded the first one. */
async function apply(life: InsuredLife, intentId: string): Promise<void> {
  const { activities, command, orgId } = life.steps;
  const { id: paymentId } = await paymentOf(life, intentId);
  const invoiceId = (await life.invoices())[1]?.id ?? '';
  const payload = { paymentId, invoiceId, amountCents: null };
  const applied = await activities.applyUnapplied(command(newId('payment'), payload));
  await life.follow({ orgId, entityId: applied.paymentId }, applied.completesInvoice);
}

async function paymentOf(life: InsuredLife, intentId: string) {
  const payment = await life.read((em) => cardPayment(em, intentId));
  if (payment === null) throw new Error('The card paid');
  return payment;
}

/** Pays the first invoice by card at the test processor; returns the intent. */
async function payByCard(life: InsuredLife, cents?: number): Promise<string> {
  const { steps } = life;
  const { providers, orgId, database } = steps;
  const [invoice] = await life.invoices();
  if (!invoice) throw new Error('A bound policy has an invoice');
  const { id: invoiceId, policyId } = invoice;
  const amountCents = cents ?? invoiceBalance(invoiceAmounts(invoice));
  const metadata = { orgId, invoiceId, policyId };
  const { id: intentId } = await providers.card.createIntent({
    idempotencyKey: newId('request'),
    amountCents,
    metadata,
  });
  providers.processor.pay(intentId);
  const deps = { now: Date.now, logger: silentLogger } as unknown as Deps;
  const receipt = { orgId, intentId, chargeId: null, amountCents, invoiceId, createdAt: Math.floor(Date.now() / 1000) };
  const { paymentId, completesInvoice } = await database.transaction(orgId, (em) =>
    recordCardReceipt(em, deps, receipt),
  );
  await life.follow({ orgId, entityId: paymentId }, completesInvoice);
  return intentId;
}

async function refundByCard(life: InsuredLife, amountCents: number): Promise<void> {
  const { activities, command, orgId } = life.steps;
  const [invoice] = await life.invoices();
  const invoiceId = invoice?.id ?? '';
  const payload = { invoiceId, amountCents, reason: 'Goodwill' };
  const { refundId, cardAllocations } = await activities.reserveRefund(command(newId('refund'), payload));
  const [part] = cardAllocations;
  if (!part) throw new Error('It was paid by card');
  const order = { orgId, refundId, invoiceId, ...part, isRepeat: false };
  const { processorRefundId } = await attempt(1, () => activities.refundAtProcessor(order));
  const given = [{ paymentId: part.paymentId, processorRefundId: processorRefundId ?? '' }];
  const of = { orgId, entityId: refundId };
  await activities.settleRefund({ ...of, given, declined: null });
  await activities.postRefund(of);
  await activities.postRefundEarnings(of);
  await activities.reverseCommission(of);
}

/** From the day before, so that today's lives are well within it; the steps' clock is some days ahead. */
async function readStatement({ activities }: Steps, days: number): Promise<StatementCover> {
  await activities.importCardStatement({ daysAgo: days, orgId: null });
  return activities.importCardStatement({ daysAgo: days + 1, orgId: null });
}
