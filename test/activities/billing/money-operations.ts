// What may happen to an invoice in a random sequence, how amounts are chosen, and refusals.
import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import type { Activities } from '../../../activities/create-activities.ts';
import { DomainError } from '../../../domain/errors.ts';

/** How an amount is chosen: one cent, a share of the available sum, all of it, or one cent more. */
export interface Size {
  how: 'cent' | 'part' | 'all' | 'over';
  percent: number;
}

export type Operation =
  | { does: 'pay'; size: Size; isRepeated: boolean; mayExceed?: boolean }
  | { does: 'reverse'; pick: number; feeCents?: number | null }
  | { does: 'returnUnapplied'; pick: number; size: Size }
  | { does: 'disburse'; pick: number; isStopped: boolean }
  | { does: 'card'; size: Size }
  | { does: 'refund'; size: Size }
  | { does: 'decide'; pick: number; isRejected: boolean }
  | { does: 'settle'; pick: number; isDeclined: boolean }
  | { does: 'refundAtProcessor'; pick: number; percent: number }
  | { does: 'dispute'; pick: number; percent: number; isWonFirst: boolean }
  | { does: 'closeDispute'; pick: number; isWon: boolean }
  | { does: 'repeat'; pick: number }
  | { does: 'void'; reissue: boolean }
  | { does: 'step'; pick: number; isTwice: boolean };

/** A size in cents, given the available sum. */
export function amountOf({ how, percent }: Size, limitCents: number): number {
  if (how === 'cent') return 1;
  if (how === 'part') return Math.max(1, Math.floor((limitCents * percent) / 100));
  return Math.max(1, limitCents) + (how === 'over' ? 1 : 0);
}

/** What the processor says about a dispute; a final status closes it. */
export function disputeNotice<T extends object>(status: string, of: T) {
  const isFinal = status === 'won' || status === 'lost';
  const type = `charge.dispute.${isFinal ? 'closed' : 'created'}`;
  return { ...of, status, type, createdAt: 1_773_570_000, reason: 'fraudulent' };
}

/** Runs something that must be refused with a code, or, given null, must succeed. */
export async function refusedAs(code: string | null, run: () => Promise<unknown>): Promise<void> {
  const found = await run().then(
    () => null,
    (error: unknown) => {
      if (error instanceof DomainError) return error.code as string;
      if (error instanceof ApplicationFailure && error.nonRetryable) return error.type ?? '';
      throw error;
    },
  );
  assert.equal(found, code);
}

/** Shared by all: making one per activity costs as much as the activity. */
const ENVIRONMENT = new MockActivityEnvironment({ attempt: 1 }, { logger: new DefaultLogger('ERROR') });

/** Runs an activity as Temporal would on its first attempt. */
export function attempt<R>(run: () => Promise<R>): Promise<R> {
  return ENVIRONMENT.run(run) as Promise<R>;
}

/** Who does all of this, and who decides on refunds. */
export const ACTOR = { kind: 'user', id: 'test-admin', role: 'org_admin' } as const;
export const APPROVER = { kind: 'user', id: 'test-approver', role: 'org_admin' } as const;

type Step = (step: { orgId: string; entityId: string }) => Promise<unknown>;

/** The remaining steps of a payment or return, in order. */
interface Saga {
  entityId: string;
  steps: Step[];
}

/** The sagas of an invoice, whose steps are taken in any order of the sagas. */
export class Sagas {
  readonly #activities: Activities;
  readonly #of: { orgId: string; hasProducer: boolean };
  readonly #sagas: Saga[] = [];

  constructor(activities: Activities, of: { orgId: string; hasProducer: boolean }) {
    this.#activities = activities;
    this.#of = of;
  }

  get areOver(): boolean {
    return this.#sagas.length === 0;
  }

  /** Whether a return is not in the ledger yet: its first step. */
  isUnposted(entityId: string): boolean {
    return this.#sagas.some((saga) => saga.entityId === entityId && saga.steps[0] === this.#activities.postRefund);
  }

  /** Starts the saga of a payment; one that does not complete its invoice has nothing to post. */
  startPayment(entityId: string, completes: boolean): void {
    if (!completes) return;
    const { recordCommission, postEarnings, postFiduciarySplit } = this.#activities;
    const commission = this.#of.hasProducer ? [recordCommission] : [];
    this.#sagas.push({ entityId, steps: [...commission, postEarnings, postFiduciarySplit] });
  }

  startReturn(entityId: string): void {
    const { postRefund, postRefundEarnings, reverseCommission } = this.#activities;
    const commission = this.#of.hasProducer ? [reverseCommission] : [];
    this.#sagas.push({ entityId, steps: [postRefund, postRefundEarnings, ...commission] });
  }

  /**
   * Takes the next step of one of them, and returns whether there was one; a saga that has to wait for another one
   * stays where it is.
   */
  async step(pick: number, isTwice = false): Promise<boolean> {
    const saga = this.#sagas[pick % this.#sagas.length];
    const [next] = saga?.steps ?? [];
    if (!saga || !next) return false;
    const of = { orgId: this.#of.orgId, entityId: saga.entityId };
    try {
      const answer = (await attempt(() => next(of))) as { splitCents?: number } | undefined;
      if (isTwice) await attempt(() => next(of));
      saga.steps = answer?.splitCents === 0 ? [] : saga.steps.slice(1);
    } catch (error) {
      if (!(error instanceof ApplicationFailure) || error.type !== 'not_ready') throw error;
    }
    if (saga.steps.length === 0) this.#sagas.splice(this.#sagas.indexOf(saga), 1);
    return true;
  }
}
