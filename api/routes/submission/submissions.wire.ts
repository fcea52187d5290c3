// Maps submissions between the wire and the rows: dollars and cents, absent and null. Pure. Contract 3.1.

import { NOTHING_KNOWN, type SubmissionChanges } from '../../../contracts/submission.ts';
import type { Quote } from '../../../db/entities/submission/quote.ts';
import type { Submission } from '../../../db/entities/submission/submission.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { fromDollars } from '../../../domain/money.ts';
import type { SubmissionValues } from '../../../domain/submission/submission.ts';
import { addressToWire, dollarsOrNull, instantToWire } from '../billing/charges.wire.ts';
import { quoteToWire } from './quotes.wire.ts';
import { clearanceInSight, type Sight } from './sight.ts';
import type {
  SubmissionChangesBody,
  SubmissionCreate,
  SubmissionDetailWire,
  SubmissionWire,
} from './submissions.schemas.ts';

/** The facts of a new submission in cents; omitted values are null. */
export function submissionFields(body: SubmissionCreate, producerId: string | null): SubmissionValues {
  return { ...NOTHING_KNOWN, ...submissionChanges(body), producerId };
}

/** Only the facts that the caller sent, in cents. */
export function submissionChanges(body: SubmissionChangesBody): SubmissionChanges {
  const { annualRevenue, requestedLimit, deductible, insuredAddress, ...same } = body;
  const changes: SubmissionChanges = { ...same };
  if (annualRevenue !== undefined) changes.annualRevenueCents = fromDollars(annualRevenue, 'annualRevenue');
  if (requestedLimit !== undefined) changes.requestedLimitCents = fromDollars(requestedLimit, 'requestedLimit');
  if (deductible !== undefined) changes.deductibleCents = fromDollars(deductible, 'deductible');
  if (insuredAddress !== undefined) changes.insuredAddress = { ...insuredAddress, line2: insuredAddress.line2 ?? '' };
  return changes;
}

/** Returns a submission as lists show it to a caller; amounts in dollars, unknown values null. */
export function submissionToWire(submission: Submission, sight: Sight): SubmissionWire {
  const { id, orgId, status, version, createdBy, quoteId, policyId, missingFields, triage, clearance } = submission;
  return {
    id,
    orgId,
    status,
    insuredName: submission.insuredName,
    naicsCode: submission.naicsCode,
    annualRevenue: dollarsOrNull(submission.annualRevenueCents),
    requestedLimit: dollarsOrNull(submission.requestedLimitCents),
    effectiveDate: submission.effectiveDate,
    state: submission.state,
    lineOfBusiness: submission.lineOfBusiness,
    producerId: submission.producerId,
    insuredEmail: submission.insuredEmail,
    insuredPhone: submission.insuredPhone,
    insuredAddress: addressToWire(submission.insuredAddress),
    deductible: dollarsOrNull(submission.deductibleCents),
    lossesLast5Years: submission.lossesLast5Years,
    yearsInBusiness: submission.yearsInBusiness,
    usdotNumber: submission.usdotNumber,
    description: submission.description,
    missingFields,
    triage,
    clearance: clearanceInSight(clearance, sight),
    quoteId,
    policyId,
    declineReason: submission.declineReason,
    expiresOn: submission.expiresOn,
    createdBy,
    version,
    createdAt: instantToWire(submission.createdAt),
    updatedAt: instantToWire(submission.updatedAt),
  };
}

/** Returns a submission as a list shows it, with its latest quote as of a business date. */
export function quotedSubmissionToWire(
  { submission, quote }: { submission: Submission; quote: Readonly<Quote> | null },
  today: BusinessDate,
  sight: Sight,
) {
  return { ...submissionToWire(submission, sight), quote: quote && quoteToWire(quote, today, sight) };
}

export interface SubmissionDetailRows {
  submission: Submission;
  quote: Quote | null;
  referralIds: string[];
}

/** Returns a submission as its detail shows it, with the latest quote as of a business date. */
export function submissionDetailToWire(
  { submission, quote, referralIds }: SubmissionDetailRows,
  today: BusinessDate,
  sight: Sight,
): SubmissionDetailWire {
  const { intake } = submission;
  return { ...quotedSubmissionToWire({ submission, quote }, today, sight), intake, referralIds };
}
