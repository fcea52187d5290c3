// The basis for judging and pricing a risk: authority, rates, taxes, appointment. Read in one place for the steps that
// write (triage, quote, bind, renewal) and for the previews that do not. Nothing here writes.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { DaContract } from '../../db/entities/authority/da-contract.ts';
import type { RateTable } from '../../db/entities/submission/rate-table.ts';
import type { Submission } from '../../db/entities/submission/submission.ts';
import { contractFor, usedCents } from '../../db/queries/authority/authority.ts';
import { rateTableOn, surplusLinesRateOn } from '../../db/queries/submission/rates.ts';
import { type AuthorityQuestion, authorityFlags, type DaFlag } from '../../domain/authority/authority.ts';
import { type JudgedRisk, type StillApproved, stillApproved } from '../../domain/authority/standing-approval.ts';
import { type BusinessDate, yearOf } from '../../domain/dates.ts';
import { ensureSells, type SellerGap } from '../../domain/distribution/producer.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Cents } from '../../domain/money.ts';
import { type PricedQuote, priceQuote, type QuoteInputs } from '../../domain/submission/quote.ts';
import { type Appetite, appetiteOf, type RatingInput } from '../../domain/submission/rating.ts';
import { ensureQuotable } from '../../domain/submission/submission.ts';
import { approvalsOf } from './approvals.ts';
import { gapBefore, sellerOf } from './seller.ts';
import { isHeldForSanctions } from './uncleared-matches.ts';

/** The facts of a complete submission: everything that rating and authority need. */
export interface Risk extends RatingInput {
  effectiveDate: BusinessDate;
  lineOfBusiness: string;
  producerId: string | null;
  sanctionsHit: boolean;
  /** The submission that this one probably duplicates. */
  duplicateOf: string | null;
}

/** A computed quote that has not been written. */
export interface Quotation {
  price: PricedQuote;
  flags: DaFlag[];
  inputs: QuoteInputs;
  issuedOn: BusinessDate;
  contract: Readonly<DaContract> | null;
  /** Null without a producer. */
  producerAppointed: boolean | null;
  rateTableId: string;
}

/** A submission's computed quote: earlier approvals carry over as far as they cover it. */
export interface OfferedQuotation extends Quotation, StillApproved {
  /** The scope that an approval would have. */
  judged: JudgedRisk;
}

/** Returns the facts of a submission that has passed `ensureQuotable`. */
export function riskOf(submission: Submission, sanctionsHit: boolean): Risk {
  const { naicsCode, annualRevenueCents, requestedLimitCents, effectiveDate, state, lineOfBusiness } = submission;
  if (
    naicsCode === null ||
    annualRevenueCents === null ||
    requestedLimitCents === null ||
    effectiveDate === null ||
    state === null ||
    lineOfBusiness === null
  ) {
    throw new TypeError('An incomplete submission is not a risk that can be rated');
  }
  return {
    naicsCode,
    annualRevenueCents,
    requestedLimitCents,
    deductibleCents: submission.deductibleCents ?? 0,
    lossesLast5Years: submission.lossesLast5Years,
    state,
    effectiveDate,
    lineOfBusiness,
    producerId: submission.producerId,
    sanctionsHit,
    duplicateOf: submission.clearance?.duplicateOf ?? null,
  };
}

/** What governs a risk, given its line, state and dates. */
export interface Governance {
  contract: DaContract | null;
  rateTable: RateTable | null;
  /** Null without a producer. */
  producerAppointed: boolean | null;
}

/** Reads the contract, rate table and appointment that govern a risk on its effective date. */
export async function governanceOf(
  em: EntityManager,
  risk: Pick<Risk, 'effectiveDate' | 'lineOfBusiness' | 'state' | 'producerId'>,
): Promise<Governance> {
  const { effectiveDate, lineOfBusiness, state } = risk;
  const contract = await contractFor(em, { effectiveDate, lineOfBusiness, state });
  const seller = await sellerOf(em, risk);
  return {
    contract,
    rateTable: await rateTableOn(em, lineOfBusiness, effectiveDate),
    producerAppointed: seller === null ? null : gapBefore(contract, seller) === null,
  };
}

/**
 * Computes a submission's quote as of today: price and flags with the authority used so far. Writes nothing, so a
 * preview and a quote differ only in what is stored.
 * @throws DomainError not_ready with `{missing, blockers}`, invalid_state_transition. Contract 3.1.
 */
export async function prepareQuotation(
  em: EntityManager,
  submission: Submission,
  today: BusinessDate,
): Promise<OfferedQuotation> {
  ensureQuotable(submission.status, submission);
  const risk = riskOf(submission, await isHeldForSanctions(em, submission));
  const seller = await sellerOf(em, risk);
  if (seller !== null) ensureSells(seller.status);
  const quotation = await quoteRisk(em, risk, { today });
  const judged = judgedRisk(submission, risk, quotation);
  return { ...quotation, ...stillApproved(quotation.flags, await approvalsOf(em, submission.id), judged), judged };
}

function judgedRisk(submission: Submission, risk: Risk, { price, contract }: Quotation): JudgedRisk {
  const { requestedLimitCents: limitCents, lineOfBusiness, state, naicsCode, producerId, effectiveDate } = risk;
  const { annualRevenueCents, deductibleCents, lossesLast5Years } = risk;
  return {
    ...{ limitCents, premiumCents: price.premiumCents, lineOfBusiness, state, naicsCode, producerId, effectiveDate },
    ...{ insuredName: submission.insuredNameNormalized, contractId: contract?.id ?? null },
    ...{ annualRevenueCents, deductibleCents, lossesLast5Years },
  };
}

/** The day a risk is quoted, and what differs from the default. */
export interface QuotedAs {
  today: BusinessDate;
  /** The day whose rate table applies; by default the effective date. */
  tableOn?: BusinessDate;
  /** False for a policy's next term. Default true. */
  newBusiness?: boolean;
  /** The contract and its usage, if already read under a lock; read by default. */
  authority?: Pick<AuthorityNow, 'contract' | 'usedCents'> | undefined;
}

/** An administrator fixes this with a rate table version; until then, renewal batches list it. */
function withoutRates(lineOfBusiness: string, day: BusinessDate): DomainError {
  const message = `There is no rate table for ${lineOfBusiness} on ${day}. Add a version that begins by then.`;
  return new DomainError('not_ready', message, { missing: [], blockers: ['RATE_TABLE_MISSING'], lineOfBusiness });
}

/** Prices and judges a risk today, with the authority used so far. Writes nothing. @throws DomainError not_ready */
export async function quoteRisk(em: EntityManager, risk: Risk, quotedAs: QuotedAs): Promise<Quotation> {
  const { today, tableOn = risk.effectiveDate, newBusiness } = quotedAs;
  const [{ contract, usedCents }, rateTable, seller] = await Promise.all([
    quotedAs.authority ?? authorityFor(em, risk),
    rateTableOn(em, risk.lineOfBusiness, tableOn),
    sellerOf(em, risk),
  ]);
  const rates = await surplusLinesRateOn(em, risk.state, risk.effectiveDate);
  if (rateTable === null) throw withoutRates(risk.lineOfBusiness, tableOn);
  if (rates === null) throw new Error(`There are no surplus-lines rates for ${risk.state} on ${risk.effectiveDate}`);

  const rating = ratingInputOf(risk);
  const price = priceQuote({
    input: rating,
    table: rateTable.table,
    rates,
    issuedOn: today,
    effectiveDate: risk.effectiveDate,
  });
  const appetite = appetiteOf(rateTable.table, risk.naicsCode);
  const sellerGap = gapBefore(contract, seller);
  const { premiumCents } = price;
  return {
    price,
    flags: flagsOf(risk, { contract, usedCents, premiumCents, appetite, sellerGap, today, newBusiness }),
    inputs: { rating, appetite, surplusLinesRates: rates },
    issuedOn: today,
    contract,
    producerAppointed: seller === null ? null : sellerGap === null,
    rateTableId: rateTable.id,
  };
}

/** Reads the contract that governs a risk, and its usage so far. */
export async function authorityFor(
  em: EntityManager,
  risk: Risk,
): Promise<Pick<AuthorityNow, 'contract' | 'usedCents'>> {
  const contract = await contractFor(em, risk);
  const used = contract === null ? 0 : await usedCents(em, contract.id, yearOf(risk.effectiveDate));
  return { contract, usedCents: used };
}

/** What may change between quote and bind, checked against the same risk. */
export interface AuthorityNow {
  contract: DaContract | null;
  /** Premium bound under the contract in the year of the effective date. */
  usedCents: Cents;
  premiumCents: Cents;
  appetite: Appetite;
  sellerGap: SellerGap | null;
  today: BusinessDate;
  /** Default true. */
  newBusiness?: boolean;
}

/** Lists a risk's current flags. */
export function flagsOf(risk: Risk, now: AuthorityNow): DaFlag[] {
  const { naicsCode, state, lineOfBusiness, effectiveDate, lossesLast5Years, sanctionsHit, duplicateOf } = risk;
  const question: AuthorityQuestion = {
    ...now,
    limitCents: risk.requestedLimitCents,
    annualRevenueCents: risk.annualRevenueCents,
    newBusiness: now.newBusiness ?? true,
    naicsCode,
    state,
    lineOfBusiness,
    effectiveDate,
    lossesLast5Years,
    sanctionsHit,
    duplicateOf,
    scheduleModification: risk.scheduleModification,
  };
  return authorityFlags(question);
}

function ratingInputOf(risk: Risk): RatingInput {
  const { naicsCode, annualRevenueCents, requestedLimitCents, deductibleCents, lossesLast5Years, state } = risk;
  const input = { naicsCode, annualRevenueCents, requestedLimitCents, deductibleCents, lossesLast5Years, state };
  const { scheduleModification } = risk;
  return scheduleModification === undefined ? input : { ...input, scheduleModification };
}
