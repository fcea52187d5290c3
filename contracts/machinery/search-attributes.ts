// The attributes of every workflow that operators can search by. Stored in clear text: no personal data.
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
 * `EntityStatus` of workflows that are not entities, and of an entity with a failed step: operators search for the
 * waiting ones. A workflow in normal progress has none; the server itself knows which are running.
 */
export const SAGA_STATUS = { waiting: 'waiting', awaitingApproval: 'awaiting_approval', refused: 'refused' } as const;

/** Memo of a waiting workflow, `{step, message}`: a list of workflows then shows what each waits for. */
export const WAITING_MEMO = 'waitingFor';

/** Memo of a workflow that a person tried to cancel. */
export const REFUSAL_MEMO = 'cancellation';
