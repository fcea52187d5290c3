// Every activity by name, as workers register them and workflows see their types.

import { billingActivities } from './billing/index.ts';
import { claimActivities } from './claim/index.ts';
import type { Deps } from './context.ts';
import { deliveryActivities } from './delivery/index.ts';
import { distributionActivities } from './distribution/index.ts';
import { documentActivities } from './document/index.ts';
import { inboundActivities } from './inbound/index.ts';
import { insightActivities } from './insight/index.ts';
import { noticeActivities } from './notice/index.ts';
import { platformActivities } from './platform/index.ts';
import { policyActivities } from './policy/index.ts';
import { renewalActivities } from './renewal/index.ts';
import { signingActivities } from './signing/index.ts';
import { submissionActivities } from './submission/index.ts';

export type Activities = ReturnType<typeof createActivities>;

/** Builds the activities from their dependencies. */
export function createActivities(deps: Deps) {
  return {
    ...submissionActivities(deps),
    ...policyActivities(deps),
    ...claimActivities(deps),
    ...renewalActivities(deps),
    ...noticeActivities(deps),
    ...billingActivities(deps),
    ...deliveryActivities(deps),
    ...documentActivities(deps),
    ...distributionActivities(deps),
    ...inboundActivities(deps),
    ...signingActivities(deps),
    ...insightActivities(deps),
    ...platformActivities(deps),
  };
}
