/** A reconciliation run: opened when a person starts it, and closed with its result. Spec 6.4, Contract 3.4. */
import type { Command } from '../../../contracts/machinery/command.ts';
import type { OpenedRun, RunEnd, RunResult } from '../../../contracts/trust.ts';
import { TrustReconciliation } from '../../../db/entities/billing/trust-reconciliation.ts';
import { addRow } from '../../../db/new-rows.ts';
import { matchOpenLines } from '../../../db/queries/billing/bank/open-lines.ts';
import { bankReport } from '../../../db/queries/billing/bank/report.ts';
import { lockBankLines } from '../../../db/queries/billing/bank/statements.ts';
import { accountTotals } from '../../../db/queries/billing/ledger-lists.ts';
import { trustFigures } from '../../../db/queries/billing/trust.ts';
import { findReconciliation, saveReconciliation } from '../../../db/queries/billing/trust-reconciliations.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { writeEvent } from '../../../db/queries/platform/events.ts';
import { organizationIdsAfter } from '../../../db/queries/platform/organizations.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import { outstandingSince } from '../../../domain/billing/ledger/trust.ts';
import { joinResults } from '../../../domain/billing/reconciliation/report.ts';
import { type TrustReport, trustReport, trustResults } from '../../../domain/billing/reconciliation/totals.ts';
import { businessDay } from '../../../plans/platform/business-day.ts';
import { auditOf } from '../../audit.ts';
import { activityFailure, commandActivity, type Deps, transaction } from '../../context.ts';

/** Reads the next organizations by id; an empty page is the end. */
export const organizationsAfter =
  (deps: Deps) =>
  ({ after, limit }: { after: string; limit: number }): Promise<string[]> =>
    deps.database.acrossOrgs('a sweep over the organizations', (em) => organizationIdsAfter(em, after, limit));

/** Opens a run that a person starts; the command's entity is the new run. */
export const openReconciliation = (deps: Deps) =>
  commandActivity<Record<string, never>, TrustReconciliation, OpenedRun>(deps, 'openReconciliation', {
    lock: findReconciliation,
    work: async (em, command: Command) => {
      const { entityId: id, orgId } = command;
      const { today: date } = await businessDay(em, orgId, deps.now());
      const row = { id, date, status: 'running' as const, isClean: null, figures: {} };
      addRow(em, TrustReconciliation, row);
      const changes = auditedChanges(null, { date });
      writeAudit(em, auditOf(command, 'ledger:reconcile', 'trust_reconciliation', changes));
      return { reconciliationId: id };
    },
  });

/**
 * Adds the trust totals to the findings and stores the result. Money on its way back is left out of the totals for a
 * day (`outstandingSince`). Findings of the last check raise `financial.operation_failed`, once; earlier ones are not
 * stored, since an operator may be fixing them.
 */
export const closeReconciliation =
  (deps: Deps) =>
  async (end: RunEnd): Promise<RunResult> => {
    const { orgId, results, isLastLook, reconciliationId } = end;
    const step = { kind: 'closeReconciliation', orgId };
    const report = await readTrust(deps, orgId).catch((error: unknown) => {
      throw activityFailure(deps, step, error);
    });
    const checks = joinResults(trustResults(orgId, report), results);
    const failed = checks.filter(({ found }) => found > 0);
    const clean = failed.length === 0;
    const result = { isClean: clean, failed: failed.map(({ name }) => name) };
    if (!clean && !isLastLook) return result;
    return transaction(deps, step, async (em) => {
      const opened = reconciliationId && (await findReconciliation(em, reconciliationId));
      if (opened && opened.status === 'completed') return result;
      const { today: date } = await businessDay(em, orgId, deps.now());
      const at = new Date(deps.now());
      const id = await saveReconciliation(em, { id: reconciliationId, date, at, isClean: clean, report, checks });
      if (clean) return result;
      const found = failed.map((check) => `${check.name} (${check.found})`).join(', ');
      deps.logger.error({ orgId, reconciliationId: id, found, priority: 1 }, 'the books do not reconcile');
      const message = `The books do not reconcile on ${date}: ${found}.`;
      const alert = { severity: 'critical', requiresManualReview: true, operation: 'trust.reconciliation' } as const;
      writeEvent(em, 'financial.operation_failed', { ...alert, message, reference: id }, at);
      return result;
    });
  };

/** The ledger may have changed since the last statement was uploaded, so its unmatched lines are matched again. */
async function readTrust({ database, now }: Deps, orgId: string): Promise<TrustReport> {
  await database.transaction(orgId, async (em) => {
    await lockBankLines(em);
    await matchOpenLines(em, new Date(now()));
  });
  return database.forOrg(orgId, async (em) => {
    const figures = await trustFigures(em, { outstandingSince: outstandingSince(now()) });
    const bank = await bankReport(em);
    const balances = [...(await accountTotals(em))].map(
      ([account, { debitCents, creditCents }]) => [account, debitCents - creditCents] as const,
    );
    return trustReport(figures, new Map(balances), bank);
  });
}
