/** The rows of a bind: insured, policy, first transaction, invoices, filings, tuples, audit row and events. Nothing is decided here. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { Filing } from '../db/entities/filing.ts';
import { Insured } from '../db/entities/insured.ts';
import { Invoice, type InvoiceLine } from '../db/entities/invoice.ts';
import { Policy } from '../db/entities/policy.ts';
import { PolicyTransaction } from '../db/entities/policy-transaction.ts';
import type { Quote } from '../db/entities/quote.ts';
import type { Submission } from '../db/entities/submission.ts';
import { newId } from '../db/ids.ts';
import { writeAudit } from '../db/queries/audit.ts';
import { writeEvent } from '../db/queries/events.ts';
import { writeRelation } from '../db/queries/relations.ts';
import type { QuoteInputs, Risk } from '../db/quotation.ts';
import { auditedChanges } from '../domain/audit.ts';
import { normalizeName } from '../domain/clearance.ts';
import type { CommissionTerms } from '../domain/commission.ts';
import { addYears } from '../domain/dates.ts';
import type { DataOf } from '../domain/events.ts';
import { filingsAtBind } from '../domain/filings.ts';
import { type Installment, installmentSchedule } from '../domain/installments.ts';
import { sumCents, toDollars } from '../domain/money.ts';
import { auditOf } from './audit.ts';
import type { BindAuthority } from './binds.ts';
import type { BusinessDay } from './business-day.ts';
import type { Deps } from './context.ts';
import type { BindPayload, Command } from './messages.ts';

/** Everything a bind has decided before it writes its rows. */
export interface Bind {
  asked: Command<BindPayload>;
  submission: Submission;
  quote: Quote;
  risk: Risk;
  /** Rates at which the premium is shared; null for a line without a schedule. */
  commission: CommissionTerms | null;
  authority: BindAuthority;
  /** Told when this bind carries the use of the authority above 85 percent. */
  crossing: DataOf<'da.limit_approaching'> | null;
  day: BusinessDay;
  /** The real instant of the bind. */
  at: Date;
  environment: Deps['environment'];
  policyId: string;
  policyNumber: string;
  /** One for each installment, ascending. */
  invoiceNumbers: string[];
}

const CHARGE_NAMES: Record<string, string> = {
  POLICY_FEE: 'Policy fee',
  SL_TAX: 'Surplus lines tax',
  STAMPING_FEE: 'Stamping fee',
};

/** Persists every row of the bind, the events last: their place among the organization's events is taken with a lock. */
export function persistBind(em: EntityManager, bind: Bind): Policy {
  const insured = insuredRow(em, bind.submission);
  const policy = policyRow(em, bind, insured.id);
  const transactionId = newId('policyTransaction');
  const invoices = invoiceRows(em, bind, policy, transactionId);
  const transaction = transactionRow(em, bind, policy, { id: transactionId, invoiceIds: invoices.map(({ id }) => id) });
  em.persist([insured, policy, transaction, ...invoices, ...filingRows(em, bind)]);
  persistRelations(em, policy);
  persistAudit(em, bind, policy);
  persistEvents(em, bind, policy);
  return policy;
}

/** One row for the submission, which is bound from `quoted` only, and one for the policy that has come to be. */
function persistAudit(em: EntityManager, { asked, submission, quote }: Bind, policy: Policy): void {
  const before = { status: 'quoted', policyId: null };
  const after = { status: submission.status, policyId: policy.id, quoteId: quote.id };
  writeAudit(em, auditOf(asked, 'submission:bind', 'submission', auditedChanges(before, after)));
  const { id, policyNumber, status, effectiveDate, expirationDate, grossPremiumCents, totalDueCents, installmentPlan } =
    policy;
  const facts = {
    policyNumber,
    status,
    effectiveDate,
    expirationDate,
    grossPremiumCents,
    totalDueCents,
    installmentPlan,
  };
  const created = auditedChanges(null, facts);
  writeAudit(em, auditOf({ ...asked, entityId: id }, 'policy:create', 'policy', created));
}

function insuredRow(em: EntityManager, submission: Submission): Insured {
  const name = submission.insuredName ?? '';
  return em.create(Insured, {
    id: newId('insured'),
    name,
    nameNormalized: normalizeName(name),
    email: submission.insuredEmail,
    phone: submission.insuredPhone,
    address: submission.insuredAddress,
  });
}

function filingRows(em: EntityManager, { risk, day, environment, policyId }: Bind): Filing[] {
  const { state, effectiveDate } = risk;
  const environmentIsSandbox = environment === 'sandbox';
  return filingsAtBind({ state, effectiveDate, issuedOn: day.today, environmentIsSandbox }).map((filing) =>
    em.create(Filing, { policyId, ...filing }),
  );
}

function persistRelations(em: EntityManager, { id, insuredId, producerId }: Policy): void {
  const policy = { objectType: 'policy', objectId: id };
  writeRelation(em, { ...policy, relation: 'insured', subjectType: 'insured', subjectId: insuredId });
  if (producerId === null) return;
  writeRelation(em, { ...policy, relation: 'producer', subjectType: 'producer', subjectId: producerId });
}

function persistEvents(em: EntityManager, { crossing, at }: Bind, policy: Policy): void {
  const { id: policyId, policyNumber, effectiveDate } = policy;
  const grossPremium = toDollars(policy.grossPremiumCents);
  writeEvent(em, 'policy.bound', { policyId, policyNumber, grossPremium, effectiveDate }, at);
  if (crossing !== null) writeEvent(em, 'da.limit_approaching', crossing, at);
}

function policyRow(em: EntityManager, bind: Bind, insuredId: string): Policy {
  const { asked, submission, quote, risk, authority, day, at, policyId, policyNumber } = bind;
  const { rating, surplusLinesRates } = quote.inputs as unknown as QuoteInputs;
  const { effectiveDate, naicsCode, state, lineOfBusiness, annualRevenueCents, deductibleCents } = risk;
  return em.create(Policy, {
    id: policyId,
    policyNumber,
    status: effectiveDate <= day.today ? 'active' : 'pending',
    submissionId: submission.id,
    quoteId: quote.id,
    producerId: submission.producerId,
    insuredId,
    insuredName: submission.insuredName ?? '',
    insuredEmail: submission.insuredEmail,
    insuredPhone: submission.insuredPhone,
    insuredAddress: submission.insuredAddress,
    naicsCode,
    state,
    lineOfBusiness,
    limitCents: risk.requestedLimitCents,
    aggregateLimitCents: 2 * risk.requestedLimitCents,
    deductibleCents,
    annualRevenueCents,
    effectiveDate,
    expirationDate: addYears(effectiveDate, 1),
    grossPremiumCents: quote.grossPremiumCents,
    fees: quote.fees,
    taxes: quote.taxes,
    totalDueCents: quote.totalDueCents,
    installmentPlan: asked.payload.installmentPlan,
    usdotNumber: submission.usdotNumber,
    daContractId: authority.contract?.id ?? null,
    daYear: authority.contract && authority.year,
    ratingInputs: { ...rating },
    surplusLinesRates: { ...surplusLinesRates },
    boundAt: at,
  });
}

interface TransactionFacts {
  id: string;
  invoiceIds: string[];
}

function transactionRow(
  em: EntityManager,
  bind: Bind,
  policy: Policy,
  { id, invoiceIds }: TransactionFacts,
): PolicyTransaction {
  const feeCents = sumCents(policy.fees.map((fee) => fee.amountCents));
  const taxCents = sumCents(policy.taxes.map((tax) => tax.amountCents));
  return em.create(PolicyTransaction, {
    id,
    policyId: policy.id,
    producerId: policy.producerId,
    sequence: 1,
    type: 'new_business',
    effectiveDate: policy.effectiveDate,
    issuedAt: bind.at,
    issuedOn: bind.day.today,
    premiumChangeCents: policy.grossPremiumCents,
    feeChangeCents: feeCents,
    taxChangeCents: taxCents,
    totalChangeCents: policy.totalDueCents,
    grossPremiumAfterCents: policy.grossPremiumCents,
    reason: null,
    before: null,
    after: termsOf(policy),
    actor: bind.asked.actor,
    invoiceIds,
    commission: bind.commission,
    daFlags: bind.authority.flags,
  });
}

/** The terms that a later transaction may change: what a policy said as of a day is read from here. */
function termsOf(policy: Policy): Record<string, unknown> {
  const { insuredName, insuredAddress, limitCents, aggregateLimitCents, deductibleCents, annualRevenueCents } = policy;
  const { additionalInsureds, grossPremiumCents, fees, taxes, totalDueCents } = policy;
  return {
    insuredName,
    insuredAddress,
    limitCents,
    aggregateLimitCents,
    deductibleCents,
    annualRevenueCents,
    additionalInsureds,
    grossPremiumCents,
    fees,
    taxes,
    totalDueCents,
  };
}

function invoiceRows(em: EntityManager, bind: Bind, policy: Policy, transactionId: string): Invoice[] {
  const schedule = installmentSchedule({
    plan: bind.asked.payload.installmentPlan,
    premiumCents: policy.grossPremiumCents,
    feeCents: sumCents(policy.fees.map((fee) => fee.amountCents)),
    taxCents: sumCents(policy.taxes.map((tax) => tax.amountCents)),
    anchorDate: policy.effectiveDate,
    notBefore: bind.day.today,
  });
  return schedule.map((installment, index) => {
    const lines = invoiceLines(policy, installment, schedule.length);
    return em.create(Invoice, {
      id: newId('invoice'),
      invoiceNumber: bind.invoiceNumbers[index] ?? missingNumber(),
      policyId: policy.id,
      transactionId,
      producerId: policy.producerId,
      insuredName: policy.insuredName,
      installmentNumber: installment.number,
      installmentCount: schedule.length,
      issueDate: bind.day.today,
      dueDate: installment.dueDate,
      lines,
      totalCents: installment.amountCents,
    });
  });
}

/** The premium of the installment; fees and taxes stand on the first one. Their sum is the installment, which is checked here once. */
function invoiceLines(policy: Policy, installment: Installment, count: number): InvoiceLine[] {
  const description = count === 1 ? 'Premium' : `Premium, installment ${installment.number} of ${count}`;
  const lines: InvoiceLine[] = [
    { kind: 'premium', code: 'PREMIUM', description, amountCents: installment.premiumCents },
  ];
  if (installment.number === 1) {
    lines.push(...policy.fees.map((fee) => charge('fee', fee)), ...policy.taxes.map((tax) => charge('tax', tax)));
  }
  if (sumCents(lines.map((line) => line.amountCents)) !== installment.amountCents) {
    throw new Error('The lines of an invoice do not sum to its installment');
  }
  return lines;
}

function charge(kind: 'fee' | 'tax', { code, amountCents }: { code: string; amountCents: number }): InvoiceLine {
  return { kind, code, description: CHARGE_NAMES[code] ?? code, amountCents };
}

function missingNumber(): never {
  throw new Error('Fewer invoice numbers were taken than there are installments');
}
