// The rows not yet in the daily sums of a portfolio, and how they separate the view before them from the view after.
// Decision 0140.
import type { EntityManager } from '@mikro-orm/postgresql';
import { type PreparedStatement, preparedRows } from '../../prepared.ts';
import { organizationOf } from '../../scope.ts';
import type { MovedEntity, SeenEntities } from './seen-rows.ts';

/** A row not in the sums; or where an entity was counted before it moved. */
export interface UnfoldedChange {
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

const COLUMNS = 'id, entity_id as "entityId", row_id as "rowId", was';

const FIRST = {
  name: 'first portfolio changes',
  text: `select ${COLUMNS} from portfolio_changes where org_id = $1 order by id limit $2`,
};

/** Reads the oldest changes, in their order. */
export function firstChanges(em: EntityManager, limit: number): Promise<UnfoldedChange[]> {
  return preparedRows(em, FIRST, [organizationOf(em), limit]);
}

const OF_ENTITIES = {
  name: 'portfolio changes of entities',
  text: `select ${COLUMNS} from portfolio_changes
    where org_id = $1 and entity_id in (select unnest($2::text[])) order by id`,
};

/** A submission counts as bound by the first transaction of its policy. */
const BOUND_SUBMISSIONS = {
  name: 'submissions of changed policies',
  text: `select submission_id as id from policies
    where org_id = $1 and id = any($2::text[]) and renewal_of is null and submission_id is not null`,
};

const BOUND_POLICIES = {
  name: 'policies of changed submissions',
  text: `select id from policies where org_id = $1 and submission_id = any($2::text[]) and renewal_of is null`,
};

/**
 * The view of the entities in the given changes, before and after these, with all later changes hidden. Only rows of
 * these entities are hidden by id: their own, and those of the policies that bound a submission.
 */
export async function sightsOf(
  em: EntityManager,
  given: readonly UnfoldedChange[],
): Promise<{ before: SeenEntities; after: SeenEntities }> {
  const orgId = organizationOf(em);
  const entities = new Set(given.map(({ entityId }) => entityId));
  const read = (statement: PreparedStatement, ids: ReadonlySet<string>) =>
    preparedRows<{ id: string }>(em, statement, [orgId, [...ids]]);
  const ids = withRows(entities, await read(BOUND_SUBMISSIONS, entities));
  const concerned = withRows(ids, await read(BOUND_POLICIES, ids));
  const all = await preparedRows<UnfoldedChange>(em, OF_ENTITIES, [orgId, [...concerned]]);
  const known = new Set(given.map(({ id }) => id));
  const rest = all.filter(({ id }) => !known.has(id));
  return { before: { ids: [...ids], ...unseen(all) }, after: { ids: [...ids], ...unseen(rest) } };
}

const withRows = (ids: ReadonlySet<string>, rows: readonly { id: string }[]) =>
  new Set([...ids, ...rows.map(({ id }) => id)]);

/**
 * From this many changes on, it pays to plan a statement for its own lists, so that the server uses them for lookups.
 */
const MANY = 200;

/** Has the statements of this transaction planned for long lists, which a generic plan would scan. */
export async function planForMany(em: EntityManager, count: number): Promise<void> {
  if (count > MANY) await em.execute('set local plan_cache_mode = force_custom_plan');
}

/** An entity is where it was before the first hidden move. */
function unseen(changes: readonly UnfoldedChange[]): Pick<SeenEntities, 'hidden' | 'moved'> {
  const moved = new Map<string, MovedEntity>();
  for (const { entityId, was } of changes) {
    if (was !== null && !moved.has(entityId)) moved.set(entityId, { id: entityId, ...was });
  }
  return { hidden: changes.flatMap(({ rowId }) => (rowId === null ? [] : [rowId])), moved: [...moved.values()] };
}

/**
 * Lists the organizations whose portfolio, debt or commission sums are behind by many rows, or by one for a long time.
 * Needs the all-organizations scope.
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

/** Finds an organization, other than those named, with policies but no sums. Needs the all-organizations scope. */
export async function organizationToBuild(em: EntityManager, besides: readonly string[]): Promise<string | null> {
  const [row] = await em.execute<{ id: string }[]>(
    `select id from organizations o
     where exists (select from policies p where p.org_id = o.id)
       and not exists (select from portfolio_marks m where m.org_id = o.id)
       and not exists (select from jsonb_array_elements_text(?::jsonb) besides where besides = o.id)
     order by id limit 1`,
    [JSON.stringify(besides)],
  );
  return row?.id ?? null;
}
