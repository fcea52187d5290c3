// Calls and their responses, kept for a few days.
import type { EntityManager } from '@mikro-orm/postgresql';
import { REQUEST_LOG_DAYS } from '../../../domain/limits.ts';
import { Request } from '../../entities/platform/request.ts';
import { preparedRows } from '../../prepared.ts';
import { organizationOf } from '../../scope.ts';

/** An answered request. */
export interface AnsweredRequest {
  requestId: string;
  method: string;
  route: string;
  status: number;
  error: string | null;
  durationMs: number;
  actor: { kind: string; id: string };
  at: Date;
}

const KEEP = {
  name: 'keep requests',
  text: `insert into requests
      (org_id, request_id, method, route, status, error, duration_ms, actor_kind, actor_id, created_at)
    select $1, request_id, method, route, status, error, duration_ms, actor_kind, actor_id, created_at
    from jsonb_populate_recordset(null::requests, $2::jsonb)`,
};

/** Writes requests of the organization in one statement. */
export async function insertRequests(em: EntityManager, requests: readonly AnsweredRequest[]): Promise<void> {
  const rows = requests.map(({ requestId, method, route, status, error, durationMs, actor, at }) => ({
    ...{ request_id: requestId, method, route, status, error, duration_ms: durationMs },
    ...{ actor_kind: actor.kind, actor_id: actor.id, created_at: at },
  }));
  await preparedRows(em, KEEP, [organizationOf(em), JSON.stringify(rows)]);
}

/**
 * Reads the requests with an id that were answered before an instant, latest first. Beyond `most`, includes those of
 * the same millisecond as the last one, so that a caller continuing from its instant misses none.
 */
export async function findRequests(
  em: EntityManager,
  requestId: string,
  { endMs, most }: { endMs: number; most: number },
): Promise<Request[]> {
  const rows = await em.execute<object[]>(
    `select * from requests where org_id = ? and request_id = ? and created_at < coalesce(?, 'infinity'::timestamptz)
     order by created_at desc fetch first ? rows with ties`,
    [organizationOf(em), requestId, Number.isFinite(endMs) ? new Date(endMs) : null, most],
  );
  return rows.map((row) => em.map(Request, row));
}

/**
 * Removes old requests of any organization.
 * @returns the number removed
 */
export async function forgetRequests(em: EntityManager, nowMs: number, most: number): Promise<number> {
  const before = new Date(nowMs - REQUEST_LOG_DAYS * 86_400_000);
  const rows = await em.execute<unknown[]>(
    `delete from requests where ctid = any (array(
       select ctid from requests where created_at < ? order by created_at limit ?)) returning 1`,
    [before, most],
  );
  return rows.length;
}
