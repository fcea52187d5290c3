// A policy that lives through the activities alone, without workflows: bound at a premium that the test names, paid,
// changed, and after each change checked against what must be true of every policy.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { ExecutionContext } from 'ava';
import { CommissionRecord } from '../../../db/entities/billing/commission-record.ts';
import { Disbursement } from '../../../db/entities/billing/disbursement.ts';
import type { Invoice } from '../../../db/entities/billing/invoice.ts';
import { Payment } from '../../../db/entities/billing/payment.ts';
import { Event } from '../../../db/entities/platform/event.ts';
import { Policy } from '../../../db/entities/policy/policy.ts';
import { TransactionBilling } from '../../../db/entities/policy/transaction-billing.ts';
import { newId } from '../../../db/ids.ts';
import { invoiceAmounts, invoicesOfPolicy } from '../../../db/queries/billing/invoices.ts';
import { accountTotals } from '../../../db/queries/billing/ledger-lists.ts';
import { trustFigures } from '../../../db/queries/billing/trust.ts';
import { billingSummaries } from '../../../db/queries/billing/void-invoices.ts';
import { policyTransactions } from '../../../db/queries/policy/policies.ts';
import { addCommissionSchedule, addRateTable } from '../../../db/queries/submission/rates.ts';
import type { CommissionTier } from '../../../domain/billing/commission.ts';
import { invoiceBalance } from '../../../domain/billing/invoice.ts';
import { trustFindings } from '../../../domain/billing/ledger/trust.ts';
import { addDays, addYears, type BusinessDate, daysBetween } from '../../../domain/dates.ts';
import type { EventType } from '../../../domain/events.ts';
import type { InstallmentPlan } from '../../../domain/lines.ts';
import { sumCents } from '../../../domain/money.ts';
import type {
  CancellationMethod,
  CancellationReason,
  CancellationSource,
} from '../../../domain/policy/cancellation-words.ts';
import { projectPolicy } from '../../../domain/policy/segments.ts';
import type { TermChanges } from '../../../domain/policy/transaction.ts';
import type { RateTable } from '../../../domain/submission/rating.ts';
import { addProducer } from '../../workflows/billing/billed.ts';
import type { Tenant } from '../../workflows/run-engine.ts';
import { prepareSteps, type Steps } from '../steps.ts';

/** Ten dollars per thousand of revenue, whatever the rest of the risk; the sample's fee. */
const PLAIN_RATES: RateTable = {
  lineOfBusiness: 'GL',
  base: { unit: 'per_thousand_revenue', classRates: [], defaultRate: '10' },
  stateFactors: {},
  defaultStateFactor: '1',
  limitFactors: [{ limitCents: 100_000_000, factor: '1' }],
  deductibleFactors: [{ deductibleCents: 0, factor: '1' }],
  lossFactors: { unknown: '1', '0': '1', '1': '1', '2': '1', '3+': '1' },
  minimumPremiumCents: 0,
  policyFeeCents: 25_000,
};

/** The revenue in cents at which the plain rates charge a given premium. */
export const revenueFor = (premiumCents: number) => premiumCents * 100;

export interface LifeOptions {
  premiumCents?: number;
  policyFeeCents?: number;
  installmentPlan?: InstallmentPlan;
  withProducer?: boolean;
  /** An existing agent; by default a new one. */
  producerId?: string;
  /** Days from today to the first day of coverage. */
  startsIn?: number;
  state?: string;
  /** The agent's tiers; by default one that no life outgrows. */
  tiers?: CommissionTier[];
}

/** One policy of a term of 365 days. */
export class InsuredLife {
  readonly steps: Steps;
  readonly policyId: string;
  readonly start: BusinessDate;
  readonly end: BusinessDate;
  #day: number;

  private constructor(steps: Steps, policyId: string, { start, day }: { start: BusinessDate; day: number }) {
    this.steps = steps;
    this.policyId = policyId;
    this.start = start;
    this.end = addYears(start, 1);
    this.#day = day;
  }

  static async begin(t: { title?: string }, options: LifeOptions = {}): Promise<InsuredLife> {
    return InsuredLife.on(await prepareSteps(t), options);
  }

  static async on(steps: Steps, options: LifeOptions = {}): Promise<InsuredLife> {
    const { policyFeeCents = PLAIN_RATES.policyFeeCents } = options;
    const { premiumCents = 1_000_000, installmentPlan = 'PAY_IN_FULL', withProducer = true, startsIn = 0 } = options;
    const skipped = daysToPlainYear(addDays(steps.today, startsIn));
    steps.passDays(skipped);
    const start = addDays(steps.today, skipped + startsIn);
    const effectiveFrom = addDays(start, -30);
    await steps.database.transaction(steps.orgId, async (em) => {
      const schedule = { lineOfBusiness: 'GL', tiers: options.tiers ?? [], mgaRate: '0.10' };
      if (options.tiers) addCommissionSchedule(em, { effectiveFrom, schedule, createdBy: 'test' });
      addRateTable(em, { effectiveFrom, table: { ...PLAIN_RATES, policyFeeCents }, createdBy: 'test' });
    });
    const agent = async () => options.producerId ?? (await addProducer(steps as unknown as Tenant));
    const producerId = withProducer ? await agent() : null;
    const annualRevenueCents = revenueFor(premiumCents);
    const state = options.state ?? 'TX';
    const submissionId = await steps.quoted({ producerId, annualRevenueCents, effectiveDate: start, state });
    const payload = { installmentPlan, quoteId: null };
    const { policyId } = await steps.activities.bindPolicy(steps.command(submissionId, payload));
    return new InsuredLife(steps, policyId, { start, day: -startsIn });
  }

  /** The date of a day of the term, counting from 0. */
  date(day: number): BusinessDate {
    return addDays(this.start, day);
  }

  get today(): BusinessDate {
    return this.date(this.#day);
  }

  /** The day of the term that a date falls on. */
  dayOf(date: BusinessDate): number {
    return daysBetween(this.start, date);
  }

  /** Lets time pass up to a day of the term. */
  passTo(day: number): void {
    this.steps.passDays(day - this.#day);
    this.#day = day;
  }

  endorse(day: number, changes: TermChanges, commandId?: string) {
    const payload = { effectiveDate: this.date(day), changes, reason: 'Asked for' };
    return this.steps.activities.endorsePolicy(this.steps.command(this.policyId, payload, commandId));
  }

  /** Voids the nth transaction, counting from 1. */
  async voidEndorsement(sequence: number, commandId?: string) {
    const transactionId = (await this.stack())[sequence - 1]?.id ?? newId('policyTransaction');
    const payload = { transactionId, reason: 'A mistake' };
    return this.steps.activities.voidEndorsement(this.steps.command(this.policyId, payload, commandId));
  }

  cancel(
    day: number,
    options: { reason?: CancellationReason; source?: CancellationSource; method?: CancellationMethod } = {},
    commandId?: string,
  ) {
    const { reason = 'insured_request', source = null, method = null } = options;
    const payload = { effectiveDate: this.date(day), reason, source, method };
    return this.steps.activities.cancelPolicy(this.steps.command(this.policyId, payload, commandId));
  }

  reinstate(day: number | null = null, commandId?: string) {
    const payload = { effectiveDate: day === null ? null : this.date(day), reason: null };
    return this.steps.activities.reinstatePolicy(this.steps.command(this.policyId, payload, commandId));
  }

  /** Starts coverage, if its day has come. */
  activate() {
    const { orgId, activities } = this.steps;
    return activities.activatePolicy({ orgId, entityId: this.policyId, today: this.date(this.#day) });
  }

  /** Ends the term, if its last day has passed. */
  expire() {
    const { orgId, activities } = this.steps;
    return activities.expirePolicy({ orgId, entityId: this.policyId, today: this.date(this.#day) });
  }

  takeEffect() {
    const { orgId, activities } = this.steps;
    return activities.takeCancellationEffect({ orgId, entityId: this.policyId, today: this.date(this.#day) });
  }

  policy(): Promise<Policy> {
    return this.read((em) => em.findOneOrFail(Policy, { id: this.policyId }));
  }

  /** What a transaction credited on invoices, and what it refunded. */
  async credits(transactionId = '') {
    const kept = await this.read((em) => em.findOne(TransactionBilling, { transactionId }));
    return kept?.credits.map(({ invoiceId, kind, amountCents }) => ({ invoiceId, kind, amountCents }));
  }

  stack() {
    return this.read((em) => policyTransactions(em, this.policyId));
  }

  invoices(): Promise<Invoice[]> {
    return this.read((em) => invoicesOfPolicy(em, this.policyId));
  }

  refunds(): Promise<Payment[]> {
    return this.read((em) => em.find(Payment, { policyId: this.policyId, kind: 'refund' }, { orderBy: { id: 'asc' } }));
  }

  /** Balances by account in cents, debit positive. */
  balances(): Promise<Record<number, number>> {
    return this.read(async (em) => {
      const totals = await accountTotals(em);
      return Object.fromEntries([...totals].map(([account, sums]) => [account, sums.debitCents - sums.creditCents]));
    });
  }

  /** Premium from voided invoices that is still to be billed. */
  async unbilledCents(): Promise<number> {
    const summaries = await this.read((em) => billingSummaries(em, [this.policyId]));
    return summaries.get(this.policyId)?.unbilledCents ?? Number.NaN;
  }

  events(type: string): Promise<number> {
    return this.read((em) => em.count(Event, { type: type as EventType }));
  }

  /** Everything that a change could have touched. */
  async everything(): Promise<unknown> {
    const counts = await this.read((em) =>
      em.execute(`select (select count(*) from events) as events, (select count(*) from ledger_lines) as lines,
        (select sum(used_cents) from da_usage) as used`),
    );
    const rows = [[await this.policy()], await this.stack(), await this.invoices(), await this.refunds()];
    return JSON.parse(JSON.stringify({ counts, rows }));
  }

  /** Invoices with a balance, earliest due first, by their position in `invoices`. */
  async open(): Promise<{ number: number; balanceCents: number }[]> {
    const balances = (await this.invoices()).map((invoice, index) => ({
      number: index + 1,
      balanceCents: invoiceBalance(invoiceAmounts(invoice)),
    }));
    return balances.filter(({ balanceCents }) => balanceCents > 0);
  }

  /** Pays an invoice by check, all of it or an amount, with everything that follows. */
  async pay(number: number, amountCents?: number): Promise<void> {
    const { activities, command, orgId } = this.steps;
    const invoice = (await this.invoices())[number - 1];
    if (invoice === undefined) throw new Error(`There is no invoice ${number}`);
    const payload = {
      ...{ invoiceId: invoice.id, method: 'check' as const, reference: newId('request'), receivedDate: null },
      amountCents: amountCents ?? invoiceBalance(invoiceAmounts(invoice)),
    };
    const { paymentId, completesInvoice } = await activities.recordPayment(command(newId('payment'), payload));
    await this.follow({ orgId, entityId: paymentId }, completesInvoice);
  }

  /** A check bounces, with everything that follows. */
  async bounce(paymentId: string): Promise<void> {
    const { activities, command, orgId } = this.steps;
    const payload = { paymentId, reason: 'nsf' as const, feeCents: null };
    const { refundId } = await activities.reversePayment(command(newId('refund'), payload));
    await activities.postRefund({ orgId, entityId: refundId });
    await activities.endSaga({ orgId, entityId: refundId });
  }

  /** The checks received, whether or not they were good. */
  checks(): Promise<Payment[]> {
    return this.read((em) => em.find(Payment, { policyId: this.policyId, kind: 'manual' }, { orderBy: { id: 'asc' } }));
  }

  /** Everything that follows a recorded payment. */
  async follow(of: { orgId: string; entityId: string }, completesInvoice: boolean): Promise<void> {
    const { activities } = this.steps;
    if (completesInvoice) {
      await activities.recordCommission(of);
      await activities.postEarnings(of);
      await activities.postFiduciarySplit(of);
    }
    await activities.storeReceipt(of);
    await activities.publishPaymentEvents(of);
    await activities.endSaga(of);
  }

  /** What is owed back to the insured by check. */
  disbursements(): Promise<Disbursement[]> {
    return this.read((em) => em.find(Disbursement, { policyId: this.policyId }, { orderBy: { id: 'asc' } }));
  }

  async sendChecks(): Promise<void> {
    const { activities, command } = this.steps;
    for (const { id, status } of await this.disbursements()) {
      const check = { method: 'check' as const, reference: newId('request'), issuedOn: null };
      if (status === 'pending') await activities.issueDisbursement(command(id, check));
    }
  }

  /** Runs the steps of refunds that a change has reserved; a declined one returns nothing. */
  async settle(refundIds: readonly string[], { isDeclined = false } = {}): Promise<void> {
    const { activities, orgId } = this.steps;
    for (const entityId of refundIds) {
      const of = { orgId, entityId };
      const declined = isDeclined ? { message: 'No.', details: {} } : null;
      const { refund } = await activities.settleRefund({ ...of, given: [], declined });
      if (refund === null) continue;
      await activities.postRefund(of);
      await activities.postRefundEarnings(of);
      await activities.reverseCommission(of);
    }
  }

  /**
   * Checks what must be true of every policy after every change; `isQuiet` when no saga is in progress, so that the
   * books can be checked too.
   */
  async check(t: ExecutionContext, { isQuiet = true, unbilledCents = 0 } = {}): Promise<void> {
    const [policy, stack, invoices] = [await this.policy(), await this.stack(), await this.invoices()];
    const { effectiveDate, expirationDate, lineOfBusiness, surplusLinesRates: rates, renewalPolicyId } = policy;
    const term = { effectiveDate, expirationDate };
    const facts = { term, basis: { lineOfBusiness, rates }, renewalPolicyId, today: this.date(this.#day) };
    const { terms, ...projected } = projectPolicy(stack, facts);
    t.like(policy, { ...projected, ...terms }, 'the row is what its transactions say');
    const valid = invoices.filter(({ voidedAt }) => voidedAt === null);
    // A voided invoice bills nothing, so refunds from it are not missing.
    const refunds = (await this.refunds()).filter(({ invoiceId }) => valid.some(({ id }) => id === invoiceId));
    for (const { lines, totalCents } of invoices) t.is(sumCents(lines.map((line) => line.amountCents)), totalCents);
    const backCents = sumCents(refunds.filter(({ status }) => status !== 'failed').map((each) => each.amountCents));
    const billedCents = sumCents(valid.map(({ totalCents }) => totalCents));
    t.is(billedCents + backCents + unbilledCents, policy.totalDueCents, 'invoices and refunds are what is due');
    const used = await this.read((em) =>
      em.execute<{ used: string }[]>('select coalesce(sum(used_cents), 0) as used from da_usage'),
    );
    const written = await this.read((em) =>
      em.execute<{ sum: string }[]>('select sum(gross_premium_cents) as sum from policies'),
    );
    t.is(Number(used[0]?.used), Number(written[0]?.sum), 'the use of authority is the written premium');
    await this.#checkParts(t, { isQuiet, policy, valid, refunds });
    if (isQuiet) t.deepEqual(trustFindings(await this.read(trustFigures)), [], 'the trust is clean');
  }

  /**
   * Lines by code, less the refunds of each part, equal the policy's written parts; once every invoice is settled, so
   * do the ledger balances. A failed refund, or an unbilled amount, makes them differ. Contract 3.2.
   */
  async #checkParts(
    t: ExecutionContext,
    books: { isQuiet: boolean; policy: Policy; valid: Invoice[]; refunds: Payment[] },
  ): Promise<void> {
    const { isQuiet, policy, valid, refunds } = books;
    if (refunds.some(({ status }) => status === 'failed') || (await this.unbilledCents()) !== 0) return;
    const lines = valid.flatMap((invoice) => invoice.lines);
    const back = (part: 'premiumCents' | 'taxCents' | 'stampingCents' | 'feeCents') =>
      sumCents(refunds.map(({ composition }) => composition?.[part] ?? 0));
    const billed = (code: string) =>
      sumCents(lines.filter((line) => line.code === code).map(({ amountCents }) => amountCents));
    const taxOf = (code: string) => sumCents(policy.taxes.filter((tax) => tax.code === code).map(amountOf));
    const written = {
      ...{ PREMIUM: policy.grossPremiumCents, SL_TAX: taxOf('SL_TAX') },
      ...{ STAMPING_FEE: taxOf('STAMPING_FEE'), POLICY_FEE: sumCents(policy.fees.map(amountOf)) },
    };
    const inLines = {
      ...{ PREMIUM: billed('PREMIUM') - back('premiumCents'), SL_TAX: billed('SL_TAX') - back('taxCents') },
      STAMPING_FEE: billed('STAMPING_FEE') - back('stampingCents'),
      POLICY_FEE: billed('POLICY_FEE') - back('feeCents'),
    };
    t.deepEqual(inLines, written, 'lines by code are the written parts');
    const isSettled = (await this.open()).length === 0 && refunds.every(({ status }) => status === 'succeeded');
    if (!isQuiet || !isSettled) return;
    const balances = await this.balances();
    const owed = (...accounts: number[]) => 0 - sumCents(accounts.map((account) => balances[account] ?? 0));
    const inLedger = {
      ...{ PREMIUM: owed(2010, 2020, 2030), SL_TAX: owed(2040), STAMPING_FEE: owed(2050), POLICY_FEE: owed(2090) },
    };
    t.deepEqual(inLedger, written, 'ledger balances by part are the written parts');
    t.is(owed(4010) + owed(4020), owed(2030) + owed(2090), 'we have earned our part');
    const records = await this.read((em) => em.find(CommissionRecord, { policyId: policy.id }));
    if (policy.producerId === null) return;
    t.is(sumCents(records.map(({ agentCommissionCents }) => agentCommissionCents)), owed(2020));
  }

  read<T>(work: (em: EntityManager) => Promise<T>): Promise<T> {
    return this.steps.database.forOrg(this.steps.orgId, work);
  }
}

function amountOf({ amountCents }: { amountCents: number }): number {
  return amountCents;
}

/** How long to wait until a term of 365 days begins. */
function daysToPlainYear(start: BusinessDate): number {
  return daysBetween(start, addYears(start, 1)) === 365 ? 0 : 366;
}
