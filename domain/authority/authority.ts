// Delegated authority: what a carrier lets the organization bind itself, checked against one risk. Each breach is a
// flag that blocks, refers or informs. Spec 6.1 (85 percent), Contract 3.1 "Severities", 3.7.
import { addDays, type BusinessDate, yearOf } from '../dates.ts';
import type { SellerGap } from '../distribution/producer.ts';
import { DomainError } from '../errors.ts';
import type { DataOf } from '../events.ts';
import { APPROACHING_UTILIZATION_PERCENT, EFFECTIVE_DATE_MAX_DAYS_AHEAD } from '../limits.ts';
import { type Cents, toDollars } from '../money.ts';
import { addRatios, compareRatios, ratio } from '../ratio.ts';
import type { Appetite } from '../submission/rating.ts';

/** The limits of a contract; money in cents. A null `year` governs every calendar year of effective dates. */
export interface AuthorityContract {
  id: string;
  status: string;
  year: number | null;
  maxPolicyLimitCents: Cents;
  maxPremiumCents: Cents;
  maxAnnualRevenueCents: Cents;
  maxAnnualPremiumVolumeCents: Cents;
  linesOfBusiness: string[];
  states: string[];
  /** NAICS prefixes that may never be written, or only after a referral. */
  prohibitedNaics: string[];
  referNaics: string[];
}

const FLAG_SEVERITIES = ['block', 'refer', 'info'] as const;
export type FlagSeverity = (typeof FLAG_SEVERITIES)[number];

/** Every flag with its severity. Contract 3.1. */
const FLAG_SEVERITY = {
  DA_CONTRACT_INACTIVE: 'block',
  DA_LOB_NOT_AUTHORIZED: 'block',
  DA_STATE_NOT_AUTHORIZED: 'block',
  DA_CLASS_PROHIBITED: 'block',
  DA_SANCTIONS_REVIEW: 'block',
  DA_AGGREGATE_EXCEEDED: 'block',
  DA_CLASS_REFER: 'refer',
  DA_LIMIT_EXCEEDED: 'refer',
  DA_PREMIUM_EXCEEDED: 'refer',
  DA_REVENUE_EXCEEDED: 'refer',
  DA_EFFECTIVE_DATE_WINDOW: 'refer',
  DA_LOSS_HISTORY: 'refer',
  DA_SCHEDULE_MOD: 'refer',
  DA_PRODUCER_NOT_APPOINTED: 'refer',
  DA_AGGREGATE_APPROACHING: 'info',
  CLEARANCE_DUPLICATE: 'info',
} as const satisfies Record<string, FlagSeverity>;

export type FlagCode = keyof typeof FLAG_SEVERITY;

/** Flags that an approved referral never clears. Contract 3.7. */
export const NEVER_CLEARED: readonly FlagCode[] = [
  'DA_CLASS_PROHIBITED',
  'DA_SANCTIONS_REVIEW',
  'DA_AGGREGATE_EXCEEDED',
];

/** A flag as shown to callers; money in `limit` and `actual` is in dollars. Contract 3.1. */
export interface DaFlag {
  code: FlagCode;
  severity: FlagSeverity;
  message: string;
  limit: number | string | null;
  actual: number | string | null;
  referralId: string | null;
  clearedBy: string | null;
  clearedAt: string | null;
}

/** The risk to check against a contract; money in cents. */
export interface AuthorityQuestion {
  contract: (AuthorityContract & { carrier: string }) | null;
  /** Premium already bound under the contract in the year of the effective date, without this risk. */
  usedCents: Cents;
  premiumCents: Cents;
  limitCents: Cents;
  annualRevenueCents: Cents;
  naicsCode: string;
  /** The rate table's appetite for the class. */
  appetite: Appetite;
  state: string;
  lineOfBusiness: string;
  effectiveDate: BusinessDate;
  today: BusinessDate;
  lossesLast5Years: number | null;
  newBusiness: boolean;
  /** What the producer lacks to sell the line in the state for the carrier; null if nothing, or without a producer. */
  sellerGap: SellerGap | null;
  sanctionsHit: boolean;
  /** The submission that this one probably duplicates. */
  duplicateOf: string | null;
  /** Decimal text; default `'0'`. */
  scheduleModification?: string;
}

/** All of them as of the effective date. */
const SELLER_GAPS: Readonly<Record<SellerGap, (carrier: string) => string>> = {
  status: () => 'The producer is not active.',
  license: () => 'The producer has no license in force for this line in this state.',
  appointment: (carrier) =>
    `No carrier has appointed the producer for this line in this state. The carrier of the contract is ${carrier}.`,
  carrier: (carrier) =>
    `The carrier of the contract, ${carrier}, has not appointed the producer for this line in this state.`,
};

const LOSSES_REFERRED_FROM = 3;
const SCHEDULE_MODIFICATION_MAX = '0.25';

/**
 * Lists a risk's flags, blocks first. Without a contract in force, only `DA_CONTRACT_INACTIVE` and flags that need no
 * contract are raised. The aggregate is exceeded if used + premium > volume, strictly, and approached above 85
 * percent. Contract 3.1.
 */
export function authorityFlags(question: AuthorityQuestion): DaFlag[] {
  const { contract } = question;
  const inForce = contract !== null && isContractInForce(contract, question.effectiveDate) ? contract : null;
  const flags = [
    ...(inForce === null
      ? [inactive(contract)]
      : [...permissionFlags(inForce, question), ...amountFlags(inForce, question)]),
    ...classFlags(inForce, question),
    ...riskFlags(question),
  ];
  const rank = (flag: DaFlag) => FLAG_SEVERITIES.indexOf(flag.severity);
  return flags.sort((a, b) => rank(a) - rank(b));
}

/** Whether a contract is active for policies that start on a date. Contract 3.10 "year". */
export function isContractInForce(contract: AuthorityContract, effectiveDate: BusinessDate): boolean {
  return contract.status === 'active' && (contract.year === null || contract.year === yearOf(effectiveDate));
}

/** Whether nothing prevents a bind: no block flag and no uncleared refer flag. Contract 3.1. */
export function isBindable(flags: readonly DaFlag[]): boolean {
  return !hasUncleared(flags, 'block') && !hasUncleared(flags, 'refer');
}

/** Whether a flag must be decided by a person with more authority. */
export function needsDecision({ severity, clearedAt }: DaFlag): boolean {
  return severity === 'refer' && clearedAt === null;
}

/** Whether a referral shows a flag to its deciders: anything that prevents a bind, whether or not they can clear it. */
export function isShown({ severity, clearedAt }: DaFlag): boolean {
  return severity !== 'info' && clearedAt === null;
}

/** Whether a flag of this severity is uncleared. */
export function hasUncleared(flags: readonly DaFlag[], severity: FlagSeverity): boolean {
  return flags.some((flag) => flag.severity === severity && flag.clearedAt === null);
}

/**
 * Returns a flag with an earlier one's clearance: same code, and at most the approved amount. Only refer flags are
 * ever cleared, except those that no approval clears. Contract 3.7 "Referral".
 */
export function withEarlierClearance(flag: DaFlag, earlier: readonly DaFlag[]): DaFlag {
  if (flag.severity !== 'refer' || NEVER_CLEARED.includes(flag.code)) return flag;
  const cleared = earlier.find((other) => other.clearedAt !== null && coversFlag(other, flag));
  if (cleared === undefined) return flag;
  const { referralId, clearedBy, clearedAt } = cleared;
  return { ...flag, referralId, clearedBy, clearedAt };
}

function coversFlag(approved: DaFlag, flag: DaFlag): boolean {
  if (approved.code !== flag.code) return false;
  const [most, actual] = [approved.actual, flag.actual];
  return typeof most === 'number' && typeof actual === 'number' ? actual <= most : actual === most;
}

/**
 * Refuses a bind with uncleared flags. `facts` are further details of the refusal.
 * @throws DomainError delegated_authority_exceeded with `{daFlags}`. Contract 1, 3.1 "Bind".
 */
export function ensureWithinAuthority(flags: readonly DaFlag[], facts: Record<string, unknown> = {}): void {
  if (isBindable(flags)) return;
  throw new DomainError('delegated_authority_exceeded', 'Authority flags prevent binding this risk.', {
    ...facts,
    daFlags: [...flags],
  });
}

/**
 * Whether this particular step takes aggregate usage from at most 85 percent of the volume to more. Exact integers;
 * amounts in cents. Spec 6.1, 8.2, Contract 3.7.
 */
export function crossesApproachThreshold(usedBefore: Cents, usedAfter: Cents, volume: Cents): boolean {
  return !isApproaching(usedBefore, volume) && isApproaching(usedAfter, volume);
}

/**
 * The event data when usage passes 85 percent; amounts in dollars. The utilization is not rounded: a receiver that
 * compares it with 85 percent must find it above. Contract 3.6.
 */
export function limitAlert(contractId: string, usedCents: Cents, volumeCents: Cents): DataOf<'da.limit_approaching'> {
  const utilization = usedCents / volumeCents;
  return { contractId, utilization, limit: toDollars(volumeCents), used: toDollars(usedCents) };
}

/** Whether reducing the volume puts the same usage above 85 percent of it; amounts in cents. Contract 3.7. */
export function tightensPastThreshold(usedCents: Cents, volumeBefore: Cents, volumeAfter: Cents): boolean {
  return !isApproaching(usedCents, volumeBefore) && isApproaching(usedCents, volumeAfter);
}

/** Whether usage is strictly above 85 percent of the volume; amounts in cents. Spec 8.2. */
function isApproaching(usedCents: Cents, volumeCents: Cents): boolean {
  return 100n * BigInt(usedCents) > BigInt(APPROACHING_UTILIZATION_PERCENT) * BigInt(volumeCents);
}

/** The stricter of the contract's and the rate table's appetite for a class. */
export function appetiteUnder(contract: AuthorityContract | null, appetite: Appetite, naicsCode: string): Appetite {
  if (appetite === 'prohibited' || matchesPrefix(contract?.prohibitedNaics ?? [], naicsCode)) return 'prohibited';
  if (appetite === 'refer' || matchesPrefix(contract?.referNaics ?? [], naicsCode)) return 'refer';
  return appetite;
}

function permissionFlags(contract: AuthorityContract, { lineOfBusiness, state }: AuthorityQuestion): DaFlag[] {
  const flags: DaFlag[] = [];
  if (!contract.linesOfBusiness.includes(lineOfBusiness)) {
    flags.push(
      authorityFlag(
        'DA_LOB_NOT_AUTHORIZED',
        'The contract does not authorize this line of business.',
        null,
        lineOfBusiness,
      ),
    );
  }
  if (!contract.states.includes(state)) {
    flags.push(authorityFlag('DA_STATE_NOT_AUTHORIZED', 'The contract does not authorize this state.', null, state));
  }
  return flags;
}

function amountFlags(contract: AuthorityContract, question: AuthorityQuestion): DaFlag[] {
  const { limitCents, premiumCents, annualRevenueCents, usedCents } = question;
  const afterCents = usedCents + premiumCents;
  const volumeCents = contract.maxAnnualPremiumVolumeCents;
  const flags: DaFlag[] = [];
  const above = (code: FlagCode, message: string, maxCents: Cents, actualCents: Cents) => {
    if (actualCents > maxCents) flags.push(authorityFlag(code, message, toDollars(maxCents), toDollars(actualCents)));
  };
  above('DA_LIMIT_EXCEEDED', 'The limit exceeds the authority.', contract.maxPolicyLimitCents, limitCents);
  above('DA_PREMIUM_EXCEEDED', 'The premium exceeds the authority.', contract.maxPremiumCents, premiumCents);
  above(
    'DA_REVENUE_EXCEEDED',
    'The revenue exceeds the authority.',
    contract.maxAnnualRevenueCents,
    annualRevenueCents,
  );
  above('DA_AGGREGATE_EXCEEDED', 'The premium would exceed the annual premium volume.', volumeCents, afterCents);
  if (afterCents <= volumeCents && isApproaching(afterCents, volumeCents)) {
    const message = 'More than 85 percent of the annual premium volume would be used.';
    flags.push(authorityFlag('DA_AGGREGATE_APPROACHING', message, toDollars(volumeCents), toDollars(afterCents)));
  }
  return flags;
}

function classFlags(contract: AuthorityContract | null, { appetite, naicsCode }: AuthorityQuestion): DaFlag[] {
  const stance = appetiteUnder(contract, appetite, naicsCode);
  if (stance === 'prohibited') {
    return [authorityFlag('DA_CLASS_PROHIBITED', 'This class of business is prohibited.', null, naicsCode)];
  }
  if (stance !== 'refer') return [];
  return [authorityFlag('DA_CLASS_REFER', 'This class of business needs a referral.', null, naicsCode)];
}

function riskFlags(question: AuthorityQuestion): DaFlag[] {
  const { effectiveDate, today, lossesLast5Years, scheduleModification = '0' } = question;
  const latest = addDays(today, EFFECTIVE_DATE_MAX_DAYS_AHEAD);
  const flags: DaFlag[] = [];
  if (question.sanctionsHit) {
    flags.push(
      authorityFlag('DA_SANCTIONS_REVIEW', 'The name resembles a sanctioned party and needs review.', null, null),
    );
  }
  if (question.newBusiness && effectiveDate < today) {
    flags.push(authorityFlag('DA_EFFECTIVE_DATE_WINDOW', 'The effective date is in the past.', today, effectiveDate));
  } else if (question.newBusiness && effectiveDate > latest) {
    flags.push(
      authorityFlag('DA_EFFECTIVE_DATE_WINDOW', 'The effective date is too far ahead.', latest, effectiveDate),
    );
  }
  if (lossesLast5Years !== null && lossesLast5Years >= LOSSES_REFERRED_FROM) {
    const message = 'Three or more losses in five years need a referral.';
    flags.push(authorityFlag('DA_LOSS_HISTORY', message, LOSSES_REFERRED_FROM - 1, lossesLast5Years));
  }
  if (isBeyondModification(scheduleModification)) {
    const message = 'The schedule modification exceeds 25 percent.';
    flags.push(authorityFlag('DA_SCHEDULE_MOD', message, SCHEDULE_MODIFICATION_MAX, scheduleModification));
  }
  if (question.sellerGap !== null) {
    const message = SELLER_GAPS[question.sellerGap](question.contract?.carrier ?? 'not known');
    flags.push(authorityFlag('DA_PRODUCER_NOT_APPOINTED', message, null, question.sellerGap));
  }
  if (question.duplicateOf !== null) {
    flags.push(
      authorityFlag('CLEARANCE_DUPLICATE', 'This risk may already have been submitted.', null, question.duplicateOf),
    );
  }
  return flags;
}

function inactive(contract: AuthorityContract | null): DaFlag {
  const message = 'No delegated-authority contract is in force for this risk.';
  return authorityFlag('DA_CONTRACT_INACTIVE', message, null, contract?.status ?? null);
}

function isBeyondModification(modification: string): boolean {
  const value = ratio(modification);
  const max = ratio(SCHEDULE_MODIFICATION_MAX);
  return compareRatios(value, max) > 0 || compareRatios(addRatios(value, max), ratio(0n)) < 0;
}

function matchesPrefix(prefixes: readonly string[], naicsCode: string): boolean {
  return prefixes.some((prefix) => naicsCode.startsWith(prefix));
}

/** Returns an uncleared flag; money in dollars. */
export function authorityFlag(
  code: FlagCode,
  message: string,
  limit: DaFlag['limit'],
  actual: DaFlag['actual'],
): DaFlag {
  const severity = FLAG_SEVERITY[code];
  return { code, severity, message, limit, actual, referralId: null, clearedBy: null, clearedAt: null };
}
