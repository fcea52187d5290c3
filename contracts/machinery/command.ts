// One request to change one entity, and the references that steps use. Plain JSON.

import { defineSignal } from '@temporalio/workflow';
import type { BusinessDate } from '../../domain/dates.ts';
import type { ActorRef } from '../../domain/permissions.ts';

/** A request to change one entity. The outcome is stored under `commandId`. */
export interface Command<P = Record<string, never>> {
  commandId: string;
  /**
   * The update's id; the command's id by default. A run always answers an update id with its first outcome, even once
   * it has ended, so a command whose failure is not stored for its Idempotency-Key is sent under a different id next
   * time.
   */
  updateId?: string;
  /**
   * Set when it is sent again. The server may have lost that it was carried out, so that only the rows know: the
   * workflow leaves it to the step to refuse it or to return what was stored.
   */
  isRepeat?: true;
  orgId: string;
  entityId: string;
  actor: ActorRef;
  requestId: string;
  /** The version in the caller's `If-Match`, checked against the locked row. */
  expectedVersion?: number;
  payload: P;
}

/** An outcome, marked if an earlier run of the same command stored it; the entity may have moved on since. */
export type Repeatable<Outcome> = Outcome & { repeated?: true };

/** A step triggered by a date: its entity, and the business date on which the workflow acts. */
export interface DueCommand {
  orgId: string;
  entityId: string;
  today: BusinessDate;
}

/** Names a row to read. */
export interface EntityRef {
  orgId: string;
  entityId: string;
}

/** A step of another entity changed this entity's row. */
export const rowChangedSignal = defineSignal('rowChanged');
