/**
 * A claim's clocks as filings, alongside those of policies, producers and carriers: open until the claim's own steps
 * meet them. The claim's calendar announces them, so the daily sweep has nothing to do for them. A sandbox has none.
 * Contract 3.7 "Compliance filings", domain facts 6.3.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Claim } from '../../db/entities/claim/claim.ts';
import { Filing } from '../../db/entities/insight/filing.ts';
import { addRow } from '../../db/new-rows.ts';
import { filingsOfClaim } from '../../db/queries/insight/filings.ts';
import { CLAIM_CLOCKS, type ClaimClock } from '../../domain/claim/clocks.ts';
import { CLAIM_ANNOUNCED_DAYS } from '../../domain/claim/status-letters.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import type { Deps } from '../context.ts';

/** Brings a claim's filings in line with its clocks. Returns their ids by kind. */
export async function keepClaimFilings(
  em: EntityManager,
  claim: Claim,
  { environment, today }: Pick<Deps, 'environment'> & { today: BusinessDate },
): Promise<Record<string, string>> {
  if (environment === 'sandbox') return {};
  const { id: claimId, state } = claim;
  const kept = await filingsOfClaim(em, claimId);
  const ids: Record<string, string> = {};
  for (const kind of CLAIM_CLOCKS) {
    const standing = kept.find((filing) => filing.kind === kind);
    const facts = factsOf(claim.clocks[kind], standing?.missedOn ?? today);
    const filing = standing ?? addRow(em, Filing, { claimId, kind, state, ...facts });
    Object.assign(filing, facts);
    ids[kind] = filing.id;
  }
  return ids;
}

function factsOf({ dueDate, metOn, announcedDays, isMissed }: ClaimClock, missedOn: BusinessDate) {
  return {
    ...{ dueDate, filedOn: metOn, missedOn: isMissed ? missedOn : null, nextStepOn: null },
    status: metOn === null ? ('open' as const) : ('filed' as const),
    announcedDays: announcedDays === null ? [] : CLAIM_ANNOUNCED_DAYS.filter((days) => days >= announcedDays),
  };
}
