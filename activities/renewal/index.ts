// The activities of this slice, by name.
import type { Deps } from '../context.ts';
import { nonRenewPolicy, withdrawNonRenewal } from './non-renewals.ts';
import {
  closeRenewalBatch,
  openDailyRenewals,
  openRenewalBatch,
  pendingRenewals,
  readRenewalBatch,
} from './renewal-batches.ts';
import { giveUpRenewals, renewSlice } from './renewal-slices.ts';
import { renewingOrganizations } from './renewal-sweep.ts';
import { renewPolicy } from './renewals.ts';

export const renewalActivities = (deps: Deps) => ({
  renewPolicy: renewPolicy(deps),
  nonRenewPolicy: nonRenewPolicy(deps),
  withdrawNonRenewal: withdrawNonRenewal(deps),
  openRenewalBatch: openRenewalBatch(deps),
  openDailyRenewals: openDailyRenewals(deps),
  readRenewalBatch: readRenewalBatch(deps),
  pendingRenewals: pendingRenewals(deps),
  renewSlice: renewSlice(deps),
  giveUpRenewals: giveUpRenewals(deps),
  closeRenewalBatch: closeRenewalBatch(deps),
  renewingOrganizations: renewingOrganizations(deps),
});
