// Queries on device notifications: claiming waiting ones, reading their content, recording outcomes.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { BusinessDate } from '../../../domain/dates.ts';
import type { PushKind, PushNoticeStatus } from '../../../domain/portal/push.ts';
import type { Database } from '../../orm.ts';
import { ANY_SCOPE, organizationOf } from '../../scope.ts';
import { DUE } from '../billing/invoices.ts';

export interface DuePush {
  orgId: string;
  noticeId: string;
}

/** Finds waiting notices of any organization, and claims them for a while. */
export function claimDueNotices(
  database: Database,
  { leaseSeconds, most }: { leaseSeconds: number; most: number },
): Promise<DuePush[]> {
  return database.forOrg(ANY_SCOPE, (em) =>
    em.execute<DuePush[]>('select org_id as "orgId", notice_id as "noticeId" from claim_due_push_notices(?, ?)', [
      leaseSeconds,
      most,
    ]),
  );
}

/** A notice as sent. */
export interface OutgoingNotice {
  id: string;
  kind: PushKind;
  subjectId: string;
  pushTokenId: string;
  token: string;
  /** Attempts before this one. */
  attempts: number;
  /** Whether its device is still the insured's, they still want such notices, and a bill is still due. */
  isWanted: boolean;
  ageHours: number;
}

/** Reads a claimed notice with its device; null if it is finished or its device is gone. */
export async function readOutgoing(em: EntityManager, id: string): Promise<OutgoingNotice | null> {
  const [row] = await em.execute<OutgoingNotice[]>(
    `select n.id, n.kind, n.subject_id as "subjectId", t.id as "pushTokenId", t.token, n.attempts,
         t.insured_id = n.insured_id and not jsonb_exists(i.muted_pushes, n.kind)
           and (n.kind <> 'payment_due'
             or exists (select from invoices where org_id = n.org_id and id = n.subject_id and ${DUE})) as "isWanted",
         extract(epoch from clock_timestamp() - n.created_at)::float8 / 3600 as "ageHours"
       from push_notices n join push_tokens t on t.org_id = n.org_id and t.id = n.push_token_id
         join insureds i on i.org_id = n.org_id and i.id = n.insured_id
       where n.org_id = ? and n.id = ? and n.status = 'pending'`,
    [organizationOf(em), id],
  );
  return row ?? null;
}

/** Records the outcome of a notice. */
export async function endNotice(
  em: EntityManager,
  { id, attempts }: Pick<OutgoingNotice, 'id' | 'attempts'>,
  status: Exclude<PushNoticeStatus, 'pending'>,
): Promise<void> {
  await em.execute('update push_notices set status = ?, attempts = ?, updated_at = now() where org_id = ? and id = ?', [
    status,
    attempts,
    organizationOf(em),
    id,
  ]);
}

/** Postpones a notice until its next attempt. */
export async function putOffNotice(
  em: EntityManager,
  { id, attempts }: Pick<OutgoingNotice, 'id' | 'attempts'>,
  pauseSeconds: number,
): Promise<void> {
  await em.execute(
    `update push_notices set attempts = ?, due_at = clock_timestamp() + ? * interval '1 second', updated_at = now()
       where org_id = ? and id = ?`,
    [attempts, pauseSeconds, organizationOf(em), id],
  );
}

/** The organizations with registered devices. Needs the all-organizations scope. */
export async function organizationsWithDevices(em: EntityManager): Promise<string[]> {
  const rows = await em.execute<{ org_id: string }[]>('select distinct org_id from push_tokens order by org_id');
  return rows.map(({ org_id }) => org_id);
}

/**
 * Writes a notice for each device of insureds with a bill due within these days, inclusive. A bill postponed to a later
 * day falls due again.
 */
export async function announceBillsDue(
  em: EntityManager,
  { from, to }: { from: BusinessDate; to: BusinessDate },
): Promise<void> {
  await em.execute(
    `insert into push_notices (id, org_id, push_token_id, insured_id, kind, subject_id, source)
       select new_type_id('psn'), t.org_id, t.id, t.insured_id, 'payment_due', bill.id, bill.id || ':' || bill.due_date
         from push_tokens t join policies p on p.org_id = t.org_id and p.insured_id = t.insured_id
           join lateral (select id, due_date from invoices where org_id = p.org_id and policy_id = p.id
             and ${DUE} and due_date between ?::date and ?::date) bill on true
         where t.org_id = ?
       on conflict on constraint push_notices_once do nothing`,
    [from, to, organizationOf(em)],
  );
}

/** Removes a limited number of notices from earlier days. Needs the all-organizations scope. @returns how many */
export async function forgetNotices(em: EntityManager, nowMs: number, most: number): Promise<number> {
  const rows = await em.execute<unknown[]>(
    `delete from push_notices where id = any (array(
       select id from push_notices where created_at < ? order by created_at limit ?)) returning 1`,
    [new Date(nowMs - KEPT_MS), most],
  );
  return rows.length;
}

/** Longer than the days over which a bill is announced, so that it is not announced again. */
const KEPT_MS = 14 * 86_400_000;
