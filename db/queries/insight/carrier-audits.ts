// The deadlines of carrier audits: one per contract in force and half-year.
import type { EntityManager } from '@mikro-orm/postgresql';
import { type BusinessDate, yearOf } from '../../../domain/dates.ts';
import { auditOfHalfYear, MGA_AUDIT } from '../../../domain/insight/mga-audit.ts';
import { Filing } from '../../entities/insight/filing.ts';
import { addRow, writeNewRows } from '../../new-rows.ts';
import { contractsOfYear } from '../authority/authority.ts';

/** Adds the missing audits for a day's half-year. The caller holds the organization lock. */
export async function addCarrierAudits(em: EntityManager, day: BusinessDate): Promise<void> {
  const { period, dueDate } = auditOfHalfYear(day);
  const audits = await em.find(Filing, { kind: MGA_AUDIT, period });
  const known = new Set(audits.map(({ daContractId }) => daContractId));
  for (const { id: daContractId, carrier, status } of await contractsOfYear(em, yearOf(day))) {
    if (status !== 'active' || known.has(daContractId)) continue;
    addRow(em, Filing, { kind: MGA_AUDIT, daContractId, carrier, period, state: null, dueDate });
  }
  // The next month opened in this transaction reads them.
  await writeNewRows(em);
}
