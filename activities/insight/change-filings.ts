/** The filings that a change of a policy's premium requires, beside those of its bind. Contract 3.7. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { Filing } from '../../db/entities/insight/filing.ts';
import type { Policy } from '../../db/entities/policy/policy.ts';
import { addRow } from '../../db/new-rows.ts';
import { hasOpenTaxReport } from '../../db/queries/insight/filings.ts';
import { TAX_REPORT } from '../../domain/billing/remittance.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { filingsOfChange } from '../../domain/insight/filings.ts';
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

/**
 * Adds the filings of an endorsement, a cancellation, a reinstatement or an audit. A report of tax that is still to be
 * made for the same day takes it in.
 */
export async function addChangeFilings(em: EntityManager, policy: Policy, change: FiledChange): Promise<void> {
  const { transactionId, effectiveDate, issuedOn, premiumChangeCents, environment } = change;
  if (premiumChangeCents === 0) return;
  const { id: policyId, state } = policy;
  const required = filingsOfChange({ state, effectiveDate, issuedOn, environmentIsSandbox: environment === 'sandbox' });
  if (required.length === 0) return;
  for (const filing of required) {
    const isTakenIn = filing.kind === TAX_REPORT && (await hasOpenTaxReport(em, policyId, filing.dueDate));
    if (!isTakenIn) addRow(em, Filing, { policyId, transactionId, ...filing });
  }
}
