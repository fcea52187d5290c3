/** The daily trust reconciliation: lists the organizations, and checks that each one's trust agrees to the cent. */

import { writeEvent } from '../db/queries/events.ts';
import { organizationIdsAfter } from '../db/queries/organizations.ts';
import { saveReconciliation, trustFigures } from '../db/queries/trust.ts';
import { trustFindings } from '../domain/ledger/trust.ts';
import { businessDay } from './business-day.ts';
import { type Deps, transaction } from './context.ts';
import type { TrustCheck, TrustResult } from './messages-money.ts';

const PAGE = 100;

/** Reads the next organizations by id; a short page is the last. */
export const organizationsAfter =
  (deps: Deps) =>
  ({ after }: { after: string }): Promise<string[]> =>
    deps.database.acrossOrgs('trust reconciliation', (em) => organizationIdsAfter(em, after, PAGE));

/**
 * Reconciles one organization's records and stores the result for its business date. A discrepancy on the last check
 * raises `financial.operation_failed`; earlier, it may only lie between two steps of a payment.
 */
export const reconcileTrust =
  (deps: Deps) =>
  ({ orgId, isLastLook }: TrustCheck): Promise<TrustResult> =>
    transaction(deps, { kind: 'reconcileTrust', orgId }, async (em) => {
      const { today } = await businessDay(em, orgId, deps.now());
      const figures = await trustFigures(em);
      const findings = trustFindings(figures);
      const isClean = findings.length === 0;
      if (!isClean && !isLastLook) return { findings };
      await saveReconciliation(em, { date: today, isClean, figures });
      if (isClean) return { findings };
      deps.logger.error({ orgId, findings, figures, priority: 1 }, 'the trust does not agree with its records');
      const message = `The trust account does not reconcile on ${today}: ${findings.join(', ')}.`;
      const alert = { severity: 'critical', requiresManualReview: true, operation: 'trust.reconciliation' } as const;
      writeEvent(em, 'financial.operation_failed', { ...alert, message }, new Date(deps.now()));
      return { findings };
    });
