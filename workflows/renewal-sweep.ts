/**
 * Runs the daily renewal batch of every organization whose flag `auto_renewal` is on, page by page and a bounded
 * number at a time. The business date is its id, so a second sweep on the same day starts nothing. Started by a
 * schedule. Contract 3.2 "batch".
 */
import {
  type ChildWorkflowHandle,
  condition,
  continueAsNew,
  setCurrentDetails,
  type Workflow,
  workflowInfo,
} from '@temporalio/workflow';
import { renewalBatchWorkflowId, startOptions } from '../contracts/machinery/start.ts';
import type { RenewalBatchInput, RenewalSweepInput, RenewingOrganization } from '../contracts/renewal.ts';
import { startOutliving } from './machinery/children.ts';
import { RECONCILING } from './machinery/options.ts';
import { activitiesOn } from './machinery/queues.ts';
import { renewalBatchWorkflow } from './renewal-batch.ts';

const { renewingOrganizations } = activitiesOn('batch', {
  ...RECONCILING,
  summary: 'organizations that renew automatically',
});

const PAGE = 50;
const AT_ONCE = 5;
/** A batch that takes longer, perhaps waiting for an operator, must not hold up other organizations. */
const PLACE_FOR = '1 hour';
/** Pages per run, some 20 events per organization; the next run continues, so histories stay short. */
const PAGES_OF_A_RUN = 2;

export async function renewalSweepWorkflow(input: RenewalSweepInput = {}): Promise<void> {
  const { page = PAGE, atOnce = AT_ONCE } = input;
  const window = new SweepWindow(atOnce);
  let { after = '', started = 0 } = input;
  for (let pages = 0; pages < PAGES_OF_A_RUN && !workflowInfo().continueAsNewSuggested; pages += 1) {
    const organizations = await renewingOrganizations({ after, limit: page });
    for (const organization of organizations) {
      await window.begin(organization);
      started += 1;
      setCurrentDetails(`${started} organizations: their batches were started, the last for ${organization.orgId}`);
    }
    after = organizations.at(-1)?.orgId ?? after;
    if (organizations.length < page) return window.drain();
  }
  await window.drain();
  await continueAsNew<typeof renewalSweepWorkflow>({ page, atOnce, after, started });
}

/** The running batches: the next starts when one ends. */
class SweepWindow {
  readonly #atOnce: number;
  #running = 0;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  async begin({ orgId, date }: RenewingOrganization): Promise<void> {
    await condition(() => this.#running < this.#atOnce);
    const batch = await startDaily(orgId, date);
    if (batch !== null) void this.#watch(batch);
  }

  async drain(): Promise<void> {
    await condition(() => this.#running === 0);
  }

  async #watch(batch: ChildWorkflowHandle<Workflow>): Promise<void> {
    let hasEnded = false;
    this.#running += 1;
    // The batch itself reports how it ended.
    const end = () => {
      hasEnded = true;
    };
    void batch.result().then(end, end);
    await condition(() => hasEnded, PLACE_FOR);
    this.#running -= 1;
  }
}

function startDaily(orgId: string, date: string): Promise<ChildWorkflowHandle<Workflow> | null> {
  const input: RenewalBatchInput = { orgId };
  const facts = { orgId, entityId: orgId };
  const options = startOptions(renewalBatchWorkflowId(orgId, date), 'batch', facts);
  return startOutliving(renewalBatchWorkflow, input, options);
}
