/**
 * Healing: the rows of an organization whose workflow should be running are compared, page by page, with what Temporal
 * has, and what is missing is started from its row. An attempt that was cut off resumes where it was.
 * Starting twice does nothing.
 */
import { activityInfo, heartbeat } from '@temporalio/activity';
import type { Healed, HealingOrder } from '../../contracts/machinery/healing.ts';
import type { MoneyStep } from '../../contracts/machinery/saga.ts';
import {
  EXPECTED_KINDS,
  noteSagaEnd as endSagaOf,
  expectedWorkflows,
} from '../../db/queries/platform/expected-workflows.ts';
import { type Deps, transaction } from '../context.ts';

const PAGE = 100;
/** Enough to look into; a cluster that was lost has them all. */
const NAMED = 100;

/** Where an attempt stands: which kind of rows, after which of them, and what was found until then. */
interface Standing extends Healed {
  kind: number;
  after: string;
}

const START: Standing = { kind: 0, after: '', checked: 0, missing: 0, workflowIds: [] };

/**
 * Finds the workflows of an organization that should be running and are not, and starts them unless it is a dry run.
 */
export const healOrganization =
  (deps: Deps) =>
  async ({ orgId, isDryRun }: HealingOrder): Promise<Healed> => {
    let standing: Standing = (activityInfo().heartbeatDetails as Standing | undefined) ?? START;
    for (let kind = EXPECTED_KINDS[standing.kind]; kind !== undefined; kind = EXPECTED_KINDS[standing.kind]) {
      const ofKind = kind;
      const { after } = standing;
      const rows = await transaction(deps, { kind: 'healOrganization', orgId }, (em) =>
        expectedWorkflows(em, ofKind, { after, limit: PAGE }),
      );
      const expected = rows.map((row) => ({ ...row, kind: ofKind, orgId }));
      const missing = expected.length === 0 ? [] : await deps.engine.heal(expected, isDryRun);
      const isLast = rows.length < PAGE;
      standing = {
        kind: isLast ? standing.kind + 1 : standing.kind,
        after: isLast ? '' : (rows.at(-1)?.id ?? ''),
        checked: standing.checked + rows.length,
        missing: standing.missing + missing.length,
        workflowIds: [...standing.workflowIds, ...missing].slice(0, NAMED),
      };
      heartbeat(standing);
    }
    const { checked, missing, workflowIds } = standing;
    if (missing > 0) deps.logger.warn({ orgId, checked, missing, isDryRun }, 'workflows were missing');
    return { checked, missing, workflowIds };
  };

/** Keeps that nothing is left to be done for a payment or a refund. */
export const endSaga =
  (deps: Deps) =>
  ({ orgId, entityId }: MoneyStep): Promise<void> =>
    transaction(deps, { kind: 'endSaga', orgId }, (em) => endSagaOf(em, entityId, new Date(deps.now())));
