/** Writes the rows of a bind: insured, policy, first term, audit rows and events. Decides nothing. */

import type { EntityManager } from '@mikro-orm/postgresql';
import type { Command } from '../../contracts/machinery/command.ts';
import type { BindPayload } from '../../contracts/submission.ts';
import { Insured } from '../../db/entities/policy/insured.ts';
import { Policy } from '../../db/entities/policy/policy.ts';
import type { Quote } from '../../db/entities/submission/quote.ts';
import type { Submission } from '../../db/entities/submission/submission.ts';
import { newId } from '../../db/ids.ts';
import { addRow } from '../../db/new-rows.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import { writeEvent } from '../../db/queries/platform/events.ts';
import { auditedChanges } from '../../domain/audit.ts';
import type { CommissionTerms } from '../../domain/billing/commission.ts';
import { addYears } from '../../domain/dates.ts';
import type { DataOf } from '../../domain/events.ts';
import { toDollars } from '../../domain/money.ts';
import { aggregateLimitOf, statusAtBind } from '../../domain/policy/policy.ts';
import { normalizeName } from '../../domain/submission/clearance.ts';
import type { BusinessDay } from '../../plans/platform/business-day.ts';
import type { Risk } from '../../plans/submission/quotation.ts';
import { auditOf } from '../audit.ts';
import type { BindAuthority } from '../authority/authority-use.ts';
import type { Deps } from '../context.ts';
import { persistCreation, persistTerm } from '../policy/term-rows.ts';

/** Everything a bind has decided before it writes its rows. */
export interface Bind {
  command: Command<BindPayload>;
  submission: Submission;
  quote: Quote;
  risk: Risk;
  /** Rates for sharing the premium; null for a line without a schedule. */
  commission: CommissionTerms | null;
  authority: BindAuthority;
  /** The alert to publish when this bind takes authority usage above 85 percent. */
  crossing: DataOf<'da.limit_approaching'> | null;
  day: BusinessDay;
  /** The real instant of the bind. */
  at: Date;
  environment: Deps['environment'];
  policyId: string;
  policyNumber: string;
  /** One per installment, ascending. */
  invoiceNumbers: string[];
}

/** Persists every row of the bind. Events come last, because numbering them takes a lock. */
export function persistBind(em: EntityManager, bind: Bind): Policy {
  const { command, commission, authority, day, at, environment, invoiceNumbers } = bind;
  const insured = insuredRow(em, bind.submission);
  const policy = policyRow(em, bind, insured.id);
  const issued = {
    commission,
    daFlags: authority.flags,
    triage: null,
    origin: command,
    day,
    at,
    environment,
    invoiceNumbers,
  };
  persistTerm(em, { policy, type: 'new_business', changes: {}, before: null, ...issued });
  persistAudit(em, bind, policy);
  persistEvents(em, bind, policy);
  return policy;
}

/** One row for the submission, which can only be bound from `quoted`, and one for the new policy. */
function persistAudit(em: EntityManager, { command, submission, quote }: Bind, policy: Policy): void {
  const before = { status: 'quoted', policyId: null };
  const after = { status: submission.status, policyId: policy.id, quoteId: quote.id };
  writeAudit(em, auditOf(command, 'submission:bind', 'submission', auditedChanges(before, after)));
  persistCreation(em, command, policy);
}

function insuredRow(em: EntityManager, submission: Submission): Insured {
  const name = submission.insuredName ?? '';
  return addRow(em, Insured, {
    id: newId('insured'),
    name,
    nameNormalized: normalizeName(name),
    email: submission.insuredEmail,
    phone: submission.insuredPhone,
    address: submission.insuredAddress,
  });
}

function persistEvents(em: EntityManager, { crossing, at }: Bind, policy: Policy): void {
  const { id: policyId, policyNumber, effectiveDate } = policy;
  const grossPremium = toDollars(policy.grossPremiumCents);
  writeEvent(em, 'policy.bound', { policyId, policyNumber, grossPremium, effectiveDate }, at);
  if (crossing !== null) writeEvent(em, 'da.limit_approaching', crossing, at);
}

function policyRow(em: EntityManager, bind: Bind, insuredId: string): Policy {
  const { command, submission, quote, risk, authority, day, at, policyId, policyNumber } = bind;
  const { rating, surplusLinesRates } = quote.inputs;
  const { effectiveDate, naicsCode, state, lineOfBusiness, annualRevenueCents, deductibleCents } = risk;
  const expirationDate = addYears(effectiveDate, 1);
  return addRow(em, Policy, {
    id: policyId,
    policyNumber,
    status: statusAtBind({ effectiveDate, expirationDate }, day.today),
    submissionId: submission.id,
    quoteId: quote.id,
    conditions: quote.conditions,
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
    aggregateLimitCents: aggregateLimitOf(risk.requestedLimitCents),
    deductibleCents,
    annualRevenueCents,
    effectiveDate,
    expirationDate,
    grossPremiumCents: quote.grossPremiumCents,
    fees: quote.fees,
    taxes: quote.taxes,
    totalDueCents: quote.totalDueCents,
    installmentPlan: command.payload.installmentPlan,
    usdotNumber: submission.usdotNumber,
    daContractId: authority.contract?.id ?? null,
    daYear: authority.contract && authority.year,
    ratingInputs: { ...rating },
    surplusLinesRates: { ...surplusLinesRates },
    boundAt: at,
  });
}
