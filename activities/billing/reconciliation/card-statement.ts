/**
 * Reads a day of the card processor's statement and stores its lines with the organizations that they belong to, where
 * the checks compare them with the payments. Payouts whose events never arrived are recorded on the way.
 */

import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { StatementCover, StatementDay } from '../../../contracts/trust.ts';
import { saveStatementLines } from '../../../db/queries/billing/card-statements.ts';
import { knownOrganizations } from '../../../db/queries/platform/organizations.ts';
import { DAY_MS } from '../../../domain/dates.ts';
import { DomainError } from '../../../domain/errors.ts';
import type { ListedMovement } from '../../../providers/ports.ts';
import { activityFailure, type Deps } from '../../context.ts';
import { recordCardPayout } from '../cards/card-payouts.ts';
import { ownerOfIntent } from '../cards/payout-owners.ts';

/**
 * Stores a day's lines; returns the first instant of the day. Fails, and is retried, while the processor is
 * unavailable.
 */
export const importCardStatement =
  (deps: Deps) =>
  async ({ daysAgo, orgId }: StatementDay): Promise<StatementCover> => {
    const from = new Date((Math.floor(deps.now() / DAY_MS) - daysAgo) * DAY_MS);
    const to = new Date(from.getTime() + DAY_MS);
    const step = { kind: 'importCardStatement', orgId: orgId ?? '' };
    const lines = await deps.card.statement(from, to).catch(triedAgain);
    if (lines === null) return { from: null, reason: 'No card processor has been configured.' };
    for (const payoutId of await payoutsOf(deps, from, to)) await recordIfPossible(deps, payoutId);
    try {
      const byOrg = await byOrganization(deps, lines);
      for (const [owner, own] of byOrg) {
        if (orgId !== null && owner !== orgId) continue;
        const rows = own.map(({ orgId: _, ...line }) => line);
        await deps.database.transaction(owner, (em) => saveStatementLines(em, rows));
      }
      return { from: from.toISOString(), reason: null };
    } catch (error) {
      throw activityFailure(deps, step, error);
    }
  };

/** A payout that cannot be recorded, for whatever reason, must not stop the statement from being read. */
async function recordIfPossible(deps: Deps, payoutId: string): Promise<void> {
  try {
    await recordCardPayout(deps)({ payoutId });
  } catch (error) {
    if (error instanceof CancelledFailure) throw error;
    const reason = error instanceof Error ? error.message : typeof error;
    deps.logger.error({ payoutId, reason, priority: 2 }, 'a payout could not be recorded');
  }
}

function payoutsOf({ card }: Deps, from: Date, to: Date): Promise<string[]> {
  return card.payouts(from, to).catch(triedAgain);
}

/** The processor is unavailable. */
function triedAgain(error: unknown): never {
  throw error instanceof DomainError ? ApplicationFailure.retryable(error.message, error.code) : error;
}

/** A line with no organization or intent of ours is not ours: others may share the account. */
async function byOrganization(
  { database }: Deps,
  lines: readonly ListedMovement[],
): Promise<Map<string, ListedMovement[]>> {
  const named = lines.flatMap(({ orgId }) => orgId ?? []);
  const nameless = [...new Set(lines.filter(({ orgId }) => orgId === null).map(({ intentId }) => intentId))];
  const { known, owners } = await database.acrossOrgs('whose card statement lines are', async (em) => {
    const owners = new Map<string, string>();
    for (const intentId of nameless) {
      const owner = await ownerOfIntent(em, intentId);
      if (owner !== null) owners.set(intentId, owner);
    }
    return { known: await knownOrganizations(em, [...new Set(named)]), owners };
  });
  const found = new Map<string, ListedMovement[]>();
  for (const line of lines) {
    const owner = line.orgId === null ? owners.get(line.intentId) : line.orgId;
    if (owner === undefined || (line.orgId !== null && !known.has(owner))) continue;
    found.set(owner, [...(found.get(owner) ?? []), line]);
  }
  return found;
}
