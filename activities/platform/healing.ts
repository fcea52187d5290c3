/**
 * Healing: compares an organization's rows whose workflows should be running, page by page, with Temporal, and starts
 * missing workflows from their rows. An interrupted attempt resumes where it was. Starting twice does nothing.
 */
import { activityInfo, heartbeat } from '@temporalio/activity';
import type { Healed, HealingOrder } from '../../contracts/machinery/healing.ts';
import type { MoneyStep } from '../../contracts/machinery/saga.ts';
import { expectedWorkflows, noteSagaEnd } from '../../db/queries/platform/expected-workflows.ts';
import { EXPECTED_KINDS } from '../../domain/platform/healing.ts';
import { type Deps, transaction } from '../context.ts';

const PAGE = 100;
/** Enough to investigate; after a lost cluster, all are missing. */
const NAMED = 100;

/** An attempt's progress: the kind of rows, the last one read, and the findings so far. */
interface Standing extends Healed {
  kind: number;
  after: string;
}

const START: Standing = { kind: 0, after: '', checked: 0, missing: 0, workflowIds: [] };

/** Finds an organization's workflows that should be running but are not, and starts them unless it is a dry run. */
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

/** Records that nothing is left to do for a payment or refund. */
export const endSaga =
  (deps: Deps) =>
  ({ orgId, entityId }: MoneyStep): Promise<void> =>
    transaction(deps, { kind: 'endSaga', orgId }, (em) => noteSagaEnd(em, entityId, new Date(deps.now())));
