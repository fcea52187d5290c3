/** The filings that a premium change requires, beyond those of the bind. Contract 3.7. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { Filing } from '../../db/entities/insight/filing.ts';
import type { Policy } from '../../db/entities/policy/policy.ts';
import { addRow } from '../../db/new-rows.ts';
import { STAMPING_REPORT, TAX_REPORT } from '../../domain/billing/remittance.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { reopenedDeadline } from '../../domain/insight/deadlines.ts';
import { type DueFiling, filingsOfChange } from '../../domain/insight/filings.ts';
import { sumCents } from '../../domain/money.ts';
import type { Deps } from '../context.ts';

/** A change whose money has moved. */
export interface FiledChange {
  transactionId: string;
  effectiveDate: BusinessDate;
  /** The business date on which the money moved. */
  issuedOn: BusinessDate;
  premiumChangeCents: number;
  environment: Deps['environment'];
}

/** A period's filings: an open one takes in later changes of the policy in the same period. */
const OF_PERIOD: readonly string[] = [TAX_REPORT, STAMPING_REPORT];

/**
 * Adds the filings of an endorsement, a cancellation, a reinstatement or an audit. A filing still open for the same
 * period takes it in.
 */
export async function addChangeFilings(em: EntityManager, policy: Policy, change: FiledChange): Promise<void> {
  const { transactionId, effectiveDate, issuedOn, premiumChangeCents, environment } = change;
  if (premiumChangeCents === 0) return;
  const { id: policyId, state } = policy;
  const required = filingsOfChange({ state, effectiveDate, issuedOn, environmentIsSandbox: environment === 'sandbox' });
  for (const filing of required) {
    if (OF_PERIOD.includes(filing.kind)) await keepReport(em, policy, { transactionId, ...filing });
    else addRow(em, Filing, { policyId, transactionId, ...filing });
  }
}

/** Brings a period's filing in line with what is owed for it. */
async function keepReport(em: EntityManager, policy: Policy, due: DueFiling & { transactionId: string }) {
  const { kind, dueDate } = due;
  const reports = await em.find(Filing, { policyId: policy.id, kind }, { orderBy: { id: 'asc' } });
  if (isNothingDue(policy, due, reports)) {
    for (const report of reports) Object.assign(report, { status: 'withdrawn', nextStepOn: null });
    return;
  }
  const ofPeriod = reports.filter((report) => report.dueDate === dueDate);
  if (ofPeriod.some(({ status }) => status === 'open')) return;
  const former = ofPeriod.find(({ status }) => status === 'withdrawn');
  if (former === undefined) addRow(em, Filing, { policyId: policy.id, ...due });
  else Object.assign(former, { status: 'open', ...reopenedDeadline(former, dueDate) });
}

/**
 * Whether everything was returned and nothing paid. Tax is reported by period: tax owed for an earlier period is
 * reported there, its return in the period of the return. A stamping office invoices nothing. Decision 0332.
 */
function isNothingDue({ taxes }: Policy, { kind, dueDate }: DueFiling, reports: readonly Filing[]): boolean {
  const isOfKind = (code: string) => (code === 'STAMPING_FEE') === (kind === STAMPING_REPORT);
  const owedCents = sumCents(taxes.filter(({ code }) => isOfKind(code)).map(({ amountCents }) => amountCents));
  if (owedCents !== 0 || reports.some(({ status }) => status === 'filed')) return false;
  return kind === STAMPING_REPORT || reports.every((report) => report.dueDate === dueDate);
}
