// Runs the handler of an allowed call: once per Idempotency-Key, against the version the caller has seen.

import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database } from '../../db/orm.ts';
import { commandResult } from '../../db/queries/platform/commands.ts';
import type { KeyAttempt } from '../../db/queries/platform/idempotency.ts';
import { PLATFORM_SCOPE } from '../../db/scope.ts';
import { businessDateAt } from '../../domain/business-day.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { DAY_MS } from '../../domain/dates.ts';
import type { Actor } from '../../domain/permissions.ts';
import { isUpgrade } from '../../http/upgrades.ts';
import type { Caller } from '../credentials/caller.ts';
import type { OrganizationFacts } from '../credentials/organizations.ts';
import { answerOf, type RouteAnswer, type RowVersion, type TaggedRow } from './answer.ts';
import { callerName, commandBuilder, fingerprint, keyHash, sortedQuery } from './command.ts';
import type { RuntimeDeps } from './deps.ts';
import { ensureMatches, namesVersion } from './entity-tag.ts';
import { idempotencyKeyOf, underKey } from './idempotency.ts';
import { comparableBody, type Input } from './input.ts';
import { locationOf } from './links.ts';
import type { RequestContext } from './middleware/state.ts';
import type { CallOrganization, OrganizationDatabase, Route } from './route.ts';

/** The call of one operation by one actor, after every check but the last. */
export interface Call {
  route: Route;
  ctx: RequestContext;
  deps: RuntimeDeps;
  actor: Actor;
  caller: Caller;
  /** Null for an operation of the platform. */
  org: OrganizationFacts | null;
  input: Input;
  row: { id: string } | null;
}

/** Carries out a call, or returns the response stored for its Idempotency-Key. */
export async function runCall(call: Call): Promise<RouteAnswer> {
  const { route, ctx, deps } = call;
  const row = taggedRow(call);
  const { listMark } = call.input;
  if (route.method === 'get') return answerOf(route, await route.handler(contextOf(call, null)), row, listMark);
  const key = route.idempotent ? idempotencyKeyOf(ctx.req.headers['idempotency-key']) : null;
  const scope = call.org?.id ?? PLATFORM_SCOPE;
  const identity = {
    orgId: scope,
    caller: callerName(call.actor),
    method: route.method,
    path: ctx.path,
    query: sortedQuery(ctx.query),
    key: key ?? ctx.state.requestId,
  };
  const keyed = {
    scope,
    keyHash: key === null ? null : keyHash(identity),
    fingerprint: key === null ? '' : fingerprint(identity.query, comparableBody(call.input)),
    deadlineMs: route.deadlineMs ?? 0,
    shownOnce: route.shownOnce,
    secretFields: route.secretFields,
    judgeAgain: (kept: RouteAnswer) => judgedAgain(call, kept),
  };
  return underKey(keyed, deps, async ({ seedUuid, attempt, isRepeat }, keep) => {
    const answered = (result: unknown) => located(answerOf(route, result, row, listMark), call);
    // A key reused after a day has another seed, and so is another command.
    const commandId = seedUuid;
    if (hasVersion(row)) await ensureUnchanged(call, row, key === null ? null : commandId);
    const keepResult: KeepResult = (em, result) => keep(em, answered(result));
    return answered(
      await route.handler(contextOf(call, { scope, commandId, seedUuid, attempt, isRepeat }, keepResult)),
    );
  });
}

/** Adds the location of what the call created. */
function located(answer: RouteAnswer, { route, deps }: Call): RouteAnswer {
  const location = answer.status === 201 ? locationOf(answer.body, route.path, deps.detailPaths) : null;
  return location === null ? answer : { ...answer, headers: { ...answer.headers, Location: location } };
}

/** Returns a stored response, limited to what its caller may see now if the operation can re-check that. */
async function judgedAgain({ route, ctx, deps, actor, org }: Call, kept: RouteAnswer): Promise<RouteAnswer> {
  if (!route.replayed || org === null || typeof kept.body !== 'string') return kept;
  const db = new ScopedDatabase(deps.database, org.id, null);
  const body = await route.replayed(JSON.parse(kept.body), { actor, requestId: ctx.state.requestId, db });
  return { ...kept, body: JSON.stringify(body) };
}

/**
 * Checks `If-Match` against the row. An attempt interrupted after its command was carried out has itself changed the
 * row: repeated under its key, it is let through to its stored outcome.
 */
async function ensureUnchanged({ ctx, deps, org }: Call, version: RowVersion, commandId: string | null): Promise<void> {
  try {
    ensureMatches(ctx.req.headers['if-match'], version);
  } catch (error) {
    const earlier = org && commandId && (await deps.database.forOrg(org.id, (em) => commandResult(em, commandId)));
    if (!earlier) throw error;
  }
}

function taggedRow({ route, row }: Call): TaggedRow | null {
  const resource = route.access.kind === 'organization' ? route.access.resource : null;
  return row && { id: row.id, version: resource?.version?.(row) ?? null };
}

function hasVersion(row: TaggedRow | null): row is RowVersion {
  return row !== null && row.version !== null;
}

/** A read has no command, and stores nothing. */
function contextOf(
  call: Call,
  command: ({ scope: string; commandId: string } & KeyAttempt) | null,
  keep: KeepResult | null = null,
) {
  const { ctx, deps, actor, caller, org, input, row } = call;
  const { requestId, client } = ctx.state;
  const expectedVersion = namesVersion(ctx.req.headers['if-match'])
    ? (taggedRow(call)?.version ?? undefined)
    : undefined;
  return {
    params: input.params,
    query: input.query,
    body: input.body,
    upload: input.upload,
    file: input.file,
    row,
    actor,
    caller,
    org: org && callOrganization(org, deps.now()),
    db: org && new ScopedDatabase(deps.database, org.id, keep),
    command: command && commandBuilder({ ...command, orgId: command.scope, actor, requestId, expectedVersion }),
    ensureUnchanged: (locked: RowVersion) => ensureMatches(ctx.req.headers['if-match'], locked),
    requestId,
    lifecycle: deps.lifecycle,
    deps,
    clientAddress: client,
    headers: ctx.req.headers,
    isUpgrade: isUpgrade(ctx.req),
  };
}

function callOrganization({ id, tier, clockOffsetDays }: OrganizationFacts, nowMs: number): CallOrganization {
  return { id, tier, clockOffsetDays, today: dateAt(nowMs, clockOffsetDays) };
}

let latest = { day: Number.NaN, date: '' };

/** The business date, computed once per day. */
function dateAt(nowMs: number, offsetDays: number): BusinessDate {
  const day = Math.floor(nowMs / DAY_MS) + offsetDays;
  if (latest.day !== day) latest = { day, date: businessDateAt(nowMs, offsetDays) };
  return latest.date;
}

/** Stores a handler's result as the response it becomes. */
type KeepResult = (em: EntityManager, result: unknown) => Promise<void>;

class ScopedDatabase implements OrganizationDatabase {
  readonly #database: Database;
  readonly #orgId: string;
  readonly #keep: KeepResult | null;

  constructor(database: Database, orgId: string, keep: KeepResult | null) {
    this.#database = database;
    this.#orgId = orgId;
    this.#keep = keep;
  }

  read: OrganizationDatabase['read'] = (work) => this.#database.forOrg(this.#orgId, work);

  transaction: OrganizationDatabase['transaction'] = (work) => this.#database.transaction(this.#orgId, work);

  answer: OrganizationDatabase['answer'] = (work) =>
    this.transaction(async (em) => {
      const result = await work(em);
      await this.#keep?.(em, result);
      return result;
    });
}
