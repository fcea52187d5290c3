/** Every activity by name, as a worker registers them and workflows see them by type. */

import { bindPolicy } from './binds.ts';
import type { Deps } from './context.ts';
import { activatePolicy, expirePolicy, readPolicy } from './policies.ts';
import { quoteSubmission } from './quotes.ts';
import {
  correctSubmission,
  createSubmission,
  declineSubmission,
  expireSubmission,
  readSubmission,
  withdrawSubmission,
} from './submissions.ts';
import { acceptClockAdvance, stepTestClock, wakeDueEntities } from './test-clock.ts';

export type Activities = ReturnType<typeof createActivities>;

export function createActivities(deps: Deps) {
  return {
    createSubmission: createSubmission(deps),
    correctSubmission: correctSubmission(deps),
    quoteSubmission: quoteSubmission(deps),
    bindPolicy: bindPolicy(deps),
    withdrawSubmission: withdrawSubmission(deps),
    declineSubmission: declineSubmission(deps),
    expireSubmission: expireSubmission(deps),
    readSubmission: readSubmission(deps),
    activatePolicy: activatePolicy(deps),
    expirePolicy: expirePolicy(deps),
    readPolicy: readPolicy(deps),
    acceptClockAdvance: acceptClockAdvance(deps),
    stepTestClock: stepTestClock(deps),
    wakeDueEntities: wakeDueEntities(deps),
  };
}
