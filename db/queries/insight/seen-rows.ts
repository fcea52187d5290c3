// Which rows the analytics statements see: all of them, or those of some policies, submissions and claims, without rows
// not yet in the daily sums. Decision 0140.

/** The tables, as written after `from`, and what distinguishes the statements. */
export interface SeenRows {
  name: string;
  policies: string;
  transactions: string;
  billings: string;
  /** First transactions of any policy. */
  bound: string;
  submissions: string;
  quotes: string;
  claims: string;
  entries: string;
}

export const ALL_ROWS: SeenRows = {
  name: 'all',
  policies: 'policies',
  transactions: 'policy_transactions',
  billings: 'transaction_billings',
  bound: 'policy_transactions',
  submissions: 'submissions',
  quotes: 'quotes',
  claims: 'claims',
  entries: 'claim_entries',
};

/** Some entities, with the rows to leave out and the places entities have moved from. */
export interface SeenEntities {
  ids: readonly string[];
  hidden: readonly string[];
  moved: readonly MovedEntity[];
}

/** An entity and where it was. */
export interface MovedEntity {
  id: string;
  line_of_business: string | null;
  state: string | null;
  producer_id: string | null;
}

/** The parameters of a sight, in the order `seenRows` uses them. */
export function sightValues({ ids, hidden, moved }: SeenEntities): unknown[] {
  return [ids, hidden, JSON.stringify(moved)];
}

/** The rows of a sight whose parameters begin at a place. */
export function seenRows(place: number): SeenRows {
  const [ids, hidden, moved] = [`$${place}::text[]`, `$${place + 1}::text[]`, `$${place + 2}::jsonb`];
  const rows = (table: string, owner: string) =>
    `(select * from ${table} where org_id = $1 and ${owner} = any(${ids}) and id <> all(${hidden}))`;
  const where = (column: string) => `case when was.id is null then e.${column} else was.${column} end as ${column}`;
  const entities = (table: string, columns: readonly string[]) => `(
    select ${['id', 'org_id', ...columns].map((column) => `e.${column}`).join(', ')},
      ${['line_of_business', 'state', 'producer_id'].map(where).join(', ')}
    from ${table} e
    left join jsonb_to_recordset(${moved}) as was (id text, line_of_business text, state text, producer_id text)
      on was.id = e.id
    where e.org_id = $1 and e.id = any(${ids}))`;
  return {
    name: `some at ${place}`,
    policies: entities('policies', ['effective_date', 'expiration_date']),
    transactions: rows('policy_transactions', 'policy_id'),
    billings: `(
      select b.* from transaction_billings b
      join policy_transactions t on t.org_id = b.org_id and t.id = b.transaction_id
      where b.org_id = $1 and t.policy_id = any(${ids}) and 'b:' || b.transaction_id <> all(${hidden}))`,
    bound: `(select * from policy_transactions where org_id = $1 and id <> all(${hidden}))`,
    submissions: entities('submissions', []),
    quotes: rows('quotes', 'submission_id'),
    claims: entities('claims', ['loss_date']),
    entries: rows('claim_entries', 'claim_id'),
  };
}
