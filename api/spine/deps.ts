// What the application is built from: by entry files from the configuration, by tests from their own parts.
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { ApiConfig } from '../../config.ts';
import type { Database } from '../../db/orm.ts';
import type { Presence } from '../../db/presence.ts';
import type { RefusalTally } from '../../http/refusals.ts';
import type { MailPort } from '../../providers/mail-port.ts';
import type {
  CardProcessor,
  DocumentAnalyst,
  DocumentReader,
  IdentityVerifier,
  KvStore,
  ObjectStorage,
  SanctionsScreening,
  Typesetter,
} from '../../providers/ports.ts';
import type { Tracing } from '../../providers/tracing/port.ts';
import type { WebhookSender } from '../../providers/webhooks/sender.ts';
import type { RecordCall } from '../credentials/audit.ts';
import type { OrganizationDirectory } from '../credentials/organizations.ts';
import type { Lifecycle } from '../engine/lifecycle.ts';
import type { InboundEngine } from '../inbound/engine.ts';
import type { Reference } from '../reference/contents.ts';
import type { Handshake } from '../sockets/handshake.ts';
import type { RoomHub } from '../sockets/room-hub.ts';
import type { IssueTicket } from '../sockets/tickets.ts';
import type { RequestLog } from './request-log.ts';

/** A response as sent, for tests that check it against the document. `pattern` is null if no operation was found. */
export interface SentAnswer {
  method: string;
  pattern: string | null;
  status: number;
  isJson: boolean;
  body: unknown;
}

/** Where resources are read, up to the id. */
export interface DetailPaths {
  /** By the path of their collection, such as `/deal-rooms`. */
  ofCollections: ReadonlyMap<string, string>;
  /** By the prefix of their ids, such as `pol`. */
  ofIds: ReadonlyMap<string, string>;
}

export interface AppDeps {
  config: ApiConfig;
  database: Database;
  lifecycle: Lifecycle;
  /** Passes provider events to their workflows. */
  inbound: InboundEngine;
  temporalAvailability: { isAvailable: () => boolean };
  logger: Logger;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Default: the configured adapter. */
  mail?: MailPort;
  /** Default: the configured adapter. */
  card?: CardProcessor;
  /** Default: the configured adapter. */
  identityVerifier?: IdentityVerifier;
  /** Default: the configured adapter. */
  kv?: KvStore;
  /** Sends tests and redeliveries to receivers. Default: the configured adapter. */
  webhooks?: WebhookSender;
  /** Default: the configured adapter. */
  storage?: ObjectStorage;
  /** Default: threads of this process. */
  reader?: DocumentReader;
  /** Default: threads of this process. */
  typesetter?: Typesetter;
  /** Default: the configured adapter. */
  analyst?: DocumentAnalyst;
  /** Default: the table of the installation's list. */
  screening?: SanctionsScreening;
  /** Origins whose browsers may call; none by default. */
  corsOrigins?: readonly string[];
  /** Default: a new registry. */
  metrics?: Registry;
  /** Default: nothing is traced. */
  tracing?: Tracing | null;
  /** Sees every response before it is sent; if it throws, that error is sent instead. For tests. */
  observe?: (answer: SentAnswer) => void;
}

/** What handlers get as `deps`: the above, and what the application built from it. */
export interface RuntimeDeps extends AppDeps {
  metrics: Registry;
  organizations: OrganizationDirectory;
  mail: MailPort;
  card: CardProcessor;
  identityVerifier: IdentityVerifier;
  kv: KvStore;
  webhooks: WebhookSender;
  storage: ObjectStorage;
  reader: DocumentReader;
  typesetter: Typesetter;
  analyst: DocumentAnalyst;
  screening: SanctionsScreening;
  recordCall: RecordCall;
  /** The log of calls and their responses. */
  requests: RequestLog;
  /** Refused credentials that leave no audit row of their own. */
  refusals: RefusalTally;
  detailPaths: DetailPaths;
  /** Shows other processes that this one is alive. */
  presence: Presence;
  /** Work that no caller waits for: faults are logged, and a stop waits for it to finish. */
  inBackground: (what: string, work: Promise<unknown>) => void;
  /** What the API says about itself. */
  reference: Reference;
  /** The open sockets to deal rooms. */
  rooms: RoomHub;
  /** Turns the connection of a request that has passed every check into a WebSocket. */
  handshake: Handshake;
  issueTicket: IssueTicket;
}
