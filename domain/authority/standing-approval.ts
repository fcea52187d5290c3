// The scope of an approval when the risk is requoted: it stands as long as no approved figure is worse. Contract 3.7,
// Decision 0185.
import type { BusinessDate } from '../dates.ts';
import type { Cents } from '../money.ts';
import { type DaFlag, withEarlierClearance } from './authority.ts';
import type { ReferredFigures } from './referral.ts';

/** The scope of an approval in addition to its flags; money in cents. */
export interface JudgedRisk extends ReferredFigures {
  state: string;
  naicsCode: string;
  producerId: string | null;
  /** Normalized, so that spelling variants of a name are the same. */
  insuredName: string | null;
  effectiveDate: BusinessDate;
  /** The contract that it was checked against; null if none governs it. */
  contractId: string | null;
  annualRevenueCents: Cents;
  deductibleCents: Cents;
  lossesLast5Years: number | null;
}

/** An approved referral, with the risk as it was approved. */
export interface Approval {
  id: string;
  /** The flags as cleared by the approval. */
  flags: readonly DaFlag[];
  conditions: readonly string[];
  risk: JudgedRisk;
}

/** The flags of a new quote, and what carries over from an earlier approval. */
export interface StillApproved {
  flags: DaFlag[];
  /** The approval that covers the figures, or null. */
  approvalId: string | null;
  conditions: string[];
}

const SAME = [
  ...(['lineOfBusiness', 'state', 'naicsCode', 'producerId'] as const),
  ...(['insuredName', 'effectiveDate', 'contractId'] as const),
];
const NO_MORE = ['limitCents', 'premiumCents', 'annualRevenueCents'] as const;

/**
 * Whether an approval covers a risk: the same business of the same insured and producer, from the same day and under
 * the same contract, and in no way worse. A better fact must not offset a worse one.
 */
export function covers({ risk }: Approval, now: JudgedRisk): boolean {
  const isNoMore = (most: number | null, actual: number | null) => most !== null && actual !== null && actual <= most;
  return (
    SAME.every((name) => risk[name] === now[name]) &&
    NO_MORE.every((name) => isNoMore(risk[name], now[name])) &&
    isNoMore(now.deductibleCents, risk.deductibleCents) &&
    (risk.lossesLast5Years === now.lossesLast5Years || isNoMore(risk.lossesLast5Years ?? 0, now.lossesLast5Years))
  );
}

/**
 * Applies the approvals of a submission, newest first, to its new quote: a refer flag stays cleared up to what was
 * approved. The newest covers the figures: its conditions carry over, and so do those of others that clear a flag.
 */
export function stillApproved(
  flags: readonly DaFlag[],
  approvals: readonly Approval[],
  now: JudgedRisk,
): StillApproved {
  const standing = approvals.filter((approval) => covers(approval, now));
  const earlier = standing.flatMap((approval) => approval.flags);
  const cleared = flags.map((flag) => withEarlierClearance(flag, earlier));
  const clears = (id: string) => cleared.some(({ clearedAt, referralId }) => clearedAt !== null && referralId === id);
  const used = standing.filter(({ id }, index) => index === 0 || clears(id));
  const conditions = used.flatMap((approval) => approval.conditions);
  return { flags: cleared, approvalId: standing[0]?.id ?? null, conditions: withConditions([], conditions) };
}

/** Adds conditions to the existing ones; each is listed once. */
export function withConditions(standing: readonly string[], more: readonly string[]): string[] {
  return [...new Set([...standing, ...more])];
}
