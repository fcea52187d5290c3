// Operators' questions about all organizations, answered from the rows. Read-only; no answer reveals who an insured
// is.
import type { Database } from '../../db/orm.ts';
import { COME_BY_THEMSELVES } from '../../domain/document/kinds.ts';
import { entitiesNamed } from './named.ts';

/** A row of an answer: heading → value. */
export type AnswerRow = Readonly<Record<string, unknown>>;

interface Question {
  /** What it answers, for the list of commands. */
  answers: string;
  /** The text shown if there are no rows. */
  none: string;
  /** The id it requires. */
  takes?: 'id';
  sql: string;
}

export const QUESTIONS = {
  who: {
    answers: 'who did what to a policy, a submission, a claim or any other entity, of late (200 entries)',
    none: 'The audit has nothing about this id.',
    takes: 'id',
    sql: `select created_at as at, action, actor_kind || ' ' || actor_id as by,
        case when actor_kind = 'machine' and request_id is null then '' else actor_role end as role,
        coalesce(request_id, case when actor_id = 'calendar' then 'a date' when actor_id = 'refund' then 'a refund'
          when actor_id in ('card-processor', 'identity-verifier', 'email-provider', 'e-signature', 'push') then 'an event'
          else 'an operator' end) as cause
      from (select a.* from organizations o
        join lateral (select * from audit_entries e where e.org_id = o.id and e.entity_id in (?)) a on true
        order by a.id desc limit 200) newest
      order by id`,
  },
  renewals: {
    answers: 'which renewals failed or were referred in the last 24 hours, and why',
    none: 'No renewal failed or was referred in the last 24 hours. A batch that waits is in "npm run ops -- list".',
    sql: `select i.org_id as organization, i.batch_id as batch, i.policy_id as policy, i.outcome,
        coalesce(i.error ->> 'code', i.error ->> 'error', r.codes, '') as code,
        coalesce(i.error ->> 'message', r.id || ' is ' || r.status, '') as why
      from renewal_batch_items i
      left join lateral (select e.id, e.status, (select string_agg(f ->> 'code', ', ') from jsonb_array_elements(e.flags) f
            where f ->> 'severity' = 'refer') as codes
          from referrals e where e.org_id = i.org_id and e.policy_id = i.policy_id and e.request ->> 'kind' = 'renew'
          order by e.id desc limit 1) r on i.outcome = 'referred'
      where i.outcome in ('failed', 'referred') and i.updated_at > now() - interval '24 hours'
      order by i.org_id, i.batch_id, i.policy_id limit 200`,
  },
  trust: {
    answers: 'whether the trust money of each organization is whole: its last reconciliation',
    none: 'There was no reconciliation yet: every organization has one at 6:00 UTC.',
    sql: `select distinct on (r.org_id) r.org_id as organization, r.date::text as date, r.status,
        case r.is_clean when true then 'whole' when false then 'disagrees' else 'not known yet' end as trust,
        coalesce((select string_agg(c ->> 'name' || ' ' || (c ->> 'found'), ', ') from jsonb_array_elements(r.checks) c
          where (c ->> 'found')::int > 0), '') as findings,
        coalesce((select string_agg(c ->> 'name', ', ') from jsonb_array_elements(r.checks) c
          where c ->> 'status' = 'skipped'), '') as skipped
      from trust_reconciliations r order by r.org_id, r.id desc`,
  },
  slow: {
    answers: 'what was slow in the last hour, by operation',
    none: 'Nobody called in the last hour.',
    sql: `select method, route, count(*) as calls, count(*) filter (where status >= 500) as failed,
        percentile_disc(0.5) within group (order by duration_ms) as "half (ms)",
        percentile_disc(0.95) within group (order by duration_ms) as "95 % (ms)", max(duration_ms) as "most (ms)"
      from requests where created_at > now() - interval '1 hour'
      group by method, route order by percentile_disc(0.95) within group (order by duration_ms) desc limit 20`,
  },
  webhooks: {
    answers: 'which webhooks failed in the last 24 hours, or keep events waiting',
    none: 'No webhook failed in the last 24 hours, and none keeps events waiting.',
    sql: `select d.org_id as organization, d.webhook_id as webhook, w.status,
        count(*) filter (where d.status = 'delivered') as delivered,
        count(*) filter (where d.status = 'failed') as failed,
        count(*) filter (where d.status = 'unknown') as unknown,
        count(*) filter (where d.status = 'pending') as waiting,
        coalesce((array_agg(coalesce(nullif(d.error, 'http_status'), d.status_code::text) order by d.attempted_at desc)
          filter (where d.status in ('failed', 'unknown')))[1], '') as last
      from webhook_deliveries d join webhooks w on w.id = d.webhook_id
      where d.status = 'pending' or d.attempted_at > now() - interval '24 hours'
      group by d.org_id, d.webhook_id, w.status
      having count(*) filter (where d.status in ('failed', 'unknown', 'pending')) > 0
      order by failed desc, waiting desc`,
  },
  letters: {
    answers: 'which notices and letters of the last 7 days have to be posted, because no e-mail reached anybody',
    none: 'Every notice and letter of the last 7 days went by e-mail.',
    sql: `select created_at as at, org_id as organization, data ->> 'reference' as about, data ->> 'message' as message
      from events where type = 'financial.operation_failed' and created_at > now() - interval '7 days'
        and data ->> 'operation' in ('notice.not_delivered', 'letter.not_delivered')
      order by id desc limit 200`,
  },
  documents: {
    answers: 'which documents of policies and receipts could not be made, or are late by more than an hour',
    none: 'Every document of a policy and every receipt has been made.',
    sql: `select created_at as at, org_id as organization, kind, entity_id as of, id as document,
        coalesce(failure, 'late') as why, coalesce(template_version, '') as template
      from document_orders where made_at is null and kind in (${COME_BY_THEMSELVES.map((kind) => `'${kind}'`).join(', ')})
        and (failure is not null or created_at < now() - interval '1 hour')
      order by created_at limit 200`,
  },
  limited: {
    answers: 'who was refused for calling too often in the last hour',
    none: 'Nobody who proved who they are was refused for calling too often in the last hour.',
    sql: `select org_id as organization, actor_kind || ' ' || actor_id as caller, method, route, count(*) as refused,
        min(created_at) as first, max(created_at) as last
      from requests where status = 429 and created_at > now() - interval '1 hour'
      group by org_id, actor_kind, actor_id, method, route order by refused desc limit 50`,
  },
} as const satisfies Record<string, Question>;

export type QuestionName = keyof typeof QUESTIONS;

/** Returns whether there is a question with this name. */
export function isQuestion(name: string): name is QuestionName {
  return Object.hasOwn(QUESTIONS, name);
}

/** Answers a question about all organizations. */
export async function answer(database: Database, name: QuestionName, id?: string): Promise<AnswerRow[]> {
  const values = id === undefined ? [] : [await entitiesNamed(database, id)];
  return database.acrossOrgs(`answering an operator: ${name}`, (em) => em.execute(QUESTIONS[name].sql, values));
}

/** Counts an organization's rows in each table that has any, most first. */
export function rowsOf(database: Database, orgId: string): Promise<AnswerRow[]> {
  return database.acrossOrgs('counting the rows of an organization', async (em) => {
    const tables = await em.execute<{ name: string }[]>(
      `select case c.table_schema when 'public' then '' else c.table_schema || '.' end || c.table_name as name from information_schema.columns c join information_schema.tables t
         on t.table_schema = c.table_schema and t.table_name = c.table_name and t.table_type = 'BASE TABLE'
       where c.table_schema in ('public', 'auth') and c.column_name = 'org_id' order by 1`,
    );
    const counts = tables.map(
      ({ name }) => `select '${name}' as "table", count(*)::int as rows from ${name} where org_id = ?`,
    );
    const union = `select * from (${counts.join(' union all ')}) counted where rows > 0 order by rows desc, "table"`;
    return em.execute(
      union,
      tables.map(() => orgId),
    );
  });
}
