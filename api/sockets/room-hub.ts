// The open sockets of this process, by room. A database notification says that a room has something new. It is read
// once for all sockets at the same position, with the rights of each, and passed on in commit order.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import type { WebSocket } from 'ws';
import type { DealRoomMessage } from '../../db/entities/dealroom/deal-room-message.ts';
import type { Listener } from '../../db/listener.ts';
import type { ScopedDatabase } from '../../db/orm.ts';
import { messagesAfter } from '../../db/queries/dealroom/messages.ts';
import { ANY_SCOPE } from '../../db/scope.ts';
import { seesInternal } from '../../domain/dealroom/deal-room.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Actor } from '../../domain/permissions.ts';
import { messageToWire } from '../routes/dealroom/deal-rooms.wire.ts';
import { CUTS, readRights, readStandings } from './rights.ts';
import { RoomSocket, type Subscription } from './room-socket.ts';

const SOCKETS_PER_PROCESS = 1_000;
const SOCKETS_PER_CALLER = 250;
/** How often rights are checked, and rooms whose notification was lost. */
const LOOK_EVERY_MS = 400;
/** Organizations whose rooms are checked concurrently; others need connections too. */
const LOOKS_AT_A_TIME = 4;
const PAGE = 100;
const CLOSE_WITHIN_MS = 1_500;

export interface HubParts {
  database: Pick<ScopedDatabase, 'forOrg'>;
  /** Starts listening for the ids of rooms that have something new. */
  listen: (hear: (roomId: string) => void) => Listener;
  logger: Logger;
  registry: Registry;
  now: () => number;
  /** Default: `LOOK_EVERY_MS`. */
  lookEveryMs?: number;
}

interface LiveRoom {
  id: string;
  orgId: string;
  sockets: Set<RoomSocket>;
  /** Whether something may be new since the last read began. */
  isDue: boolean;
  isDelivering: boolean;
}

export class RoomHub {
  readonly #parts: HubParts;
  readonly #rooms = new Map<string, LiveRoom>();
  #count = 0;
  #listener: Listener | null = null;
  #timer: NodeJS.Timeout | null = null;
  /** Work started by the clock and not yet finished. */
  readonly #running = new Set<string>();
  #isClosing = false;

  constructor(parts: HubParts) {
    this.#parts = parts;
    const { registry } = parts;
    const help = 'Open sockets to deal rooms.';
    const gauge: Gauge = new Gauge({
      name: 'deal_room_sockets',
      help,
      registers: [registry],
      collect: () => gauge.set(this.#count),
    });
  }

  /** Refuses one more socket. @throws DomainError rate_limited, service_unavailable */
  ensurePlace(actor: Actor): void {
    if (this.#isClosing || this.#count >= SOCKETS_PER_PROCESS) {
      throw new DomainError('service_unavailable', 'This process cannot take more sockets. Try again.');
    }
    const own = this.#all().filter(({ receiver }) => isSameCaller(receiver.actor, actor));
    if (own.length < SOCKETS_PER_CALLER) return;
    const message = `You have ${SOCKETS_PER_CALLER} open sockets already.`;
    throw new DomainError('rate_limited', message, { limit: SOCKETS_PER_CALLER, retryAfterSeconds: 60 });
  }

  /** Adds a socket; it gets every message after its position. */
  join(ws: WebSocket, subscription: Subscription): void {
    if (this.#isClosing) {
      ws.close(CUTS.going_away);
      return;
    }
    const { actor } = subscription.receiver;
    const room = this.#rooms.get(subscription.roomId) ?? newRoom(subscription.roomId, actor.orgId);
    this.#rooms.set(room.id, room);
    const hooks = {
      now: this.#parts.now,
      onDrained: () => this.#deliver(room),
      onEnd: (socket: RoomSocket) => this.#leave(room, socket),
    };
    const socket = new RoomSocket(ws, subscription, hooks);
    room.sockets.add(socket);
    this.#count += 1;
    this.#listener ??= this.#parts.listen((roomId) => this.#announce(roomId));
    this.#timer ??= setInterval(() => this.#tick(), this.#parts.lookEveryMs ?? LOOK_EVERY_MS).unref();
    this.#deliver(room);
  }

  /** Has a room checked if a socket here listens to it. */
  #announce(roomId: string): void {
    const room = this.#rooms.get(roomId);
    if (room) this.#deliver(room);
  }

  /** Closes every socket, so that the server can stop. */
  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#timer) clearInterval(this.#timer);
    for (const socket of this.#all()) socket.cut('going_away');
    const giveUpAtMs = performance.now() + CLOSE_WITHIN_MS;
    while (this.#count > 0 && performance.now() < giveUpAtMs) await new Promise((resolve) => setTimeout(resolve, 10));
    await this.#listener?.close();
  }

  #leave(room: LiveRoom, socket: RoomSocket): void {
    if (!room.sockets.delete(socket)) return;
    this.#count -= 1;
    if (room.sockets.size === 0) this.#rooms.delete(room.id);
  }

  #all(): RoomSocket[] {
    return [...this.#rooms.values()].flatMap(({ sockets }) => [...sockets]);
  }

  #deliver(room: LiveRoom): void {
    room.isDue = true;
    if (!room.isDelivering) void this.#deliverWhileDue(room);
  }

  async #deliverWhileDue(room: LiveRoom): Promise<void> {
    room.isDelivering = true;
    try {
      while (room.isDue && !this.#isClosing) {
        room.isDue = false;
        const isMore = await this.#parts.database.forOrg(room.orgId, (em) => this.#deliverPages(em, room));
        room.isDue ||= isMore;
      }
    } catch (error) {
      // Nothing is lost: the sockets keep their positions, and the next look finds them behind.
      this.#parts.logger.warn({ err: error, roomId: room.id }, 'messages of a deal room could not be read');
    } finally {
      room.isDelivering = false;
    }
  }

  /**
   * Passes on the next messages to all sockets that can take them. The rights are read after the messages, so that no
   * one gets a message posted after they lost the right to it. Returns whether there may be more.
   */
  async #deliverPages(em: EntityManager, room: LiveRoom): Promise<boolean> {
    const ready = [...room.sockets].filter(({ isReady }) => isReady);
    if (ready.length === 0) return false;
    const pages: { sockets: RoomSocket[]; messages: Readonly<DealRoomMessage>[] }[] = [];
    for (const [sequence, sockets] of Map.groupBy(ready, ({ position }) => position)) {
      const messages = await messagesAfter(em, { dealRoomId: room.id, sequence, limit: PAGE });
      if (messages.length > 0) pages.push({ sockets, messages });
    }
    // Without messages, a notification means that someone was removed.
    const { cutOf } = await readRights(em, ready, this.#parts.now());
    for (const socket of ready) {
      const why = cutOf(socket);
      if (why !== null) socket.cut(why);
    }
    for (const page of pages) passOn(page);
    return pages.some(({ messages }) => messages.length === PAGE);
  }

  /** What depends only on the clock does not wait for the database. */
  #tick(): void {
    for (const socket of this.#all()) socket.tick();
    if (this.#count === 0) return;
    // One statement finds the credentials that have ended, however long the look at the rooms takes.
    this.#unlessRunning('credentials', () => this.#inScope(ANY_SCOPE, (em) => this.#endCredentials(em)));
    this.#unlessRunning('rooms', () => this.#look());
  }

  #unlessRunning(what: string, work: () => Promise<void>): void {
    if (this.#running.has(what) || this.#isClosing) return;
    this.#running.add(what);
    void work().finally(() => this.#running.delete(what));
  }

  #inScope(orgId: string, work: (em: EntityManager) => Promise<void>): Promise<void> {
    const { database, logger } = this.#parts;
    return database.forOrg(orgId, work).catch((error: unknown) => {
      logger.warn({ err: error }, 'rights of sockets could not be read');
    });
  }

  /** Cuts sockets that lost their rights, and finds rooms whose notification was lost. */
  async #look(): Promise<void> {
    const left = [...Map.groupBy(this.#rooms.values(), ({ orgId }) => orgId)];
    const lookOn = async () => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        const [orgId, rooms] = next;
        await this.#inScope(orgId, (em) => this.#lookAt(em, rooms));
      }
    };
    await Promise.all(Array.from({ length: LOOKS_AT_A_TIME }, lookOn));
  }

  /** Cuts the sockets whose user was deactivated or changed, with one statement. */
  async #endCredentials(em: EntityManager): Promise<void> {
    const sockets = this.#all();
    const isOver = await readStandings(
      em,
      sockets.map(({ receiver }) => receiver),
    );
    for (const socket of sockets) if (isOver(socket.receiver)) socket.cut('credential_ended');
  }

  async #lookAt(em: EntityManager, rooms: readonly LiveRoom[]): Promise<void> {
    const sockets = rooms.flatMap((room) => [...room.sockets]);
    const { cutOf, lastSequenceOf } = await readRights(em, sockets, this.#parts.now());
    for (const socket of sockets) {
      const why = cutOf(socket);
      if (why !== null) socket.cut(why);
    }
    const isBehind = ({ isReady, position, roomId }: RoomSocket) => isReady && position < lastSequenceOf(roomId);
    for (const room of rooms) if ([...room.sockets].some(isBehind)) this.#deliver(room);
  }
}

function newRoom(id: string, orgId: string): LiveRoom {
  return { id, orgId, sockets: new Set(), isDue: false, isDelivering: false };
}

/** Sends the messages to sockets at the same position. One that falls behind in the meantime keeps its place. */
function passOn({ sockets, messages }: { sockets: RoomSocket[]; messages: Readonly<DealRoomMessage>[] }): void {
  const frames = messages.map((message) => ({ message, frame: frameOf(message) }));
  for (const socket of sockets) {
    const internal = seesInternal(socket.receiver.actor.role);
    for (const { message, frame } of frames) {
      if (!socket.isReady) break;
      socket.pass(message.sequence, internal || message.visibility === 'all' ? frame : null);
    }
  }
}

function frameOf(message: Readonly<DealRoomMessage>): string {
  const shown = messageToWire(message);
  return JSON.stringify({ ...shown, type: 'message', room: message.dealRoomId, message: shown });
}

function isSameCaller(one: Actor, other: Actor): boolean {
  return one.kind === other.kind && one.id === other.id && one.homeOrgId === other.homeOrgId;
}
