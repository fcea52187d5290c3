// Calls the platform's operations by name; handles URLs, the credential, retries and paging.
import { OPERATIONS, type Operations } from './api.generated.ts';
import { refusalOf } from './errors.ts';
import { sentUntilFinal } from './retries.ts';

export type OperationId = keyof Operations;

/** The operations that return a page of a list. */
export type ListId = {
  [Id in OperationId]: Operations[Id]['answer'] extends { data: unknown[]; nextCursor: string | null } ? Id : never;
}[OperationId];

/** The operations that support a preview. */
export type PreviewId = {
  [Id in OperationId]: Operations[Id] extends { preview: object } ? Id : never;
}[OperationId];

/** The operations that can return a table as CSV. */
export type CsvId = {
  [Id in OperationId]: Operations[Id] extends { csv: string } ? Id : never;
}[OperationId];

/** A token, the machine secret or an API key. A function is called for each attempt, for tokens that expire. */
export type Credential = { apiKey: string } | { token: string | (() => string | Promise<string>) };

export interface BinderyOptions {
  /** Address of the API without `/v1`. */
  baseUrl: string;
  /** Omit it for operations that need none. */
  credential?: Credential;
  /** The organization to act in, for the machine secret and platform roles. */
  organizationId?: string;
  /** How many times a call is sent if the network fails or the platform is busy, including the first. Default 4. */
  attempts?: number;
  /** How long one attempt may take, in milliseconds. Default 60,000, and more for operations that may need more. */
  timeoutMs?: number;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
}

export interface CallOptions {
  /** Default: a new key for every `POST` call. Keep a key of your own to repeat a call after a restart. */
  idempotencyKey?: string;
  /** The `ETag` of the version you read. */
  ifMatch?: string;
  signal?: AbortSignal;
}

type Input<Id extends OperationId> = Operations[Id]['request'] & CallOptions;
type Arguments<Id extends OperationId> =
  Record<never, never> extends Operations[Id]['request'] ? [input?: Input<Id>] : [input: Input<Id>];
type Preview<Id extends PreviewId> = Operations[Id] extends { preview: infer Answer } ? Answer : never;
type Row<Id extends ListId> = Operations[Id]['answer'] extends { data: (infer Item)[] } ? Item : never;

/** The untyped input of any operation. */
interface AnyInput extends CallOptions {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** The method and path of an operation. */
interface Place {
  method: string;
  path: string;
  hasKey: boolean;
  timeoutMs?: number;
}

const JSON_FIRST = 'application/json, */*;q=0.5';
const [DEFAULT_ATTEMPTS, DEFAULT_TIMEOUT_MS] = [4, 60_000];
const REPEATABLE_METHODS = new Set(['GET', 'PUT', 'DELETE']);

export class BinderyClient {
  readonly #options: BinderyOptions;
  readonly #root: string;

  constructor(options: BinderyOptions) {
    this.#options = options;
    this.#root = options.baseUrl.replace(/\/+$/, '');
  }

  /**
   * Calls an operation and returns its answer.
   * @throws BinderyError if the platform refuses; the error of `fetch` if it cannot be reached
   */
  async call<Id extends OperationId>(id: Id, ...[input]: Arguments<Id>): Promise<Operations[Id]['answer']> {
    return (await this.#send(id, input ?? {})) as Operations[Id]['answer'];
  }

  /** Shows what an operation would do; nothing is written. */
  async preview<Id extends PreviewId>(id: Id, ...[input]: Arguments<Id>): Promise<Preview<Id>> {
    const { query, ...rest }: AnyInput = input ?? {};
    return (await this.#send(id, { ...rest, query: { ...query, preview: true } })) as Preview<Id>;
  }

  /** Reads a table as CSV. */
  async csv<Id extends CsvId>(id: Id, ...[input]: Arguments<Id>): Promise<string> {
    return (await this.#answer(id, input ?? {}, 'text/csv')).text();
  }

  /** Iterates over every row of a list, page by page. */
  async *list<Id extends ListId>(id: Id, ...[input]: Arguments<Id>): AsyncGenerator<Row<Id>, void, undefined> {
    const { query, ...rest }: AnyInput = input ?? {};
    let cursor: string | null = null;
    do {
      const paged = { ...rest, query: { ...query, ...(cursor === null ? {} : { cursor }) } };
      const page = (await this.#send(id, paged)) as { data: Row<Id>[]; nextCursor: string | null };
      yield* page.data;
      cursor = page.nextCursor;
    } while (cursor !== null);
  }

  async #send(id: OperationId, input: AnyInput): Promise<unknown> {
    return answerIn(await this.#answer(id, input, JSON_FIRST));
  }

  async #answer(id: OperationId, input: AnyInput, accept: string): Promise<Response> {
    const { method, path, hasKey, ...long }: Place = OPERATIONS[id];
    const { attempts: most = DEFAULT_ATTEMPTS, timeoutMs = long.timeoutMs ?? DEFAULT_TIMEOUT_MS } = this.#options;
    const send = this.#options.fetch ?? fetch;
    const url = this.#urlOf(path, input);
    const { body, type } = bodyOf(input.body);
    const fixed = {
      accept,
      ...(type === null ? {} : { 'content-type': type }),
      ...(hasKey ? { 'idempotency-key': input.idempotencyKey ?? crypto.randomUUID() } : {}),
      ...(input.ifMatch === undefined ? {} : { 'if-match': input.ifMatch }),
      ...(this.#options.organizationId === undefined ? {} : { 'x-org-id': this.#options.organizationId }),
    };
    const once = async (): Promise<Response> => {
      const signals = [AbortSignal.timeout(timeoutMs), ...(input.signal ? [input.signal] : [])];
      const headers = { ...fixed, ...(await this.#credentialHeaders()) };
      const rest = body === undefined ? {} : { body };
      return send(url, { method, headers, redirect: 'error', signal: AbortSignal.any(signals), ...rest });
    };
    const isRepeatable = hasKey || REPEATABLE_METHODS.has(method);
    const response = await sentUntilFinal(once, { most, isRepeatable, signal: input.signal });
    if (!response.ok) throw await refusalOf(response);
    return response;
  }

  #urlOf(path: string, { path: values = {}, query = {} }: AnyInput): URL {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
    const url = new URL(`${this.#root}${filled}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return url;
  }

  async #credentialHeaders(): Promise<Record<string, string>> {
    const { credential } = this.#options;
    if (credential === undefined) return {};
    if ('apiKey' in credential) return { 'x-api-key': credential.apiKey };
    const { token } = credential;
    return { authorization: `Bearer ${typeof token === 'string' ? token : await token()}` };
  }
}

/**
 * Files and forms are sent as they are, everything else as JSON. A form sets its own content type, with its boundary.
 */
function bodyOf(body: unknown): { body: string | Blob | FormData | undefined; type: string | null } {
  if (body === undefined) return { body: undefined, type: null };
  if (body instanceof FormData) return { body, type: null };
  if (body instanceof Blob) return { body, type: body.type };
  return { body: JSON.stringify(body), type: 'application/json' };
}

async function answerIn(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  const type = response.headers.get('content-type') ?? '';
  return type.startsWith('application/json') ? response.json() : response.blob();
}
