// The WebSocket of a deal room: opened with a credential, or by a signed address from this operation. Spec 4.11,
// Contract 3.7.
import { z } from 'zod';
import { findMessage } from '../../../db/queries/dealroom/messages.ts';
import { seesInternal } from '../../../domain/dealroom/deal-room.ts';
import { validationError } from '../../../domain/errors.ts';
import type { Actor } from '../../../domain/permissions.ts';
import { ensureOrigin, socketOrigin } from '../../sockets/addresses.ts';
import { allow } from '../../spine/access.ts';
import { TakeOver } from '../../spine/reply.ts';
import { type OrganizationDatabase, route } from '../../spine/route.ts';
import { idReference, instant } from '../../spine/schemas.ts';
import { dealRoomResource } from './deal-room-row.ts';
import { params } from './deal-rooms.schemas.ts';

const TICKET_MAX_CHARACTERS = 4_096;
const TICKET = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const SWITCHED = { status: 101, body: null, description: 'With `Upgrade: websocket`: messages arrive as JSON.' };

const SocketAddressSchema = z
  .strictObject({
    wsUrl: z.string().meta({ examples: ['wss://api.example.com/v1/deal-rooms/drm_…/ws?ticket=…'] }),
    expiresAt: instant,
  })
  .meta({ id: 'DealRoomSocket', description: 'A signed address. It opens one socket, until it expires.' });

const openDealRoomSocket = route({
  method: 'get',
  path: '/deal-rooms/:id/ws',
  operationId: 'openDealRoomSocket',
  tag: 'Deal rooms',
  spec: '4.11, Contract 3.7',
  summary: 'Open a WebSocket to a deal room, or get a signed address for one',
  description:
    'With an `Upgrade` header, the connection becomes a WebSocket. Without one, the response is an address that opens one socket within 60 seconds and needs no credential.',
  access: allow('deal_room:read', dealRoomResource),
  params,
  query: z.strictObject({
    after: idReference('message').optional().meta({
      description: 'The last message that you have: later messages are sent first. Left out: only new messages.',
    }),
    ticket: z
      .string()
      .max(TICKET_MAX_CHARACTERS)
      .regex(TICKET)
      .optional()
      .meta({ description: 'Part of a signed address.' }),
  }),
  response: { status: 200, body: SocketAddressSchema },
  alternates: [SWITCHED],
  errors: [],
  handler: async ({ row, query: { after }, actor, caller, db, deps, headers, isUpgrade }) => {
    const position = after === undefined ? row.room.lastSequence : await positionOf(after, row.id, actor, db);
    const { config, corsOrigins = [], rooms } = deps;
    if (isUpgrade) {
      ensureOrigin(headers, { ...config, corsOrigins });
      rooms.ensurePlace(actor);
      const subscription = { roomId: row.id, receiver: { actor, credential: caller.credential }, position };
      return new TakeOver((upgrade) => deps.handshake(upgrade, (ws) => rooms.join(ws, subscription)));
    }
    const path = `/v1/deal-rooms/${row.id}/ws`;
    const { ticket, expiresAtMs } = await deps.issueTicket(caller, path);
    const query = new URLSearchParams({ ticket });
    if (after !== undefined) query.set('after', after);
    if (actor.orgId !== actor.homeOrgId) query.set('orgId', actor.orgId);
    const wsUrl = `${socketOrigin(headers, config)}${path}?${query}`;
    return { wsUrl, expiresAt: new Date(expiresAtMs).toISOString() };
  },
});

export const dealRoomSocketRoutes = [openDealRoomSocket];

/** @throws DomainError validation_failed for a message that is not in the room or that the actor may not see */
async function positionOf(after: string, dealRoomId: string, actor: Actor, db: OrganizationDatabase): Promise<number> {
  const seen = { dealRoomId, id: after, internal: seesInternal(actor.role) };
  const message = await db.read((em) => findMessage(em, seen));
  if (message !== null) return message.sequence;
  throw validationError('after', 'unknown_reference', 'The deal room has no such message.');
}
