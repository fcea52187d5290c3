// The calendar of an organization's filings, for any calendar client: at a self-authenticating address that works until
// it is replaced. Contract 3.7 "Compliance filings", Decision 0123.
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { CalendarFeed } from '../../../db/entities/insight/calendar-feed.ts';
import { findFeed, openFilingsBetween, removeFeed, renewFeed } from '../../../db/queries/insight/calendar-feeds.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { findOrganization, lockOrganization } from '../../../db/queries/platform/organizations.ts';
import { businessDateAt } from '../../../domain/business-day.ts';
import { addDays } from '../../../domain/dates.ts';
import { ID_PREFIXES, isId } from '../../../domain/ids.ts';
import { isSameSecret } from '../../../providers/constant-time.ts';
import { allow, open } from '../../spine/access.ts';
import type { RuntimeDeps } from '../../spine/deps.ts';
import { reply } from '../../spine/reply.ts';
import { route } from '../../spine/route.ts';
import { actorId, instant } from '../../spine/schemas.ts';
import { notFound } from '../../spine/validation.ts';
import { instantToWire } from '../billing/charges.wire.ts';
import { calendarOf } from './calendar.wire.ts';

const TAG = 'Compliance';
const SPEC = 'Contract 3.7';
const TOKEN_MAX_CHARACTERS = 300;
/** Overdue filings stay visible for a while. */
const DAYS_BACK = 90;
const DAYS_AHEAD = 400;
const entityType = 'calendar_feed';

const FeedSchema = z
  .strictObject({
    url: z.url().meta({
      description: 'Anyone who has this address can read the calendar. It works until it is replaced or revoked.',
      examples: ['https://api.example.com/v1/calendars/signed.ics'],
    }),
    createdBy: actorId,
    createdAt: instant,
  })
  .meta({ id: 'CalendarFeed' });

const facts = { tag: TAG, spec: SPEC, path: '/compliance/calendar-feed' } as const;

const readFeed = route({
  ...facts,
  method: 'get',
  operationId: 'getCalendarFeed',
  summary: "Read the address of the organization's compliance calendar",
  description:
    'Anyone who has the address can read the calendar, so treat it as a secret. Without one the response is 404; create it first.',
  access: allow('filing:read'),
  response: { status: 200, body: FeedSchema },
  errors: ['not_found'],
  secretFields: ['url'],
  handler: async ({ db, deps }) => {
    const feed = await db.read(findFeed);
    if (feed === null) throw notFound('calendar feed');
    return feedToWire(feed, deps);
  },
});

const makeFeed = route({
  ...facts,
  method: 'post',
  operationId: 'createCalendarFeed',
  summary: 'Create or replace the address of the compliance calendar',
  description:
    'An earlier address stops working immediately. The new one needs no credential, so give it only to calendars that you trust.',
  access: allow('filing:update'),
  response: { status: 201, body: FeedSchema },
  errors: [],
  secretFields: ['url'],
  handler: ({ actor, org, requestId, db, deps }) =>
    db.answer(async (em) => {
      await lockOrganization(em, org.id);
      const { feed, replaced } = await renewFeed(em, actor.id);
      const { id: entityId } = feed;
      const changes = { address: { before: replaced, after: entityId } };
      writeAudit(em, { actor, action: 'calendar_feed:create', entityType, entityId, requestId, changes });
      return feedToWire(feed, deps);
    }),
});

const removeFeedRoute = route({
  ...facts,
  method: 'delete',
  operationId: 'removeCalendarFeed',
  summary: 'Revoke the address of the compliance calendar',
  description: 'Calendars that subscribe to the address get no further updates. A repeated call changes nothing.',
  access: allow('filing:update'),
  response: { status: 204, body: null },
  errors: [],
  handler: ({ actor, requestId, db }) =>
    db.transaction(async (em) => {
      const entityId = await removeFeed(em);
      if (entityId === null) return;
      const changes = { address: { before: entityId, after: null } };
      writeAudit(em, { actor, action: 'calendar_feed:remove', entityType, entityId, requestId, changes });
    }),
});

const readCalendar = route({
  method: 'get',
  path: '/calendars/:token',
  isTagged: true,
  operationId: 'readCalendar',
  tag: TAG,
  spec: SPEC,
  summary: 'Read a compliance calendar by its address',
  description:
    'For programs that subscribe to calendars (RFC 5545). It has the open filings from 90 days ago to 400 days ahead. If there are more than 2,000, filings of the same kind, state and carrier that are due on the same day share one entry, which states how many there are. ' +
    'The address is the `url` of a calendar feed, and needs no credential.',
  access: open('the address is signed, and stops working when it is replaced'),
  params: z.strictObject({ token: z.string().max(TOKEN_MAX_CHARACTERS) }),
  response: {
    status: 200,
    body: z.string(),
    contentType: 'text/calendar; charset=utf-8',
    description: 'The calendar.',
  },
  errors: ['not_found'],
  handler: async ({ params: { token }, deps: { config, database, now } }) => {
    const named = opened(token, config.acceptedSecrets.authSecret);
    if (named === null) throw notFound('calendar');
    const found = await database.forOrg(named.orgId, async (em) => {
      const [feed, organization] = [await findFeed(em), await findOrganization(em, named.orgId)];
      if (feed?.id !== named.feedId || organization === null) return null;
      const today = businessDateAt(now(), organization.clockOffsetDays);
      const days = { from: addDays(today, -DAYS_BACK), to: addDays(today, DAYS_AHEAD) };
      return { feed, body: calendarOf(organization.name, await openFilingsBetween(em, days)) };
    });
    if (found === null) throw notFound('calendar');
    const headers = {
      'Cache-Control': 'private, no-cache',
      'Content-Disposition': 'inline; filename="compliance.ics"',
    };
    return reply({ body: found.body, etag: found.feed.id, headers });
  },
});

export const calendarRoutes = [readFeed, makeFeed, removeFeedRoute, readCalendar];

function feedToWire(
  feed: Readonly<CalendarFeed>,
  { config }: Pick<RuntimeDeps, 'config'>,
): z.output<typeof FeedSchema> {
  const { createdBy, createdAt } = feed;
  const token = sealed(feed, config.authSecret);
  return { url: `${config.baseUrl}/v1/calendars/${token}.ics`, createdBy, createdAt: instantToWire(createdAt) };
}

function sealed({ orgId, id }: Pick<CalendarFeed, 'orgId' | 'id'>, secret: string): string {
  const name = `${orgId}.${id}`;
  return `${name}.${signatureOf(name, secret)}`;
}

/** The contents of an address token; null if we did not sign it. */
function opened(token: string, secrets: readonly string[]): { orgId: string; feedId: string } | null {
  const [orgId = '', feedId = '', signature = ''] = token.split('.');
  const expected = secrets.map((secret) => signatureOf(`${orgId}.${feedId}`, secret));
  if (!isSameSecret(signature, ...expected) || !isId(orgId, ID_PREFIXES.organization)) return null;
  return { orgId, feedId };
}

function signatureOf(name: string, secret: string): string {
  return createHmac('sha256', secret).update(`calendar:${name}`).digest('base64url');
}
