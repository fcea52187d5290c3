/**
 * Writes the rows that begin a term, at bind and at renewal: the policy's first transaction, its invoices by
 * installment plan, required filings, relations and the audit row. Decides nothing.
 */

import type { EntityManager } from '@mikro-orm/postgresql';
import { Invoice, type InvoiceLine } from '../../db/entities/billing/invoice.ts';
import { Filing } from '../../db/entities/insight/filing.ts';
import type { Policy } from '../../db/entities/policy/policy.ts';
import { PolicyTransaction } from '../../db/entities/policy/policy-transaction.ts';
import { newId } from '../../db/ids.ts';
import { addRow } from '../../db/new-rows.ts';
import { writeRelation } from '../../db/queries/access/relations.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import { auditedChanges } from '../../domain/audit.ts';
import type { DaFlag } from '../../domain/authority/authority.ts';
import type { CommissionTerms } from '../../domain/billing/commission.ts';
import { type Installment, installmentSchedule } from '../../domain/billing/installments.ts';
import { filingsAtBind } from '../../domain/insight/filings.ts';
import type { InstallmentPlan } from '../../domain/lines.ts';
import { sumCents } from '../../domain/money.ts';
import { CHARGE_NAMES } from '../../domain/policy/invoice-lines.ts';
import type { PricedTerms, TermChanges } from '../../domain/policy/transaction.ts';
import type { Triage } from '../../domain/submission/triage.ts';
import type { BusinessDay } from '../../plans/platform/business-day.ts';
import { termsOf } from '../../plans/policy/policy-terms.ts';
import { auditOf, type Origin } from '../audit.ts';
import type { Deps } from '../context.ts';
import { addNonRenewalNotice } from '../insight/nonrenewal-notices.ts';

/** A term being issued. */
export interface IssuedTerm {
  /** The new row, not yet written. */
  policy: Policy;
  type: 'new_business' | 'renewal';
  /** The changes that the caller requested; empty for new business. */
  changes: TermChanges;
  /** The previous terms; null for new business. */
  before: PricedTerms | null;
  origin: Origin;
  /** Rates for sharing the premium; null for a line without a schedule. */
  commission: CommissionTerms | null;
  daFlags: DaFlag[];
  /** A next term's triage score; null for new business, whose submission has it. */
  triage: Triage | null;
  day: BusinessDay;
  /** The real instant of issue. */
  at: Date;
  environment: Deps['environment'];
  /** One per installment, ascending. */
  invoiceNumbers: string[];
}

/** Adds the rows that begin a term. @returns the id of its first transaction */
export function persistTerm(em: EntityManager, term: IssuedTerm): string {
  const transactionId = newId('policyTransaction');
  addInvoices(em, term, transactionId);
  addTransaction(em, term, transactionId);
  addFilings(em, term, transactionId);
  persistRelations(em, term.policy);
  return transactionId;
}

/** Audits a new policy. */
export function persistCreation(em: EntityManager, origin: Origin, policy: Policy): void {
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
  writeAudit(em, auditOf({ ...origin, entityId: id }, 'policy:create', 'policy', auditedChanges(null, facts)));
}

function addFilings(em: EntityManager, term: IssuedTerm, transactionId: string): void {
  const { policy, day, environment, origin } = term;
  const { id: policyId, state, effectiveDate } = policy;
  const environmentIsSandbox = environment === 'sandbox';
  for (const filing of filingsAtBind({ state, effectiveDate, issuedOn: day.today, environmentIsSandbox })) {
    addRow(em, Filing, { policyId, transactionId, ...filing });
  }
  addNonRenewalNotice(em, policy, { environment, today: day.today, actorId: origin.actor.id, transactionId });
}

function persistRelations(em: EntityManager, { id, insuredId, producerId }: Policy): void {
  const policy = { objectType: 'policy', objectId: id };
  writeRelation(em, { ...policy, relation: 'insured', subjectType: 'insured', subjectId: insuredId });
  if (producerId === null) return;
  writeRelation(em, { ...policy, relation: 'producer', subjectType: 'producer', subjectId: producerId });
}

function addTransaction(em: EntityManager, term: IssuedTerm, id: string): void {
  const { policy } = term;
  const feeCents = sumCents(policy.fees.map((fee) => fee.amountCents));
  const taxCents = sumCents(policy.taxes.map((tax) => tax.amountCents));
  addRow(em, PolicyTransaction, {
    id,
    policyId: policy.id,
    producerId: policy.producerId,
    sequence: 1,
    type: term.type,
    effectiveDate: policy.effectiveDate,
    issuedAt: term.at,
    issuedOn: term.day.today,
    premiumChangeCents: policy.grossPremiumCents,
    feeChangeCents: feeCents,
    taxChangeCents: taxCents,
    totalChangeCents: policy.totalDueCents,
    grossPremiumAfterCents: policy.grossPremiumCents,
    reason: null,
    changes: term.changes,
    before: term.before,
    after: termsOf(policy),
    actor: term.origin.actor,
    commission: term.commission,
    daFlags: term.daFlags,
    triage: term.triage,
  });
}

function addInvoices(em: EntityManager, { policy, day, invoiceNumbers }: IssuedTerm, transactionId: string): void {
  const schedule = installmentSchedule({
    plan: policy.installmentPlan as InstallmentPlan,
    premiumCents: policy.grossPremiumCents,
    feeCents: sumCents(policy.fees.map((fee) => fee.amountCents)),
    taxCents: sumCents(policy.taxes.map((tax) => tax.amountCents)),
    anchorDate: policy.effectiveDate,
    notBefore: day.today,
  });
  for (const [index, installment] of schedule.entries()) {
    const lines = invoiceLines(policy, installment, schedule.length);
    addRow(em, Invoice, {
      id: newId('invoice'),
      invoiceNumber: invoiceNumbers[index] ?? missingNumber(),
      policyId: policy.id,
      transactionId,
      producerId: policy.producerId,
      insuredName: policy.insuredName,
      installmentNumber: installment.number,
      installmentCount: schedule.length,
      issueDate: day.today,
      dueDate: installment.dueDate,
      lines,
      totalCents: installment.amountCents,
    });
  }
}

/** The installment's premium; fees and taxes go on the first one. Checks that the lines add up to the installment. */
function invoiceLines(policy: Policy, installment: Installment, count: number): InvoiceLine[] {
  const description = count === 1 ? 'Premium' : `Premium, installment ${installment.number} of ${count}`;
  const lines: InvoiceLine[] = [
    { kind: 'premium', code: 'PREMIUM', description, amountCents: installment.premiumCents },
  ];
  if (installment.number === 1) {
    lines.push(...policy.fees.map((fee) => charge('fee', fee)), ...policy.taxes.map((tax) => charge('tax', tax)));
  }
  if (sumCents(lines.map((line) => line.amountCents)) !== installment.amountCents) {
    throw new Error('The lines of an invoice do not add up to its installment');
  }
  return lines;
}

function charge(kind: 'fee' | 'tax', { code, amountCents }: { code: string; amountCents: number }): InvoiceLine {
  return { kind, code, description: CHARGE_NAMES[code] ?? code, amountCents };
}

function missingNumber(): never {
  throw new Error('There are fewer invoice numbers than installments');
}
