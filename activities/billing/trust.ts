/** The daily trust reconciliation: lists the organizations, and checks that each one's trust agrees to the cent. */

import type { TrustCheck, TrustResult } from '../../contracts/trust.ts';
import { saveReconciliation, trustFigures } from '../../db/queries/billing/trust.ts';
import { writeEvent } from '../../db/queries/platform/events.ts';
import { organizationIdsAfter } from '../../db/queries/platform/organizations.ts';
import { outstandingSince, trustFindings } from '../../domain/billing/ledger/trust.ts';
import { businessDay } from '../business-day.ts';
import { asFailure, type Deps, transaction } from '../context.ts';

/** Reads the next organizations in the order of their ids; none is the end. */
export const organizationsAfter =
  (deps: Deps) =>
  ({ after, limit }: { after: string; limit: number }): Promise<string[]> =>
    deps.database.acrossOrgs('a sweep over the organizations', (em) => organizationIdsAfter(em, after, limit));

/**
 * Reconciles one organization's records and stores the result for its business date. Money on its way back is left out
 * for a day (`outstandingSince`). A discrepancy on the last check raises `financial.operation_failed`; before, an
 * operator may be mending it.
 */
export const reconcileTrust =
  (deps: Deps) =>
  async ({ orgId, isLastLook }: TrustCheck): Promise<TrustResult> => {
    const step = { kind: 'reconcileTrust', orgId };
    const figures = await deps.database
      .forOrg(orgId, (em) => trustFigures(em, { outstandingSince: outstandingSince(deps.now()) }))
      .catch((error: unknown) => {
        throw asFailure(deps, step, error);
      });
    const findings = trustFindings(figures);
    const isClean = findings.length === 0;
    if (!isClean && !isLastLook) return { findings };
    return transaction(deps, step, async (em) => {
      const { today } = await businessDay(em, orgId, deps.now());
      await saveReconciliation(em, { date: today, isClean, figures });
      if (isClean) return { findings };
      deps.logger.error({ orgId, findings, figures, priority: 1 }, 'the trust does not agree with its records');
      const message = `The trust account does not reconcile on ${today}: ${findings.join(', ')}.`;
      const alert = { severity: 'critical', requiresManualReview: true, operation: 'trust.reconciliation' } as const;
      writeEvent(em, 'financial.operation_failed', { ...alert, message }, new Date(deps.now()));
      return { findings };
    });
  };
