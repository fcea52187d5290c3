/**
 * A policy change's use of delegated authority: usage moves with written premium under a lock, and a change that
 * exceeds it opens a referral to someone with more authority. Contract 3.2 "endorse", 3.7.
 */

import type { EntityManager } from '@mikro-orm/postgresql';
import { ApplicationFailure } from '@temporalio/common';
import type { Command, Repeatable } from '../../contracts/machinery/command.ts';
import { Referral, type ReferredChange } from '../../db/entities/authority/referral.ts';
import { newId } from '../../db/ids.ts';
import { addRow } from '../../db/new-rows.ts';
import { findContract, type LockedUsage } from '../../db/queries/authority/authority.ts';
import { latestReferralOf, openReferralOf } from '../../db/queries/authority/referrals.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import { lockPolicy } from '../../db/queries/policy/policies.ts';
import type { Denial } from '../../domain/access/denial-text.ts';
import { auditedChanges } from '../../domain/audit.ts';
import { type DaFlag, isShown } from '../../domain/authority/authority.ts';
import type { figuresInDollars } from '../../domain/authority/referral.ts';
import { concernsSame, newReferralCalendar } from '../../domain/authority/referral-calendar.ts';
import { DomainError } from '../../domain/errors.ts';
import type { DataOf } from '../../domain/events.ts';
import { fromDollars } from '../../domain/money.ts';
import { businessDay } from '../../plans/platform/business-day.ts';
import { auditOf, SYSTEM } from '../audit.ts';
import { activityFailure, type Deps, transaction } from '../context.ts';
import { takeAuthority } from './authority-use.ts';
import { giveWayTo } from './referral-withdrawals.ts';
import { addRequester } from './requesters.ts';

/**
 * Moves locked usage with the written premium. Returns the alert to publish if this change passes 85 percent,
 * otherwise null.
 */
export async function moveUsage(
  em: EntityManager,
  usage: LockedUsage | null,
  premiumChangeCents: number,
): Promise<DataOf<'da.limit_approaching'> | null> {
  if (usage === null || premiumChangeCents === 0) return null;
  return takeAuthority(em, { usage, contract: await findContract(em, usage.contractId) }, premiumChangeCents);
}

/** The changes that an approval carries out; others are repeated by the requester. */
type Kind = ReferredChange['kind'] | null;

/**
 * Wraps a policy change: when it exceeds the authority, a separate transaction opens a referral, and the refusal
 * carries its flags. Each policy has at most one open referral; the same attempt joins it, a different one replaces
 * it.
 */
export function referring<P, R extends object>(
  deps: Deps,
  kind: Kind,
  change: (command: Command<P>) => Promise<Repeatable<R>>,
) {
  return async (command: Command<P>): Promise<Repeatable<R>> => {
    try {
      return await change(command);
    } catch (error) {
      const refusal = referableRefusal(error, kind);
      if (refusal === null) throw error;
      const step = { kind: 'referPolicy', orgId: command.orgId, requestId: command.requestId };
      const { daFlags, referralId } = await transaction(deps, step, (em) =>
        refer(em, command, kind, refusal, deps.now()),
      );
      const details = refusal.denial === null ? { daFlags } : { ...refusal.denial, referralId };
      throw activityFailure(deps, step, new DomainError(refusal.code, refusal.message, details));
    }
  };
}

/**
 * A refusal: by the contract, with its flags, or by the actor's own authority; the policy in its details, and the
 * figures the change would have produced, in dollars.
 */
interface Refusal {
  code: 'delegated_authority_exceeded' | 'forbidden';
  message: string;
  /** Why the actor's own authority does not cover it; null if the contract refused. */
  denial: Denial | null;
  daFlags: DaFlag[];
  policyId: string | null;
  requested: ReturnType<typeof figuresInDollars> | null;
}

/** For own authority, only changes that an approval can carry out are referred. */
function referableRefusal(error: unknown, kind: Kind): Refusal | null {
  if (!(error instanceof ApplicationFailure)) return null;
  const [details] = (error.details ?? []) as Partial<Refusal>[];
  const { daFlags = [], policyId = null, requested = null, ...denial } = details ?? {};
  const about = { message: error.message, daFlags, policyId, requested };
  if (error.type === 'delegated_authority_exceeded') return { ...about, code: error.type, denial: null };
  if (error.type !== 'forbidden' || kind === null || requested === null) return null;
  return { ...about, code: error.type, denial: denial as unknown as Denial };
}

/**
 * Refers a refused change. The same request joins the open referral; a different one replaces it with a new referral,
 * so that no one decides on something they have not read. A refusal concerns the command's policy, or the one in its
 * details.
 */
async function refer(
  em: EntityManager,
  command: Command<unknown>,
  kind: Kind,
  refusal: Refusal,
  nowMs: number,
): Promise<{ daFlags: DaFlag[]; referralId: string | null }> {
  const policyId = refusal.policyId ?? command.entityId;
  const policy = await lockPolicy(em, policyId);
  const open = await openReferralOf(em, { policyId });
  if (isByCalendar(command)) {
    // The calendar retries every day: it replaces no other request, and does not repeat a rejected one.
    if (open !== null && open.request?.kind !== kind) return named(refusal, open.id);
    const latest = open === null ? await latestReferralOf(em, policyId) : null;
    if (latest?.status === 'rejected') return { daFlags: refusal.daFlags, referralId: null };
  }
  const request = requestOf(command, kind, refusal);
  const limitCents = request?.figures.limitCents ?? policy?.limitCents ?? null;
  const premiumCents = request?.figures.premiumCents ?? policy?.grossPremiumCents ?? null;
  const matter = { request, limitCents, premiumCents, lineOfBusiness: policy?.lineOfBusiness ?? null };
  const joined = open !== null && concernsSame(open, matter) ? open : null;
  const { daFlags, referralId } = named(refusal, joined?.id ?? newId('referral'));
  const flags = daFlags.filter(isShown);
  if (open !== null && joined === null) {
    writeAudit(em, giveWayTo(referralId, open, command));
    // At most one is open, even in between.
    await em.flush();
  }
  const before = joined && factsOf(joined);
  const referral =
    joined ??
    addRow(em, Referral, {
      ...{ id: referralId, policyId, ...matter, dealRoomId: open?.dealRoomId ?? null },
      ...newReferralCalendar((await businessDay(em, command.orgId, nowMs)).today),
      ...{ reason: reasonOf(refusal, flags), status: 'pending', requestedBy: command.actor.id },
    });
  referral.flags = flags;
  await addRequester(em, referral, command.actor);
  const changes = auditedChanges(before, factsOf(referral));
  await em.flush();
  const action = joined === null ? 'referral:create' : 'referral:update';
  writeAudit(em, auditOf({ ...command, entityId: referralId }, action, 'referral', changes));
  return { daFlags, referralId };
}

function isByCalendar({ actor }: Command<unknown>): boolean {
  return actor.kind === SYSTEM.kind && actor.id === SYSTEM.id;
}

/** A refusal whose flags name its referral. */
function named({ daFlags }: Refusal, referralId: string) {
  return { daFlags: daFlags.map((flag) => (isShown(flag) ? { ...flag, referralId } : flag)), referralId };
}

function reasonOf({ denial }: Refusal, flags: readonly DaFlag[]): string {
  if (denial === null) return flags.map((flag) => flag.message).join(' ');
  const { limit, actual } = denial;
  return `This exceeds the requester's own authority of ${dollarText(limit)}: it needs ${dollarText(actual)}.`;
}

function dollarText(dollars: number | undefined): string {
  return `$${(dollars ?? 0).toLocaleString('en-US')}`;
}

/** What an approval carries out; null for a change to a policy other than the referred one. */
function requestOf(
  { entityId, payload }: Command<unknown>,
  kind: Kind,
  { policyId, requested }: Refusal,
): ReferredChange | null {
  if (kind === null || requested === null || (policyId !== null && policyId !== entityId)) return null;
  const figures = {
    limitCents: fromDollars(requested.limit, 'limit'),
    premiumCents: fromDollars(requested.premium, 'premium'),
    premiumChangeCents: fromDollars(requested.premiumChange, 'premiumChange'),
  };
  return { kind, payload, figures } as ReferredChange;
}

function factsOf({ policyId, status, flags }: Pick<Referral, 'policyId' | 'status' | 'flags'>): object {
  return { policyId, status, flags: flags.map(({ code }) => code) };
}
