// What happens to a request once its operation is known, in the order of Contract 1: credential, rate limit, coarse
// permission, body and parameters, row, fine permission; then the Idempotency-Key, If-Match and the handler (run.ts).
import { join } from 'node:path';
import { offTheClock, withinDeadline } from '../../db/deadline.ts';
import { denialText } from '../../domain/access/denial-text.ts';
import { DomainError } from '../../domain/errors.ts';
import { organizationIdFrom } from '../../domain/ids.ts';
import { type Action, type Actor, ensureMay, mayCoarse, requiredScope } from '../../domain/permissions.ts';
import { isUpgrade } from '../../http/upgrades.ts';
import { actingOrganization, actorAtHome, actorIn } from '../credentials/actor.ts';
import { isRecorded } from '../credentials/audit.ts';
import type { Caller } from '../credentials/caller.ts';
import type { OrganizationFacts } from '../credentials/organizations.ts';
import type { Access, Resource } from './access.ts';
import { answerOf, send } from './answer.ts';
import { deprecationHeaders } from './deprecation.ts';
import type { RuntimeDeps } from './deps.ts';
import type { Gate } from './gate.ts';
import { readInput } from './input.ts';
import type { Middleware, RequestContext } from './middleware/state.ts';
import type { Route } from './route.ts';
import { runCall } from './run.ts';
import { notFound } from './validation.ts';

const ANY_ID = /^[a-z]{3}_[0-9a-z]{26}$/;

/** Time left after a webhook's deadline to give back its claim. */
const GIVING_BACK_MS = 1_000;

/** Makes the middleware that carries out an operation, for no longer than the caller waits. */
export function pipelineOf(route: Route, deps: RuntimeDeps, gate: Gate): Middleware {
  const { access } = route;
  const run = access.kind === 'open' ? openPipeline(route, deps, gate) : provenPipeline(route, access, deps, gate);
  const waitMs = waitMsOf(route, deps);
  const announced = route.deprecation ? deprecationHeaders(route.deprecation) : {};
  return (ctx) => {
    ctx.set(announced);
    return withinDeadline(waitMs, () => run(ctx));
  };
}

function waitMsOf({ rateLimit }: Route, { config }: RuntimeDeps): number {
  return rateLimit === 'webhook' ? config.webhookDeadlineMs + GIVING_BACK_MS : config.commandDeadlineMs;
}

type Run = (ctx: RequestContext) => Promise<void>;

function provenPipeline(route: Route, access: Exclude<Access, { kind: 'open' }>, deps: RuntimeDeps, gate: Gate): Run {
  const resource = access.kind === 'organization' ? access.resource : null;
  const incoming = incomingFolder(deps);
  return async (ctx) => {
    ctx.state.pattern = route.pattern;
    const caller = await gate.pass(ctx, route.rateLimit, (refused) => organizationOf(refused, ctx, deps));
    ensureCoarse(actorAtHome(caller), access.action);
    const org = access.kind === 'organization' ? await organizationOf(caller, ctx, deps) : null;
    const call = { isRead: isRead(ctx), action: access.action, database: deps.database, nowMs: deps.now() };
    const actor = org === null ? actorAtHome(caller) : await actorIn(caller, org, call);
    const recorded = isRecorded(actor) ? record(route, access.action, ctx, deps, actor, org) : Promise.resolve();
    const answer = await afterRecord(recorded, isRead(ctx), async () => {
      const input = await offTheClock(() => readInput(route, ctx, incoming));
      try {
        if (org) ensureSame(input.params, org);
        const row = resource && org ? await loadRow(resource, access.action, actor, org, ctx, deps) : null;
        return await runCall({ route, ctx, deps, actor, caller, org, input, row });
      } finally {
        await input.file?.discard();
      }
    });
    send(ctx, answer);
  };
}

/**
 * A change starts only once its call is recorded. A read proceeds in the meantime, but its result or error is not shown
 * until then.
 */
async function afterRecord<T>(recorded: Promise<void>, isRead: boolean, work: () => Promise<T>): Promise<T> {
  if (!isRead) await recorded;
  const [recording, working] = await Promise.allSettled([recorded, work()]);
  if (recording.status === 'rejected') throw recording.reason;
  if (working.status === 'rejected') throw working.reason;
  return working.value;
}

function openPipeline(route: Route, deps: RuntimeDeps, gate: Gate): Run {
  return async (ctx) => {
    ctx.state.pattern = route.pattern;
    await gate.passAnonymous(ctx, route.rateLimit);
    const { params, query, body, upload } = await offTheClock(() => readInput(route, ctx, incomingFolder(deps)));
    const { requestId, client } = ctx.state;
    const { lifecycle } = deps;
    const authorizations = ctx.req.headersDistinct.authorization ?? [];
    const { headers } = ctx.req;
    const sent = { params, query, body, upload, file: null, headers, authorizations, isUpgrade: isUpgrade(ctx.req) };
    const context = { ...sent, requestId, lifecycle, deps, clientAddress: client };
    send(ctx, answerOf(route, await route.handler(context), null, null));
  };
}

/** Where files from calls are kept until the calls end. */
function incomingFolder({ config }: RuntimeDeps): string {
  return join(config.dataDir, 'incoming');
}

function isRead(ctx: RequestContext): boolean {
  return ctx.method === 'GET' || ctx.method === 'HEAD';
}

/** An organization in the path must be the one of the call; any other does not exist. Contract 3.7 "Analytics". */
function ensureSame(params: unknown, { id }: OrganizationFacts): void {
  const { orgId = id } = params as { orgId?: string };
  if (orgId !== id) throw notFound('organization');
}

/** Refuses by role or scope, before anything but the credential is looked at. */
function ensureCoarse(actor: Actor, action: Action): void {
  if (mayCoarse(actor, action)) return;
  const scope = actor.kind === 'api_key' ? requiredScope(action) : null;
  const details = scope === null ? { permission: action } : { permission: action, requiredScope: scope };
  throw new DomainError('forbidden', denialText(actor, { permission: action }), details);
}

async function organizationOf(caller: Caller, ctx: RequestContext, deps: RuntimeDeps): Promise<OrganizationFacts> {
  const header = ctx.req.headers['x-org-id'];
  const inPath = header === undefined && mayCross(caller) ? organizationInPath(ctx) : undefined;
  const named = { query: ctx.query.orgId ?? inPath, header, isRead: isRead(ctx) };
  const { database, organizations, config } = deps;
  const org = await actingOrganization(caller, named, { database, organizations, defaultOrgId: config.defaultOrgId });
  ctx.state.orgId = org.id;
  return org;
}

/** A caller who may act in other organizations and names none elsewhere means the one in the path. */
function mayCross({ home, role }: Caller): boolean {
  return home === null || role === 'superadmin' || role === 'platform_operator';
}

function organizationInPath(ctx: RequestContext): string | undefined {
  const { orgId } = ctx.params as { orgId?: string };
  return organizationIdFrom(orgId) === null ? undefined : orgId;
}

/** A missing row and another organization's row look the same to the caller. Contract 2 "Permissions". */
async function loadRow(
  resource: Resource<{ id: string }>,
  action: Action,
  actor: Actor,
  org: OrganizationFacts,
  ctx: RequestContext,
  deps: RuntimeDeps,
): Promise<{ id: string }> {
  const { id } = ctx.params as { id: string };
  const row = await deps.database.forOrg(org.id, (em) => resource.load(em, id, actor));
  if (row === null) throw notFound(resource.name);
  ensureMay(actor, action, resource.facts(row));
  return row;
}

function record(
  route: Route,
  action: Action,
  ctx: RequestContext,
  deps: RuntimeDeps,
  actor: Actor,
  org: OrganizationFacts | null,
): Promise<void> {
  const { id } = ctx.params as { id?: string };
  return deps.recordCall({
    actor,
    orgId: org?.id ?? null,
    action,
    operation: route.pattern,
    method: ctx.method,
    entityType: (route.access.kind === 'organization' && route.access.resource?.name) || resourceOf(action),
    entityId: id !== undefined && ANY_ID.test(id) ? id : null,
    requestId: ctx.state.requestId,
  });
}

/** The noun of an action: `policy:read` is about a policy, or about all of them. */
function resourceOf(action: Action): string {
  return action.slice(0, action.indexOf(':'));
}
