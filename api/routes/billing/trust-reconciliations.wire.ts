// Maps reconciliations from rows to the wire. Pure. Contract 3.4.
import type { TrustReconciliation } from '../../../db/entities/billing/trust-reconciliation.ts';
import { CHECK_MEANINGS } from '../../../domain/billing/reconciliation/checks.ts';
import type { Finding } from '../../../domain/billing/reconciliation/report.ts';
import { trustRatio } from '../../../domain/billing/reconciliation/totals.ts';
import { toDollars } from '../../../domain/money.ts';
import { instantToWire } from './charges.wire.ts';
import type { TrustReconciliationWire } from './trust-reconciliations.schemas.ts';

/** Returns a run with what it found; amounts in dollars. */
export function reconciliationToWire(row: TrustReconciliation): TrustReconciliationWire {
  const { id, orgId, date, status, isClean, checks, finishedAt, createdAt, updatedAt } = row;
  return {
    ...{ id, orgId, date, status, clean: isClean },
    figures: status === 'running' ? null : figuresToWire(row),
    checks: checks.map(({ name, status: outcome, found, reason }) => ({ name, status: outcome, found, reason })),
    findings: checks.flatMap(({ findings }) => findings.map(findingToWire)),
    finishedAt: finishedAt && instantToWire(finishedAt),
    createdAt: instantToWire(createdAt),
    updatedAt: instantToWire(updatedAt),
  };
}

function figuresToWire({ figures, liabilities }: TrustReconciliation): TrustReconciliationWire['figures'] {
  const dollars = (name: string) => toDollars(figures[name] ?? 0);
  const known = (name: string) => (figures[name] === undefined ? null : dollars(name));
  return {
    trustAssets: dollars('assetsCents'),
    trustLiabilities: dollars('liabilitiesCents'),
    trustRatio: trustRatio(figures.assetsCents ?? 0, figures.liabilitiesCents ?? 0),
    trustCash: dollars('trustCashCents'),
    cardClearing: dollars('cardClearingCents'),
    cashReceived: dollars('cashReceivedCents'),
    cardReceived: dollars('cardReceivedCents'),
    swept: dollars('sweptCents'),
    bankBalance: known('bankBalanceCents'),
    bankUnmatched: known('bankUnmatchedCents'),
    ledgerUnmatched: known('ledgerUnmatchedCents'),
    depositsInTransit: known('inTransitCents'),
    outstandingChecks: known('outstandingChecksCents'),
    bankDifference: known('bankDifferenceCents'),
    unapplied: dollars('unappliedCents'),
    unshared: dollars('unsharedCents'),
    returnsPayable: dollars('returnsPayableCents'),
    owedByCheck: dollars('owedByCheckCents'),
    outstanding: dollars('outstandingCents'),
    liabilities: liabilities.map(({ account, cents }) => ({ account, balance: toDollars(cents) })),
  };
}

function findingToWire({ check, entityType, entityId, part, unit, expected, actual }: Finding) {
  const isMoney = unit === 'cents';
  return {
    ...{ check, entityType, entityId, part },
    unit: isMoney ? ('dollars' as const) : ('count' as const),
    expected: isMoney ? toDollars(expected) : expected,
    actual: isMoney ? toDollars(actual) : actual,
    detail: CHECK_MEANINGS[check],
  };
}
