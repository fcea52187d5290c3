// Reference data of the installation: surplus-lines rates and a sample list of sanctioned parties.

import { SanctionsEntry } from '../entities/submission/sanctions-entry.ts';
import { SurplusLinesRate } from '../entities/submission/surplus-lines-rate.ts';
import { addRow } from '../new-rows.ts';
import type { Database } from '../orm.ts';
import { SANCTIONS_ENTRIES } from './data/sanctions.ts';
import { SURPLUS_LINES_RATES } from './data/surplus-lines-rates.ts';

/**
 * Writes the reference data; safe to repeat. Rates are updated by state and day, and those added by an operator stay.
 * The sample list of sanctioned parties is written only if there is no list.
 */
export async function seedReference(database: Database): Promise<void> {
  await database.acrossOrgsTransaction('seed of the reference data', async (em) => {
    await em.upsertMany(
      SurplusLinesRate,
      SURPLUS_LINES_RATES.map((rate) => ({ ...rate })),
      { onConflictFields: ['state', 'effectiveFrom'] },
    );
    if ((await em.count(SanctionsEntry)) > 0) return;
    for (const entry of SANCTIONS_ENTRIES) addRow(em, SanctionsEntry, { ...entry });
  });
}
