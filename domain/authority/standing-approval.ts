// The scope of an approval when the risk is quoted again: it stands as long as no approved figure is worse.
// Contract 3.7, Decision 0185.
import { type DaFlag, withEarlierClearance } from './authority.ts';
import type { ReferredFigures } from './referral.ts';

/** The scope of an approval beside its flags; money in cents. */
export interface JudgedRisk extends ReferredFigures {
  state: string;
  naicsCode: string;
  producerId: string | null;
}

/** An approved referral, with the risk as it was approved. */
export interface Approval {
  id: string;
  /** As the approval cleared them. */
  flags: readonly DaFlag[];
  conditions: readonly string[];
  risk: JudgedRisk;
}

/** The flags of a new quote, and what of an earlier approval goes with it. */
export interface StillApproved {
  flags: DaFlag[];
  /** The approval that covers the figures; null for none. */
  approvalId: string | null;
  conditions: string[];
}

/** Whether an approval covers a risk: the same business of the same producer, for no more. */
export function covers({ risk }: Approval, now: JudgedRisk): boolean {
  const isSame = (name: 'lineOfBusiness' | 'state' | 'naicsCode' | 'producerId') => risk[name] === now[name];
  const isNoMore = (name: 'limitCents' | 'premiumCents') => {
    const [most, actual] = [risk[name], now[name]];
    return most !== null && actual !== null && actual <= most;
  };
  return (
    isSame('lineOfBusiness') &&
    isSame('state') &&
    isSame('naicsCode') &&
    isSame('producerId') &&
    isNoMore('limitCents') &&
    isNoMore('premiumCents')
  );
}

/**
 * Applies the approvals of a submission, newest first, to its new quote: a refer flag stays cleared as far as it was
 * approved, and the conditions of the approvals that clear it go on. An approval without flags was given for the risk
 * as a whole.
 */
export function stillApproved(
  flags: readonly DaFlag[],
  approvals: readonly Approval[],
  now: JudgedRisk,
): StillApproved {
  const standing = approvals.filter((approval) => covers(approval, now));
  const earlier = standing.flatMap((approval) => approval.flags);
  const cleared = flags.map((flag) => withEarlierClearance(flag, earlier));
  const used = standing.filter(
    ({ id, flags: approved }) =>
      approved.length === 0 || cleared.some(({ clearedAt, referralId }) => clearedAt !== null && referralId === id),
  );
  return {
    flags: cleared,
    approvalId: standing[0]?.id ?? null,
    conditions: withConditions(
      [],
      used.flatMap(({ conditions }) => conditions),
    ),
  };
}

/** Adds conditions to those that stand; each is listed once. */
export function withConditions(standing: readonly string[], more: readonly string[]): string[] {
  return [...new Set([...standing, ...more])];
}
