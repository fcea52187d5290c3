/**
 * Healing of every organization, or of one, page by page: workflows that were lost are started again from their rows.
 * Started by a schedule every day and by `npm run ops -- heal`. The rows are the truth.
 */
import { continueAsNew, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { Healed, HealingInput, HealingResult } from '../contracts/machinery/healing.ts';
import { HEALING, RECONCILING } from './machinery/options.ts';
import { activitiesOn } from './machinery/queues.ts';

const { organizationsAfter } = activitiesOn('batch', { ...RECONCILING, summary: 'the next organizations' });
const { healOrganization } = activitiesOn('batch', { ...HEALING, summary: 'rows against workflows' });

/** Organizations of a run, some six events each; the next run goes on, so histories stay short. */
const ORGANIZATIONS_OF_A_RUN = 300;
const PAGE = 100;
/** The result names at most this many workflows. */
const NAMED = 100;

const NOTHING: HealingResult = { organizations: 0, checked: 0, missing: 0, workflowIds: [] };

export async function healingWorkflow(input: HealingInput = {}): Promise<HealingResult> {
  const { orgId, isDryRun = false, organizationsOfARun = ORGANIZATIONS_OF_A_RUN } = input;
  if (orgId !== undefined) return added(NOTHING, await healOrganization({ orgId, isDryRun }));
  let { after = '', found = NOTHING } = input;
  const last = found.organizations + organizationsOfARun;
  for (;;) {
    const orgIds = await organizationsAfter({ after, limit: PAGE });
    if (orgIds.length === 0) return found;
    for (after of orgIds) {
      found = added(found, await healOrganization({ orgId: after, isDryRun }));
      setCurrentDetails(`${found.organizations} organizations, ${found.checked} rows, **${found.missing} missing**`);
      if (found.organizations >= last || workflowInfo().continueAsNewSuggested) {
        await continueAsNew<typeof healingWorkflow>({ ...input, after, found });
      }
    }
  }
}

function added(found: HealingResult, { checked, missing, workflowIds }: Healed): HealingResult {
  return {
    organizations: found.organizations + 1,
    checked: found.checked + checked,
    missing: found.missing + missing,
    workflowIds: [...found.workflowIds, ...workflowIds].slice(0, NAMED),
  };
}
