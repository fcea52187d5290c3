// An endorsement issued after the renewal was bound: whether the next term has it, and what it will do there. Contract
// 3.2 "endorse".
import { isDeepStrictEqual } from 'node:util';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Policy } from '../../db/entities/policy/policy.ts';
import { findPolicy } from '../../db/queries/policy/policies.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { DomainError } from '../../domain/errors.ts';
import type { TermChanges } from '../../domain/policy/transaction.ts';
import { openRenewalOf } from '../renewal/term-chain.ts';
import type { ChangePlan } from './change-plan.ts';
import { type EndorsementRequest, planEndorsement, type Screened } from './endorsement-plan.ts';

/** Reads a policy's current next term, or null. */
export async function nextTermOf(em: EntityManager, { id }: Pick<Policy, 'id'>): Promise<Readonly<Policy> | null> {
  const nextId = await openRenewalOf(em, id);
  return nextId === null ? null : findPolicy(em, nextId);
}

/** Whether a next term has the terms that an endorsement names. */
export function carries(next: Readonly<Policy>, changes: TermChanges): boolean {
  const fields = Object.keys(changes) as (keyof TermChanges)[];
  return fields.every((field) => isDeepStrictEqual(next[field], changes[field]));
}

/**
 * Plans the same changes for the next term, from its first day; null if it already has them. Writes nothing.
 * @throws DomainError invalid_state_transition, delegated_authority_exceeded with `{daFlags, policyId}`
 */
export async function planForNextTerm(
  em: EntityManager,
  next: Readonly<Policy>,
  { changes, reason, cleared = [] }: Pick<EndorsementRequest, 'changes' | 'reason' | 'cleared'>,
  today: BusinessDate,
  screened?: Screened,
): Promise<ChangePlan | null> {
  if (carries(next, changes)) return null;
  try {
    const request = { effectiveDate: next.effectiveDate, changes, reason, cleared };
    return await planEndorsement(em, next, request, today, screened);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'delegated_authority_exceeded') throw error;
    throw new DomainError(error.code, error.message, { ...error.details, policyId: next.id });
  }
}

/**
 * Refuses to apply a change to a next term that does not exist.
 * @throws DomainError not_ready with `{missing, blockers}`
 */
export function ensureNextTerm<T>(next: T | null): T {
  if (next !== null) return next;
  throw new DomainError('not_ready', 'The policy has no next term yet. Leave applyToRenewal out.', {
    missing: [],
    blockers: ['NO_NEXT_TERM'],
  });
}
