// A bind that can be held halfway, and what it leaves in the database.
import pg from 'pg';
import type { TestClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';

export const BIND_BODY = { installmentPlan: 'MONTHLY_10' };
const INSTALLMENTS = 10;

/** Far enough ahead to be new business on any day, near enough for the effective-date window. */
const EFFECTIVE_IN_DAYS = 20;
const DAY_MS = 86_400_000;

/** Creates and quotes a bindable submission; returns its id. */
export async function quotedSubmission(client: TestClient, insuredName: string): Promise<string> {
  const effectiveDate = new Date(Date.now() + EFFECTIVE_IN_DAYS * DAY_MS).toISOString().slice(0, 10);
  const created = await client.post('/v1/submissions', {
    insuredName,
    naicsCode: '722511',
    annualRevenue: 1_000_000,
    requestedLimit: 1_000_000,
    effectiveDate,
    state: 'TX',
    lineOfBusiness: 'GL',
    lossesLast5Years: 1,
  });
  if (created.status !== 201) throw new Error(`a submission could not be created: ${created.status} ${created.text}`);
  const quoted = await client.post(`/v1/submissions/${created.body.id}/quote`);
  if (quoted.status !== 201 || !quoted.body.bindable) throw new Error(`no bindable quote: ${quoted.text}`);
  return created.body.id;
}

/** The database as its owner sees it, past row-level security. */
export class Rows {
  readonly #url: string;

  constructor(ownerUrl: string) {
    this.#url = ownerUrl;
  }

  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.#connected(async (client) => (await client.query<Row>(text, values)).rows);
  }

  /** What a submission's binds have left behind. */
  async ofSubmission(submissionId: string) {
    const [row] = await this.query<Record<string, string>>(
      `with bound as (select * from policies where submission_id = $1)
       select (select count(*) from bound) as policies,
              (select count(*) from policy_transactions where policy_id in (select id from bound)) as transactions,
              (select count(*) from invoices where policy_id in (select id from bound)) as invoices,
              (select count(*) from events where type = 'policy.bound' and data->>'policyId' in (select id from bound)) as events,
              (select coalesce(sum(gross_premium_cents), 0) from bound) as premium,
              (select status from submissions where id = $1) as status`,
      [submissionId],
    );
    const { policies, transactions, invoices, events, premium, status } = row ?? {};
    return {
      policies: Number(policies),
      transactions: Number(transactions),
      invoices: Number(invoices),
      events: Number(events),
      premiumCents: Number(premium),
      status,
    };
  }

  /** Premium volume used by the organization's policies: by the authority's own count, and summed from the policies. */
  async usage(orgId: string): Promise<{ countedCents: number; boundCents: number }> {
    const [row] = await this.query<{ counted: string; bound: string }>(
      `select (select coalesce(sum(used_cents), 0) from da_usage where org_id = $1) as counted,
              (select coalesce(sum(gross_premium_cents), 0) from policies where org_id = $1) as bound`,
      [orgId],
    );
    return { countedCents: Number(row?.counted), boundCents: Number(row?.bound) };
  }

  /** Locks the organization's authority, so that every bind's transaction stops halfway until `release`. */
  async holdAuthority(orgId: string): Promise<{ bindIsWaiting: () => Promise<void>; release: () => Promise<void> }> {
    const client = new pg.Client({ connectionString: this.#url });
    await client.connect();
    await client.query('begin');
    const locked = await client.query('select 1 from da_usage where org_id = $1 for update', [orgId]);
    if (locked.rowCount === 0) throw new Error('The authority has no row to lock before the first bind');
    return {
      bindIsWaiting: async () =>
        void (await eventually(() => this.#someoneWaitsForALock(), { what: 'a bind to wait' })),
      release: async () => {
        await client.query('rollback');
        await client.end();
      },
    };
  }

  async #someoneWaitsForALock(): Promise<boolean> {
    const rows = await this.query(
      `select 1 from pg_stat_activity
       where datname = current_database() and usename = 'bindery_app' and wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  }

  async #connected<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: this.#url });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }
}

/** What a single bind leaves behind. */
export const BOUND_ONCE = { policies: 1, transactions: 1, invoices: INSTALLMENTS, events: 1, status: 'bound' };
