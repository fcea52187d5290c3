// The deadlines of audits by carriers: one for each contract that is in force, and each half-year.
import type { EntityManager } from '@mikro-orm/postgresql';
import { type BusinessDate, yearOf } from '../../../domain/dates.ts';
import { auditOfHalfYear, MGA_AUDIT } from '../../../domain/insight/mga-audit.ts';
import { Filing } from '../../entities/insight/filing.ts';
import { addRow, writeNewRows } from '../../new-rows.ts';
import { contractsOfYear } from '../authority/authority.ts';

/** Adds the audits of the half-year of a day that are missing. The caller has locked the organization. */
export async function addCarrierAudits(em: EntityManager, day: BusinessDate): Promise<void> {
  const { period, dueDate } = auditOfHalfYear(day);
  const audits = await em.find(Filing, { kind: MGA_AUDIT, period });
  const known = new Set(audits.map(({ daContractId }) => daContractId));
  for (const { id: daContractId, carrier, status } of await contractsOfYear(em, yearOf(day))) {
    if (status !== 'active' || known.has(daContractId)) continue;
    addRow(em, Filing, { kind: MGA_AUDIT, daContractId, carrier, period, state: null, dueDate });
  }
  // The next month that is opened in this transaction reads them.
  await writeNewRows(em);
}
