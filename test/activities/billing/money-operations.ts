// What may happen to an invoice in a random sequence, how amounts are chosen, and refusals.
import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { DomainError } from '../../../domain/errors.ts';

/** How an amount is chosen: one cent, a share of the available sum, all of it, or one cent more. */
export interface Size {
  how: 'cent' | 'part' | 'all' | 'over';
  percent: number;
}

export type Operation =
  | { does: 'pay'; size: Size; isRepeated: boolean; mayExceed?: boolean }
  | { does: 'reverse'; pick: number }
  | { does: 'returnUnapplied'; pick: number; size: Size }
  | { does: 'disburse'; pick: number; isStopped: boolean }
  | { does: 'card'; size: Size }
  | { does: 'refund'; size: Size }
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

/** Who does all of this. */
export const ACTOR = { kind: 'user', id: 'test-admin', role: 'org_admin' } as const;

type Step = (step: { orgId: string; entityId: string }) => Promise<unknown>;

/** The remaining steps of a payment or return, in order. */
export interface Saga {
  entityId: string;
  steps: Step[];
}
