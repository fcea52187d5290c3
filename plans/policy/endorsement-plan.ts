// What an endorsement will do: its day's terms, re-rated by the policy's tables, and the billing of the difference.
// Contract 3.2.

import { isDeepStrictEqual } from 'node:util';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Policy } from '../../db/entities/policy/policy.ts';
import { type DaFlag, ensureWithinAuthority } from '../../domain/authority/authority.ts';
import { type AgreedFigures, ensureAgreed, figuresInDollars } from '../../domain/authority/referral.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { validationError } from '../../domain/errors.ts';
import { sumCents } from '../../domain/money.ts';
import { type Endorsement, type EndorsementPrice, priceEndorsement } from '../../domain/policy/endorsement.ts';
import { type ChangeAmounts, totalOf } from '../../domain/policy/invoice-lines.ts';
import {
  coverageGaps,
  nextSequence,
  type StackedTransaction,
  standingCancellation,
  standingRows,
  waitingCancellation,
} from '../../domain/policy/stack.ts';
import { taxChange } from '../../domain/policy/tax-change.ts';
import { type PolicyTerms, type TermChanges, termsIn } from '../../domain/policy/transaction.ts';
import { ratePremium } from '../../domain/submission/rating.ts';
import { type ChangedRisk, changeFlags, rateTableOf, ratingOf } from '../authority/change-authority.ts';
import { planBilling } from './billing-plan.ts';
import { rescheduledPlan } from './cancellation-plan.ts';
import type { ChangeBilling, ChangePlan } from './change-plan.ts';
import { ensureAllowed, feeCentsOf, moneyAfter, type PolicyLife, readLifeUntil } from './life.ts';
import { withAggregate } from './policy-terms.ts';

/** A requested endorsement. */
export interface EndorsementRequest {
  effectiveDate: BusinessDate;
  changes: TermChanges;
  reason: string | null;
  /** The figures it must produce if it was referred and approved. */
  agreed?: AgreedFigures | null;
  /** Flags that its approval cleared, if given for another term too. */
  cleared?: readonly DaFlag[];
}

/** Facts beyond the rows: whether a fresh screen found the insured's new name on the sanctions list. */
export interface Screened {
  sanctionsHit: boolean;
}

export const CLEAN: Screened = { sanctionsHit: false };

/**
 * Plans an endorsement as of today; writes nothing.
 * @throws DomainError validation_failed on `changes`, invalid_state_transition, outside_policy_term,
 * delegated_authority_exceeded with `{daFlags, requested}`, quote_expired
 */
export async function planEndorsement(
  em: EntityManager,
  policy: Readonly<Policy>,
  request: EndorsementRequest,
  today: BusinessDate,
  screened: Screened = CLEAN,
): Promise<ChangePlan> {
  const { effectiveDate, changes, reason, agreed = null, cleared = [] } = request;
  const life = await readLifeUntil(em, policy, effectiveDate, today);
  ensureAllowed(life, 'endorse');
  const { term, stack } = life;
  const terms = withAggregate(changes);
  const added = { transactionId: '', sequence: nextSequence(stack), effectiveDate, changes: terms };
  const price = priceEndorsement({ term, added, gaps: coverageGaps(stack), ...(await termsRated(em, life)) });
  ensureSomethingChanges(price, terms);
  return pricedPlan(em, life, {
    ...{ price, effectiveDate, reason, agreed, cleared, changes: { ...changes }, fields: terms, ...screened },
    billing: (change) => planBilling(em, life, { change, effectiveDate, description: descriptionOf(change) }),
  });
}

/** A change of terms with its price; `fields` are the terms that it names. */
export interface PricedChange extends Screened {
  price: EndorsementPrice<PolicyTerms>;
  effectiveDate: BusinessDate;
  reason: string | null;
  changes: TermChanges;
  fields: Partial<PolicyTerms>;
  /** The endorsement that it voids. */
  reverses?: string;
  agreed?: AgreedFigures | null;
  cleared?: readonly DaFlag[];
  billing: (change: ChangeAmounts) => Promise<ChangeBilling>;
}

/**
 * Plans a change of terms whose price is known: authority, taxes, billing, a scheduled cancellation's new figures.
 * @throws DomainError delegated_authority_exceeded with `{daFlags, requested}`, quote_expired
 */
export async function pricedPlan(em: EntityManager, life: PolicyLife, changed: PricedChange): Promise<ChangePlan> {
  const { price, effectiveDate, reason, changes, fields, reverses, sanctionsHit } = changed;
  const { premiumChangeCents, reapplied } = price;
  const grossPremiumAfterCents = life.money.grossPremiumCents + premiumChangeCents;
  const { cleared = [] } = changed;
  const daFlags = await flagsOf(em, life, { price, grossPremiumCents: grossPremiumAfterCents, sanctionsHit, cleared });
  const { termsAfter, lastTerms } = price;
  const figures = {
    limitCents: Math.max(termsAfter.limitCents, lastTerms.limitCents),
    premiumCents: grossPremiumAfterCents,
    premiumChangeCents,
  };
  ensureWithinAuthority(daFlags, { requested: figuresInDollars(figures) });
  ensureAgreed(changed.agreed ?? null, figures);

  const tax = taxChange(life.basis, {
    charged: life.money.taxes,
    writtenPremiumCents: grossPremiumAfterCents,
    keptFeeCents: feeCentsOf(life.money),
  });
  const change = { premiumCents: premiumChangeCents, fees: [], taxes: tax.changes };
  const totalChangeCents = sumCents([premiumChangeCents, tax.taxChangeCents]);
  const money = moneyAfter(life, { premiumChangeCents, feeChangeCents: 0, taxes: tax.taxes });
  const plan: ChangePlan = {
    type: 'endorsement',
    ...{ effectiveDate, reason, reapplied, daFlags, premiumChangeCents, grossPremiumAfterCents, totalChangeCents },
    feeChangeCents: 0,
    taxChangeCents: tax.taxChangeCents,
    changes,
    before: { ...picked(price.termsBefore, fields), ...life.money },
    after: { ...picked(price.termsAfter, fields), ...money },
    billing: await changed.billing(change),
    isScheduled: false,
    figures,
    stack: life.stack,
    rescheduled: [],
    ...(reverses === undefined ? {} : { reverses }),
  };
  return { ...plan, rescheduled: await rescheduled(em, life, plan, money) };
}

function descriptionOf(change: ChangeAmounts): string {
  return totalOf(change) < 0 ? 'Return premium' : 'Additional premium';
}

/** The basis for pricing an endorsement: the first day's terms, the endorsements in effect on top, and the table. */
export async function termsRated(em: EntityManager, { policy, stack }: PolicyLife) {
  const table = await rateTableOf(em, policy);
  return {
    firstTerms: firstTerms(stack),
    endorsements: standingRows(stack)
      .filter(({ type }) => type === 'endorsement')
      .map(endorsementOf),
    rate: (terms: PolicyTerms) => ratePremium(ratingOf(policy, terms), table).premiumCents,
  };
}

function endorsementOf(row: StackedTransaction): Endorsement<PolicyTerms> {
  const { id, sequence, effectiveDate } = row;
  return { transactionId: id, sequence, effectiveDate, changes: termsIn(row) };
}

/** The terms at the start of the term; a policy starts with all of them. */
function firstTerms(stack: readonly StackedTransaction[]): PolicyTerms {
  const first = stack.find(({ type }) => type === 'new_business' || type === 'renewal');
  if (first?.type !== 'new_business' && first?.type !== 'renewal') throw new TypeError('A term has a beginning');
  return first.after;
}

/** Authority is checked again only for an increase: more premium, a higher limit, more revenue, another insured. */
async function flagsOf(
  em: EntityManager,
  life: PolicyLife,
  changed: Pick<ChangedRisk, 'grossPremiumCents' | 'sanctionsHit' | 'cleared'> & {
    price: EndorsementPrice<PolicyTerms>;
  },
): Promise<DaFlag[]> {
  const { price, ...risk } = changed;
  const { termsBefore: before, termsAfter: after, lastTerms: last } = price;
  const isUpward =
    price.premiumChangeCents > 0 ||
    after.limitCents > before.limitCents ||
    after.annualRevenueCents > before.annualRevenueCents;
  if (!isUpward && !risk.sanctionsHit) return [];
  const terms = {
    ...after,
    limitCents: Math.max(after.limitCents, last.limitCents),
    annualRevenueCents: Math.max(after.annualRevenueCents, last.annualRevenueCents),
  };
  return changeFlags(em, life, { terms, ...risk });
}

/**
 * A scheduled cancellation returns a different amount after an endorsement, so it is issued again. One waiting behind
 * a non-payment notice comes before the notice.
 */
async function rescheduled(
  em: EntityManager,
  life: PolicyLife,
  plan: ChangePlan,
  money: PolicyLife['money'],
): Promise<ChangePlan[]> {
  const scheduled = [waitingCancellation(life.stack), standingCancellation(life.stack)];
  const issued = {
    ...plan,
    id: 'endorsement',
    sequence: nextSequence(life.stack),
    issuedOn: life.today,
  };
  const after = [...life.stack, issued];
  const standing = scheduled.filter((each) => each !== null);
  const changed = { stack: after, billing: plan.billing };
  return Promise.all(standing.map((each) => rescheduledPlan(em, { ...life, money }, changed, each)));
}

/** Refuses an endorsement whose changes are already in effect on its day. Contract 3.2 */
function ensureSomethingChanges(
  { termsBefore, termsAfter }: EndorsementPrice<PolicyTerms>,
  changes: Partial<PolicyTerms>,
): void {
  const said = (terms: PolicyTerms) => {
    const insuredAddress = terms.insuredAddress && { ...terms.insuredAddress, line2: terms.insuredAddress.line2 ?? '' };
    return picked({ ...terms, insuredAddress }, changes);
  };
  if (!isDeepStrictEqual(said(termsBefore), said(termsAfter))) return;
  throw validationError(
    'changes',
    'no_change',
    'The policy already has these terms on that day, so nothing would change.',
  );
}

/** The terms named by `fields`. */
function picked(from: PolicyTerms, fields: Partial<PolicyTerms>): Partial<PolicyTerms> {
  return Object.fromEntries(Object.entries(from).filter(([field]) => Object.hasOwn(fields, field)));
}
