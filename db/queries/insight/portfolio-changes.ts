// The rows that the daily sums of a portfolio do not know yet, and how they divide what is seen before and after them.
// Decision 0140.
import type { EntityManager } from '@mikro-orm/postgresql';
import { preparedRows } from '../../prepared.ts';
import { organizationOf } from '../../scope.ts';
import type { MovedEntity, Sight } from './seen-rows.ts';

/** A row that is not in the sums; or where an entity was counted before it moved. */
export interface PortfolioChange {
  id: string;
  entityId: string;
  rowId: string | null;
  was: Omit<MovedEntity, 'id'> | null;
}

const MARK = { name: 'portfolio mark', text: 'select from portfolio_marks where org_id = $1' };

/** Whether the sums of the organization have been built. */
export async function isPortfolioBuilt(em: EntityManager): Promise<boolean> {
  return (await preparedRows(em, MARK, [organizationOf(em)])).length > 0;
}

const CHANGES = {
  name: 'portfolio changes',
  text: `select id, entity_id as "entityId", row_id as "rowId", was from portfolio_changes where org_id = $1 order by id`,
};

/** Reads every change, oldest first. */
export function portfolioChanges(em: EntityManager): Promise<PortfolioChange[]> {
  return preparedRows(em, CHANGES, [organizationOf(em)]);
}

/** A submission counts as bound by the first transaction of its policy. */
const BOUND_SUBMISSIONS = {
  name: 'submissions of changed policies',
  text: `select submission_id as id from policies
    where org_id = $1 and id = any($2::text[]) and renewal_of is null and submission_id is not null`,
};

/**
 * What is seen of the entities of the given changes, before and after these, while the rest of all changes stays
 * hidden.
 */
export async function sightsOf(
  em: EntityManager,
  all: readonly PortfolioChange[],
  given: readonly PortfolioChange[],
): Promise<{ before: Sight; after: Sight }> {
  const entities = [...new Set(given.map(({ entityId }) => entityId))];
  const bound = await preparedRows<{ id: string }>(em, BOUND_SUBMISSIONS, [organizationOf(em), entities]);
  const ids = [...new Set([...entities, ...bound.map(({ id }) => id)])];
  const known = new Set(given);
  const rest = all.filter((change) => !known.has(change));
  return { before: { ids, ...unseen(all) }, after: { ids, ...unseen(rest) } };
}

/** An entity is where it was before the first of the moves that are hidden. */
function unseen(changes: readonly PortfolioChange[]): Pick<Sight, 'hidden' | 'moved'> {
  const moved = new Map<string, MovedEntity>();
  for (const { entityId, was } of changes) {
    if (was !== null && !moved.has(entityId)) moved.set(entityId, { id: entityId, ...was });
  }
  return { hidden: changes.flatMap(({ rowId }) => (rowId === null ? [] : [rowId])), moved: [...moved.values()] };
}

/**
 * Lists the organizations whose sums, of portfolio, debts or commission, are behind by many rows, or by one for long.
 * Needs the scope of all organizations.
 */
export async function organizationsToFold(
  em: EntityManager,
  { mostRows, longestHours }: { mostRows: number; longestHours: number },
): Promise<string[]> {
  const rows = await em.execute<{ org_id: string }[]>(
    `select org_id from portfolio_changes group by org_id
       having count(*) >= ? or min(created_at) < now() - make_interval(hours => ?)
     union select org_id from receivable_facts where not merged group by org_id having count(*) >= ?
     union select org_id from commission_facts where not merged group by org_id having count(*) >= ?
     order by org_id`,
    [mostRows, longestHours, mostRows, mostRows],
  );
  return rows.map(({ org_id }) => org_id);
}
