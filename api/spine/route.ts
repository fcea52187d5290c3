// One value describes an operation: its path, who may call it, its input and output, how it can fail, what it does.
// Router, validation, permission check, rate limit, OpenAPI and the tests that walk all operations are derived from it.
import type { IncomingHttpHeaders } from 'node:http';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { Environment } from '../../config.ts';
import type { Command } from '../../contracts/machinery/command.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import type { Actor } from '../../domain/permissions.ts';
import type { Caller } from '../credentials/caller.ts';
import type { Lifecycle } from '../engine/lifecycle.ts';
import type { Access, OrganizationAccess, PlatformAccess } from './access.ts';
import type { Deprecation } from './deprecation.ts';
import type { RuntimeDeps } from './deps.ts';
import type { ReceivedFile } from './files/received-file.ts';

export type HttpMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The rate class of a call. `probe` is counted separately. Spec 8.1, Contract 1 "Rate headers". */
export type RateClass = 'standard' | 'ai' | 'message' | 'webhook' | 'probe';

/** One response of an operation. */
export interface ResponseSpec {
  status: number;
  /** Null for a response without a body. */
  body: z.ZodType | null;
  description?: string;
  /**
   * The name of its example, and of the request body it responds to, if an operation shows several. Default: `real`.
   */
  exampleName?: string;
  /** Default application/json. */
  contentType?: string;
  /** Whether it is also available as `text/csv`, for callers who prefer that. */
  csv?: boolean;
  /** Whether it is also available as a page, for callers who prefer `text/html`. */
  html?: boolean;
}

/** Files and other non-JSON bodies: the handler gets the bytes as `upload`. */
export interface UploadSpec {
  /** Media types, without parameters. */
  contentTypes: readonly string[];
  maxBytes: number;
  /** How the reference describes bytes that are JSON anyway. Default: as a file. */
  schema?: z.ZodType;
}

/** One file, in a form or as `contentBase64` within JSON; the handler gets it as `file`, the rest as `body`. */
export interface FileSpec {
  maxBytes: number;
  /** Types of a file that may also be the whole body. */
  alone?: readonly string[];
  /** Fields that are true or false: a form writes them as text. */
  booleans?: readonly string[];
  /**
   * Set if a file replaces the JSON: in a form, or as the whole body with one of these types. The handler then has no
   * body.
   */
  inPlaceOfJson?: { contentTypes: readonly string[] };
}

export interface Upload {
  contentType: string;
  bytes: Buffer;
}

/** The organization a call acts in. `today` is its business date. */
export interface CallOrganization {
  id: string;
  tier: string;
  clockOffsetDays: number;
  today: BusinessDate;
}

/** The database as the organization of the call sees it. Each call of `read` starts with nothing in memory. */
export interface OrganizationDatabase {
  read<T>(work: (em: EntityManager) => Promise<T>): Promise<T>;
  transaction<T>(work: (em: EntityManager) => Promise<T>): Promise<T>;
  /**
   * A transaction whose result the handler returns: it also stores the response for the Idempotency-Key, so that no
   * response is lost if the process dies after the commit.
   */
  answer<T>(work: (em: EntityManager) => Promise<T>): Promise<T>;
}

/**
 * Builds the command of this call for an entity. Repeating the call with the same Idempotency-Key builds the same one:
 * its id is a hash of organization, caller, method, path, query and key.
 */
export interface CommandBuilder {
  <Payload>(payload: Payload, entityId: string): Command<Payload>;
  readonly commandId: string;
  /** UUIDv7 that is the same when the call is repeated after a crash: `newId('submission', seedUuid)`. */
  readonly seedUuid: string;
}

interface AnyContext {
  /** The request id; it is in logs, audit rows and error bodies. */
  requestId: string;
  lifecycle: Lifecycle;
  deps: RuntimeDeps;
  upload: Upload | null;
  /** Set if the operation takes a file; gone when the call ends. */
  file: ReceivedFile | null;
  /**
   * The client for rate limits: its address, with TRUST_PROXY the one behind the proxy, as clientOf names it.
   */
  clientAddress: string;
  /** All headers as received. */
  headers: IncomingHttpHeaders;
  /** Whether the connection can become a WebSocket: a handler that returns a `TakeOver` then gets it. */
  isUpgrade: boolean;
}

interface OpenContext extends AnyContext {
  /** Every Authorization header as received: no credential was checked. */
  authorizations: readonly string[];
}

interface ProvenContext extends AnyContext {
  actor: Actor;
  /** The credential that authenticated the actor, for anything that outlives the call. */
  caller: Caller;
  command: CommandBuilder;
  /**
   * Checks `If-Match` against a row that the handler has locked; the pipeline has checked the row before the lock.
   * @throws DomainError precondition_failed
   */
  ensureUnchanged: (row: { id: string; version: number }) => void;
}

interface OrganizationContext<Row> extends ProvenContext {
  org: CallOrganization;
  db: OrganizationDatabase;
  /** The row that `:id` names; null for an operation without a resource. */
  row: Row;
}

type ContextOf<A> =
  A extends OrganizationAccess<infer Row>
    ? OrganizationContext<Row>
    : A extends PlatformAccess
      ? ProvenContext
      : OpenContext;

/** The input of a handler: validated values and the scope that its access rule grants. */
export type HandlerContext<A, Params, Query, Body> = ContextOf<A> & { params: Params; query: Query; body: Body };

interface RouteFacts {
  method: HttpMethod;
  /** With `:name` parameters; below `/v1` unless `mount` says otherwise. */
  path: string;
  mount?: 'v1' | 'root';
  /** The environments where the operation exists; elsewhere its path is unknown. Default: everywhere. */
  environments?: readonly Environment[];
  /** Verb and noun in camelCase, unique. */
  operationId: string;
  tag: string;
  /** Its source sections: `4.4, Contract 3.1`, where a bare number refers to the specification. */
  spec: string;
  summary: string;
  description?: string;
  /** Default `standard`. */
  rateLimit?: RateClass;
  /**
   * How long parts of the handler may take beyond COMMAND_DEADLINE_MS, in milliseconds: for waiting a turn, or for
   * parts with their own deadline. The call's Idempotency-Key is held for as long.
   */
  deadlineMs?: number;
  upload?: UploadSpec;
  file?: FileSpec;
  response: ResponseSpec;
  /**
   * The handler tags its response itself, and honors `If-Match` if it changes something: it concerns a row below that
   * of `:id`, or no row of an organization.
   */
  isTagged?: boolean;
  /** Other non-error responses, e.g. 200 for a preview. */
  alternates?: readonly ResponseSpec[];
  /** Codes beyond those that follow from the rest: credentials, permission, validation, the row, limits, failures. */
  errors: readonly ErrorCode[];
  /** Set if the signature is the credential: one of these headers signs the body. */
  signatureHeaders?: readonly string[];
  /** Announces the end of the operation. */
  deprecation?: Deprecation;
  /** Whether `Idempotency-Key` is honoured. Default: on every POST that needs a credential. Contract 1. */
  idempotent?: boolean;
  /** Top-level fields in the first response but not in the one stored for the Idempotency-Key. */
  shownOnce?: readonly string[];
  /** Top-level secret response fields: the copy stored for the Idempotency-Key is encrypted. */
  secretFields?: readonly string[];
  /**
   * Re-checks a response stored for the Idempotency-Key, since its caller may now see less of it. Default: replayed
   * unchanged.
   */
  replayed?(kept: object, caller: RepeatingCaller): Promise<object>;
}

/** The repeating caller, and the database of the organization they call in. */
export type RepeatingCaller = Pick<OrganizationContext<unknown>, 'actor' | 'requestId' | 'db'>;

type Handler<A, Params, Query, Body> = (context: HandlerContext<A, Params, Query, Body>) => unknown | Promise<unknown>;

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : Record<string, never>;
type BodyOutput<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

type RouteDefinition<A, Params, Query, Body> = RouteFacts & {
  access: A;
  params?: Params;
  query?: Query;
  body?: Body;
  handler: Handler<A, Output<Params>, Output<Query>, BodyOutput<Body>>;
};

/** An operation, as seen by the table and everything derived from it. */
export interface Route extends Omit<RouteFacts, 'file'> {
  mount: 'v1' | 'root';
  rateLimit: RateClass;
  idempotent: boolean;
  shownOnce: readonly string[];
  secretFields: readonly string[];
  access: Access;
  params: z.ZodObject | null;
  query: z.ZodObject | null;
  body: z.ZodType | null;
  alternates: readonly ResponseSpec[];
  file: FileSpec | null;
  /** Path with its mount, as the router and the logs know it: `/v1/policies/:id`. */
  pattern: string;
  handler: (context: unknown) => unknown;
}

/**
 * Declares an operation. The types of the schemas and of the access rule reach the handler.
 * @throws Error for a contradictory table: a resource without `:id`, a body on a GET
 */
export function route<
  A extends Access,
  Params extends z.ZodObject | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(definition: RouteDefinition<A, Params, Query, Body>): Route {
  const { method, path, mount = 'v1', operationId } = definition;
  const access = definition.access as unknown as Access;
  const declared = [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
  const described = Object.keys(definition.params?.shape ?? {});
  if (declared.sort().join() !== described.sort().join()) throw new Error(`${operationId}: params do not fit ${path}`);
  if (access.kind === 'organization' && access.resource && !declared.includes('id')) {
    throw new Error(`${operationId}: a resource needs :id in its path`);
  }
  if (definition.body && (method === 'get' || method === 'delete'))
    throw new Error(`${operationId}: ${method} with a body`);
  return {
    ...definition,
    access,
    mount,
    params: definition.params ?? null,
    query: definition.query ?? null,
    body: definition.body ?? null,
    alternates: definition.alternates ?? [],
    file: definition.file ?? null,
    rateLimit: definition.rateLimit ?? 'standard',
    idempotent: definition.idempotent ?? (method === 'post' && access.kind !== 'open'),
    shownOnce: definition.shownOnce ?? [],
    secretFields: definition.secretFields ?? [],
    pattern: mount === 'v1' ? `/v1${path}` : path,
    handler: definition.handler as (context: unknown) => unknown,
  };
}
