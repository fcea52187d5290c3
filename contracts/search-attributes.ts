// What every workflow shows an operator who searches for it. Stored in clear text: no personal data.
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

/** Search attributes of every workflow. They are stored in clear text: no personal data. */
export const SEARCH_ATTRIBUTES = {
  orgId: defineSearchAttributeKey('OrgId', SearchAttributeType.KEYWORD),
  entityId: defineSearchAttributeKey('EntityId', SearchAttributeType.KEYWORD),
  entityStatus: defineSearchAttributeKey('EntityStatus', SearchAttributeType.KEYWORD),
  lineOfBusiness: defineSearchAttributeKey('LineOfBusiness', SearchAttributeType.KEYWORD),
  policyNumber: defineSearchAttributeKey('PolicyNumber', SearchAttributeType.KEYWORD),
} as const;

/**
 * `EntityStatus` of the workflows that are no entities, and of an entity whose step has failed: an operator looks for
 * those that wait.
 */
export const SAGA_STATUS = { running: 'running', waiting: 'waiting', refused: 'refused' } as const;

/** Memo of a workflow that waits: `{step, message}`, so that a list of workflows says what for. Absent otherwise. */
export const WAITING_MEMO = 'waitingFor';

/** Memo of a workflow that somebody has tried to cancel. */
export const REFUSAL_MEMO = 'cancellation';
