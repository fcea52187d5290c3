// Event subscriptions: administrators create, change, pause and delete them. A change first holds the organization's
// events, so that each event goes to exactly the subscriptions of its moment. Spec 4.8, Contract 3.6.
import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { Webhook } from '../../../db/entities/delivery/webhook.ts';
import { isUniqueViolation } from '../../../db/faults.ts';
import { newId } from '../../../db/ids.ts';
import { addRow } from '../../../db/new-rows.ts';
import {
  countWebhooks,
  findWebhook,
  holdEvents,
  listWebhooks,
  lockWebhook,
} from '../../../db/queries/delivery/webhooks.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { auditedChanges } from '../../../domain/audit.ts';
import {
  afterRotation,
  ensureNotDeleted,
  ensureRoomForOne,
  subscribedTypes,
  subscriptionStatusAfter,
} from '../../../domain/delivery/subscription.ts';
import { DomainError } from '../../../domain/errors.ts';
import { WEBHOOK_SECRET_BYTES } from '../../../domain/limits.ts';
import type { Actor } from '../../../domain/permissions.ts';
import { ensureCallable } from '../../../providers/webhooks/addresses.ts';
import { sealSecret } from '../../../providers/webhooks/secrets.ts';
import { allow, type Resource } from '../../spine/access.ts';
import { entityTag, reply } from '../../spine/reply.ts';
import { route } from '../../spine/route.ts';
import { idParam, pageToWire } from '../../spine/schemas.ts';
import { present } from '../rows.ts';
import {
  CreatedWebhookSchema,
  WebhookChangesSchema,
  WebhookCreateSchema,
  WebhookListQuery,
  WebhookPageSchema,
  WebhookSchema,
} from './webhooks.schemas.ts';
import { webhookToWire } from './webhooks.wire.ts';

const facts = { tag: 'Webhooks', spec: '4.8, 6.2, Contract 3.6' };
const entityType = 'webhook';
const params = z.strictObject({ id: idParam('webhookSubscription') });
const path = '/webhooks';

export const webhookResource: Resource<Webhook> = {
  name: entityType,
  load: findWebhook,
  facts: ({ orgId }) => ({ orgId }),
  version: ({ version }) => version,
};

const createWebhook = route({
  ...facts,
  method: 'post',
  path,
  operationId: 'createWebhook',
  summary: 'Subscribe a URL to events',
  description:
    'The secret is shown only in this answer; a repeated call with the same Idempotency-Key returns the response without it. An organization has at most 50 webhooks.',
  access: allow('webhook:manage'),
  body: WebhookCreateSchema,
  response: { status: 201, body: CreatedWebhookSchema },
  errors: ['already_exists', 'limit_exhausted'],
  shownOnce: ['secret'],
  handler: async ({ body: { url, events, description }, actor, requestId, db, command, deps }) => {
    await ensureCallable(url, 'url', deps.config.outboundPolicy);
    const id = newId('webhookSubscription', command.seedUuid);
    const secret = newSecret();
    const sealed = sealSecret(secret, id, deps.config.payloadKeys);
    const subscription = { url, events: [...new Set(events)], eventTypes: subscribedTypes(events), description };
    return db
      .transaction(async (em) => {
        await holdEvents(em);
        ensureRoomForOne(await countWebhooks(em));
        const kept = { previousSecrets: [], deliveringUntil: null };
        const state = { status: 'active', version: 1 } as const;
        const row = addRow(em, Webhook, { id, secret: sealed, ...kept, ...state, ...subscription });
        audit(em, { actor, requestId, action: 'webhook:create', before: null, after: row });
        return reply({ body: { secret, ...webhookToWire(row, deps.now()) }, etag: entityTag(id, row.version) });
      })
      .catch((error: unknown) => {
        throw isUniqueViolation(error, 'webhooks_pkey') ? lostSecret(id) : error;
      });
  },
});

const listWebhooksRoute = route({
  ...facts,
  method: 'get',
  path,
  operationId: 'listWebhooks',
  summary: 'List webhooks, deleted ones too',
  description:
    'Secrets are never listed. A paused webhook gets nothing until it is resumed, and a deleted one stays in the list with its log.',
  access: allow('webhook:read'),
  query: WebhookListQuery,
  response: { status: 200, body: WebhookPageSchema },
  errors: [],
  handler: async ({ query: { status, ...page }, db, deps }) => {
    const found = await db.read((em) => listWebhooks(em, { status }, page));
    return pageToWire(found, (row) => webhookToWire(row, deps.now()));
  },
});

const getWebhook = route({
  ...facts,
  method: 'get',
  path: `${path}/:id`,
  operationId: 'getWebhook',
  summary: 'Read a webhook',
  description:
    'The secret is not shown: it came with the response that created it. Its deliveries are listed at `/webhooks/{id}/deliveries`.',
  access: allow('webhook:read', webhookResource),
  params,
  response: { status: 200, body: WebhookSchema },
  errors: [],
  handler: ({ row, deps }) => shown(row, deps.now()),
});

const changeWebhook = route({
  ...facts,
  method: 'patch',
  path: `${path}/:id`,
  operationId: 'changeWebhook',
  summary: 'Change the URL, the events or the description of a webhook',
  description:
    'Waiting deliveries go to the new URL. The secret stays the same; `POST /webhooks/:id/rotate-secret` replaces it.',
  access: allow('webhook:manage', webhookResource),
  params,
  body: WebhookChangesSchema,
  response: { status: 200, body: WebhookSchema },
  errors: ['subscription_inactive'],
  handler: async ({ row: { id }, body, actor, requestId, db, deps, ensureUnchanged }) => {
    const { url, events } = body;
    if (url !== undefined) await ensureCallable(url, 'url', deps.config.outboundPolicy);
    const types = events && { events: [...new Set(events)], eventTypes: subscribedTypes(events) };
    return changed({ id, actor, requestId, db, nowMs: deps.now() }, 'webhook:update', (webhook) => {
      ensureUnchanged(webhook);
      ensureNotDeleted(webhook.status);
      return { ...body, ...types };
    });
  },
});

const deleteWebhook = route({
  ...facts,
  method: 'delete',
  path: `${path}/:id`,
  operationId: 'deleteWebhook',
  summary: 'Delete a webhook',
  description:
    'Events from now on are not delivered to it; earlier ones still are. Its delivery log stays. A repeated call changes nothing.',
  access: allow('webhook:manage', webhookResource),
  params,
  response: { status: 204, body: null },
  errors: [],
  handler: async ({ row: { id }, actor, requestId, db, deps }) => {
    await changed({ id, actor, requestId, db, nowMs: deps.now() }, 'webhook:delete', () => ({ status: 'deleted' }));
  },
});

const pauseWebhook = moveRoute(
  'pause',
  'Events are not delivered to it until it is resumed; missed events are not sent later. Read them with `GET /events` instead.',
);
const resumeWebhook = moveRoute(
  'resume',
  'Events from now on are delivered. Those of the pause are not sent later: read them with `GET /events`.',
);

const rotateSecret = route({
  ...facts,
  method: 'post',
  path: `${path}/:id/rotate-secret`,
  operationId: 'rotateWebhookSecret',
  summary: 'Replace the secret of a webhook',
  description:
    'The new secret is shown only in this answer. It signs `X-Service-Signature` from now on; for 24 hours `X-Service-Signature-Previous` is signed with the previous secret. After another rotation within that time, the header stays with the older one, and both still sign `webhook-signature`.',
  access: allow('webhook:manage', webhookResource),
  params,
  response: { status: 200, body: CreatedWebhookSchema },
  errors: ['subscription_inactive'],
  shownOnce: ['secret'],
  handler: async ({ row: { id }, actor, requestId, db, deps }) => {
    const secret = newSecret();
    const sealed = sealSecret(secret, id, deps.config.payloadKeys);
    const call = { id, actor, requestId, db, nowMs: deps.now() };
    const body = await changed(call, 'webhook:rotate_secret', (webhook) => {
      ensureNotDeleted(webhook.status);
      return { secret: sealed, previousSecrets: afterRotation(webhook, deps.now()) };
    });
    return reply({ body: { secret, ...(body.body as object) }, etag: body.etag ?? '' });
  },
});

export const webhookRoutes = [
  createWebhook,
  listWebhooksRoute,
  getWebhook,
  changeWebhook,
  deleteWebhook,
  pauseWebhook,
  resumeWebhook,
  rotateSecret,
];

function moveRoute(move: 'pause' | 'resume', description: string) {
  return route({
    ...facts,
    method: 'post',
    path: `${path}/:id/${move}`,
    operationId: `${move}Webhook`,
    summary: move === 'pause' ? 'Pause a webhook' : 'Resume a webhook',
    description,
    access: allow('webhook:manage', webhookResource),
    params,
    response: { status: 200, body: WebhookSchema },
    errors: ['subscription_inactive', 'invalid_state_transition'],
    handler: ({ row: { id }, actor, requestId, db, deps }) =>
      changed({ id, actor, requestId, db, nowMs: deps.now() }, `webhook:${move}`, ({ status }) => ({
        status: subscriptionStatusAfter(status, move),
      })),
  });
}

interface Change {
  id: string;
  actor: Actor;
  requestId: string;
  db: { transaction<T>(work: (em: EntityManager) => Promise<T>): Promise<T> };
  nowMs: number;
}

/** Applies `changesOf` to a locked subscription, and responds with it. */
function changed(
  { id, actor, requestId, db, nowMs }: Change,
  action: string,
  changesOf: (webhook: Webhook) => Partial<Webhook>,
) {
  return db.transaction(async (em) => {
    await holdEvents(em);
    const webhook = present(await lockWebhook(em, id));
    const before = { ...auditedFields(webhook) };
    em.assign(webhook, changesOf(webhook) as object);
    await em.flush();
    if (action !== 'webhook:delete' || before.status !== 'deleted') {
      audit(em, { actor, requestId, action, before, after: webhook });
    }
    return shown(webhook, nowMs);
  });
}

function shown(webhook: Webhook, nowMs: number) {
  return reply({ body: webhookToWire(webhook, nowMs), etag: entityTag(webhook.id, webhook.version) });
}

/** 32 random bytes as 64 hex characters. Spec 2.8. */
function newSecret(): string {
  return randomBytes(WEBHOOK_SECRET_BYTES).toString('hex');
}

/** An earlier attempt under the same Idempotency-Key created it but ended before it could respond. */
function lostSecret(id: string): DomainError {
  const message = 'The webhook was created, but the response was lost. Rotate its secret to get a new one.';
  return new DomainError('already_exists', message, { id });
}

/** A URL's path and query may be a secret of the receiver, so only its origin is recorded. */
function auditedFields({ url, events, status }: Webhook) {
  return { origin: new URL(url).origin, events, status };
}

function audit(
  em: EntityManager,
  fact: { actor: Actor; requestId: string; action: string; before: object | null; after: Webhook },
): void {
  const { actor, requestId, action, before, after } = fact;
  const changes = auditedChanges(before, auditedFields(after));
  writeAudit(em, { actor, action, entityType, entityId: after.id, requestId, changes });
}
