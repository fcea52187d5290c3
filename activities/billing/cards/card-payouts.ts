/**
 * The card processor's payouts to the trust account: read from the processor, divided among the organizations that own
 * the money, and posted once in each, however often they are reported. Contract 3.4, decision 0134.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { ApplicationFailure } from '@temporalio/common';
import type { CardPayoutInput, CardPayoutOutcome } from '../../../contracts/inbound.ts';
import { CardPayout } from '../../../db/entities/billing/card-payout.ts';
import { newId } from '../../../db/ids.ts';
import { writeNewRows } from '../../../db/new-rows.ts';
import {
  findPayoutOf,
  lockCardPayouts,
  writePayoutLines,
} from '../../../db/queries/billing/card-payouts/card-payouts.ts';
import { postEntry } from '../../../db/queries/billing/ledger.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { writeEvent } from '../../../db/queries/platform/events.ts';
import {
  isWhole,
  nobodysMovements,
  type OwnedMovement,
  PAYOUT_CURRENCY,
  type PayoutShare,
  type ProcessorPayout,
  payoutShares,
} from '../../../domain/billing/card-payout.ts';
import { cardPayoutEntries, failedCardPayoutEntry } from '../../../domain/billing/ledger/card-payout-entries.ts';
import { DomainError } from '../../../domain/errors.ts';
import { toDollars } from '../../../domain/money.ts';
import { businessDay } from '../../../plans/platform/business-day.ts';
import { auditOf } from '../../audit.ts';
import { activityFailure, type Deps, transaction } from '../../context.ts';
import { CARD_PROCESSOR } from './card-receipts.ts';
import { raiseCurrency } from './payout-currency.ts';
import { ownMovements } from './payout-owners.ts';

const KIND = 'recordCardPayout';
const SOURCE = 'card_payout';

/** A payout still in transit is recorded once it has arrived. */
const ARRIVED = ['paid', 'failed'];

/**
 * Brings the books in line with the processor's record of a payout. Returns the outcome in each organization.
 * @throws ApplicationFailure, to be retried, while the processor is unavailable or still compiling what it settles
 */
export const recordCardPayout =
  (deps: Deps) =>
  async ({ payoutId }: CardPayoutInput): Promise<CardPayoutOutcome[]> => {
    const payout = await deps.card.readPayout(payoutId).catch(refused);
    if (payout === null) deps.logger.warn({ payoutId }, 'the card processor does not know a payout');
    if (payout === null || !ARRIVED.includes(payout.status)) return [];
    if (payout.currency !== PAYOUT_CURRENCY) {
      await raiseCurrency(deps, payout);
      return [];
    }
    if (!isWhole(payout)) {
      throw ApplicationFailure.retryable('The movements of the payout do not add up to its amount yet.', 'not_ready');
    }
    if (payout.movements.length === 0) {
      deps.logger.error({ payoutId, priority: 2 }, 'the card processor does not say what a payout settles');
    }
    await recordEarlier(deps, payout);
    const owned = await ownMovements(deps, payout.movements).catch((error: unknown) => {
      throw activityFailure(deps, { kind: KIND, orgId: '' }, error);
    });
    warnOfNobodys(deps, payoutId, owned);
    const outcomes: CardPayoutOutcome[] = [];
    for (const [orgId, share] of payoutShares(owned)) {
      const step = { kind: KIND, orgId };
      outcomes.push(await transaction(deps, step, (em) => bringUpToDate(em, deps, { orgId, payout, share })));
    }
    return outcomes;
  };

/** Money that came back belongs to those who were paid it: the failed payout itself may never have been reported. */
async function recordEarlier(deps: Deps, { payoutId, movements }: ProcessorPayout): Promise<void> {
  for (const earlier of new Set(movements.flatMap(({ failedPayoutId }) => failedPayoutId ?? []))) {
    if (earlier !== payoutId) await recordCardPayout(deps)({ payoutId: earlier });
  }
}

function warnOfNobodys({ logger }: Deps, payoutId: string, owned: readonly OwnedMovement[]): void {
  const nobodys = nobodysMovements(owned);
  if (nobodys.length === 0) return;
  const transactionIds = nobodys.map(({ transactionId }) => transactionId);
  logger.error(
    { payoutId, transactionIds, priority: 2 },
    'a part of a payout belongs to no organization and has not been posted',
  );
}

function refused(error: unknown): never {
  if (!(error instanceof DomainError)) throw error;
  const { message, code } = error;
  throw code === 'service_unavailable'
    ? ApplicationFailure.retryable(message, code)
    : ApplicationFailure.nonRetryable(message, code);
}

interface Part {
  orgId: string;
  payout: ProcessorPayout;
  share: PayoutShare;
}

/** A failed payout was paid first, so the fees that it settled stay booked. */
async function bringUpToDate(em: EntityManager, deps: Deps, part: Part): Promise<CardPayoutOutcome> {
  await lockCardPayouts(em);
  const { orgId, payout } = part;
  const found = await findPayoutOf(em, payout.payoutId);
  const row = found ?? (await record(em, deps, part));
  const hasFailed = payout.status === 'failed' && row.status === 'paid';
  if (hasFailed) await takeBack(em, deps, row);
  const known = found === null ? 'recorded' : 'known';
  return { orgId, cardPayoutId: row.id, outcome: hasFailed ? 'failed' : known };
}

async function record(em: EntityManager, deps: Deps, { orgId, payout, share }: Part): Promise<CardPayout> {
  const { today } = await businessDay(em, orgId, deps.now());
  const { payoutId, arrivesOn, trace, amountCents } = payout;
  const { grossCents, feeCents, netCents, movements } = share;
  const row = em.create(
    CardPayout,
    {
      ...{ id: newId('cardPayout'), processorPayoutId: payoutId, status: 'paid', arrivesOn, trace },
      ...{ grossCents, feeCents, netCents, payoutCents: amountCents, lineCount: movements.length },
      ...{ recordedOn: today, failedOn: null },
    },
    { persist: true },
  );
  await em.flush();
  await writePayoutLines(em, row.id, movements);
  const description = `Payout ${payoutId} of the card processor`;
  for (const entry of cardPayoutEntries(share)) {
    postEntry(em, entry, { sourceType: SOURCE, sourceId: row.id, date: today, description });
  }
  await writeNewRows(em);
  audit(em, row, 'card_payout:record', { status: { before: null, after: 'paid' } });
  return row;
}

async function takeBack(em: EntityManager, deps: Deps, row: CardPayout): Promise<void> {
  const { today } = await businessDay(em, row.orgId, deps.now());
  Object.assign(row, { status: 'failed', failedOn: today });
  await em.flush();
  const description = `Payout ${row.processorPayoutId} of the card processor came back`;
  const source = { sourceType: SOURCE, sourceId: row.id, date: today, description } as const;
  postEntry(em, failedCardPayoutEntry(row.netCents), source);
  await writeNewRows(em);
  audit(em, row, 'card_payout:fail', { status: { before: 'paid', after: 'failed' } });
  const message = 'The bank did not take a payout of the card processor. The processor has the money again.';
  const alert = { severity: 'critical', requiresManualReview: true, operation: 'card.payout_failed' } as const;
  const facts = { ...alert, message, reference: row.processorPayoutId, amount: toDollars(row.netCents) };
  writeEvent(em, 'financial.operation_failed', facts, new Date(deps.now()));
}

function audit(
  em: EntityManager,
  { id }: CardPayout,
  action: string,
  changes: Record<string, { before: unknown; after: unknown }>,
): void {
  writeAudit(em, auditOf({ actor: CARD_PROCESSOR, requestId: null, entityId: id }, action, 'card_payout', changes));
}
