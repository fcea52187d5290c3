/** The organizations whose policies renew automatically. */

import type { RenewingOrganization } from '../../contracts/renewal.ts';
import { organizationsWithFlag } from '../../db/queries/platform/flags.ts';
import { businessDay } from '../../plans/platform/business-day.ts';
import { type Deps, transaction } from '../context.ts';

/**
 * Reads the next organizations with the flag `auto_renewal` on, by id, each with its business date; an empty page is
 * the end.
 */
export const renewingOrganizations =
  (deps: Deps) =>
  async ({ after, limit }: { after: string; limit: number }): Promise<RenewingOrganization[]> => {
    const orgIds = await deps.database.acrossOrgs('automatic renewal', (em) =>
      organizationsWithFlag(em, 'auto_renewal', { after, limit }),
    );
    return Promise.all(
      orgIds.map(async (orgId) => {
        const step = { kind: 'renewingOrganizations', orgId };
        const { today } = await transaction(deps, step, (em) => businessDay(em, orgId, deps.now()));
        return { orgId, date: today };
      }),
    );
  };
