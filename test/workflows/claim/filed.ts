// A claim without the API: stores its particulars and files its notice by a command, as the API does.

import { newId } from '../../../db/ids.ts';
import { keepParticulars } from '../../../db/queries/claim/claim-words.ts';
import { addDays } from '../../../domain/dates.ts';
import type { SubmissionValues } from '../../../domain/submission/submission.ts';
import { bindNew, type Engine, type Tenant } from '../run-engine.ts';

const NOTHING_ELSE = {
  ...{ cause: null, reportedBy: null, lossLocation: null },
  ...{ claimantName: null, claimantEmail: null, claimantPhone: null },
};

export const advance = (tenant: Tenant, days: number) =>
  tenant.lifecycle.advanceTestClock(tenant.command(tenant.orgId, { advanceTo: addDays(tenant.today, days) }));

/** Files a claim for a loss today, on a policy effective today. */
export async function filed(
  tenant: Tenant,
  engine: Pick<Engine, 'temporal'>,
  changes: Partial<SubmissionValues> = {},
): Promise<string> {
  const { orgId, database, lifecycle, command, today } = tenant;
  const { policyId } = await bindNew(engine, tenant, { effectiveDate: today, ...changes });
  const claimId = newId('claim');
  await database.transaction(orgId, (em) =>
    keepParticulars(em, { claimId, description: 'A guest fell.', ...NOTHING_ELSE }),
  );
  const notice = { policyId, lossDate: today, estimatedAmountCents: null, containsPhi: false };
  await lifecycle.fileClaim(command(claimId, notice));
  return claimId;
}
