// Reconciliation results: one row per run, with its figures, its checks and the first findings of each.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { CheckResult } from '../../../domain/billing/reconciliation/report.ts';
import { expectedBankBalance, type TrustReport } from '../../../domain/billing/reconciliation/totals.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { TrustReconciliation } from '../../entities/billing/trust-reconciliation.ts';
import { findById } from '../../entity-rows.ts';
import { newId } from '../../ids.ts';
import { organizationOf } from '../../scope.ts';
import { type Page, type PageRequest, pageOf } from '../pages.ts';

/** Reads a run, or null. */
export function findReconciliation(em: EntityManager, id: string): Promise<TrustReconciliation | null> {
  return findById(em, TrustReconciliation, id);
}

/** Reads a page of runs, newest first. @throws DomainError validation_failed for a bad cursor */
export function listReconciliations(em: EntityManager, page: PageRequest): Promise<Page<TrustReconciliation>> {
  return pageOf(em, TrustReconciliation, [], page);
}

/** A finished run; `id` is that of the run if it was opened earlier, otherwise null. */
export interface FinishedRun {
  id: string | null;
  date: BusinessDate;
  at: Date;
  isClean: boolean;
  report: TrustReport;
  checks: CheckResult[];
}

/** Stores a finished run and returns its id. */
export async function saveReconciliation(em: EntityManager, run: FinishedRun): Promise<string> {
  const { date, at, isClean, report, checks } = run;
  const id = run.id ?? newId('trustReconciliation');
  const { liabilities } = report;
  const row = { id, orgId: organizationOf(em), date, status: 'completed' as const, isClean, liabilities, checks };
  await em.upsert(
    TrustReconciliation,
    { ...row, figures: storedFigures(report), finishedAt: at },
    { onConflictFields: ['id'], onConflictExcludeFields: ['orgId', 'date', 'createdAt'] },
  );
  return id;
}

/** The figures by name; the bank's are included from the first statement on. */
function storedFigures({ figures, bank }: TrustReport): Record<string, number> {
  if (bank === null) return { ...figures };
  const { bankBalanceCents, bankUnmatchedCents, inTransitCents, outstandingCents: outstandingChecksCents } = bank;
  const open = { bankUnmatchedCents, inTransitCents, outstandingChecksCents };
  const items = { ...open, ledgerUnmatchedCents: inTransitCents - outstandingChecksCents };
  if (bankBalanceCents === null) return { ...figures, ...items };
  const bankDifferenceCents = bankBalanceCents - expectedBankBalance(bank);
  return { ...figures, ...items, bankBalanceCents, bankDifferenceCents };
}

/** How many of all organizations did not agree at their last reconciliation. */
export async function organizationsOutOfTrust(em: EntityManager): Promise<number> {
  const [row] = await em.execute<{ count: string }[]>(`
    select count(*) from (
      select distinct on (org_id) is_clean from trust_reconciliations where status = 'completed'
        order by org_id, id desc
    ) latest where not is_clean`);
  return Number(row?.count ?? 0);
}
