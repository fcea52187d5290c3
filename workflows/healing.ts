/**
 * Heals every organization, or one, page by page: restarts lost workflows from their rows. Started by a daily schedule
 * and by `npm run ops -- heal`. The rows are the truth. An organization that cannot be healed holds up no other.
 */
import { continueAsNew, log, rootCause, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { Healed, HealingInput, HealingOrder, HealingResult } from '../contracts/machinery/healing.ts';
import { isLasting } from './machinery/failures.ts';
import { HEALING, RECONCILING } from './machinery/options.ts';
import { activitiesOn } from './machinery/queues.ts';

const { organizationsAfter } = activitiesOn('batch', { ...RECONCILING, summary: 'the next organizations' });
const { healOrganization } = activitiesOn('batch', { ...HEALING, summary: 'rows against workflows' });

/** Organizations per run, some six events each; the next run continues, so histories stay short. */
const ORGANIZATIONS_OF_A_RUN = 300;
const PAGE = 100;
/** The maximum number of workflows named in the result. */
const NAMED = 100;

const NOTHING: HealingResult = { organizations: 0, checked: 0, missing: 0, failed: 0, workflowIds: [] };
const UNHEALED: Outcome = { checked: 0, missing: 0, failed: 1, workflowIds: [] };

type Outcome = Healed & { failed: number };

export async function healingWorkflow(input: HealingInput = {}): Promise<HealingResult> {
  const { orgId, isDryRun = false, organizationsOfARun = ORGANIZATIONS_OF_A_RUN } = input;
  if (orgId !== undefined) {
    return added(NOTHING, { ...(await healOrganization({ orgId, isDryRun })), failed: 0 });
  }
  let { after = '', found = NOTHING } = input;
  const last = found.organizations + organizationsOfARun;
  for (;;) {
    const orgIds = await organizationsAfter({ after, limit: PAGE });
    if (orgIds.length === 0) return found;
    for (after of orgIds) {
      found = added(found, await healedUnlessItFails({ orgId: after, isDryRun }));
      setCurrentDetails(
        `${found.organizations} organizations, ${found.failed} of them failed, ${found.checked} rows, **${found.missing} missing**`,
      );
      if (found.organizations >= last || workflowInfo().continueAsNewSuggested) {
        await continueAsNew<typeof healingWorkflow>({ ...input, after, found });
      }
    }
  }
}

async function healedUnlessItFails(order: HealingOrder): Promise<Outcome> {
  try {
    return { ...(await healOrganization(order)), failed: 0 };
  } catch (error) {
    if (!isLasting(error)) throw error;
    log.error('An organization could not be healed', { orgId: order.orgId, reason: rootCause(error) });
    return UNHEALED;
  }
}

function added(found: HealingResult, { checked, missing, failed, workflowIds }: Outcome): HealingResult {
  return {
    organizations: found.organizations + 1,
    checked: found.checked + checked,
    missing: found.missing + missing,
    failed: found.failed + failed,
    workflowIds: [...found.workflowIds, ...workflowIds].slice(0, NAMED),
  };
}
