// The local push service: a small server, on the loopback address alone, that speaks the protocol of Firebase Cloud
// Messaging HTTP v1 and issues tokens to its one service account as Google does. It keeps everything in memory.
import { createVerify, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

const PROJECT = 'bindery-local';
const EMAIL = `push@${PROJECT}.iam.gserviceaccount.com`;
const TOKEN_SECONDS = 3_600;

/** A message that the service has accepted. */
export interface TakenPush {
  token: string;
  notification: { title: string; body: string };
  data: Record<string, string>;
  apns: { headers: Record<string, string> };
}

export interface LocalPushService {
  /** Without a trailing slash. */
  url: string;
  /** The account's key file, in Google's format. */
  accountKey: string;
  /** Oldest first. */
  taken: readonly TakenPush[];
  /** How many calls came in, whatever the answers. */
  calls(): number;
  /** The device has removed the app: its token is no longer known. */
  unregister(token: string): void;
  /** Answers every message with this status; with `takes`, it is delivered first. Null ends it. */
  failWith(fault: { status: number; retryAfter?: number; takes?: boolean } | null): void;
  /** The tokens issued so far are no longer accepted. */
  revokeTokens(): void;
  close(): Promise<void>;
}

interface Answer {
  status: number;
  body: object;
  headers?: Record<string, string>;
}

interface State {
  taken: TakenPush[];
  gone: Set<string>;
  tokens: Set<string>;
  calls: number;
  fault: Parameters<LocalPushService['failWith']>[0];
}

/** Starts the service; the caller closes it. */
export async function startPushService(): Promise<LocalPushService> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const state: State = { taken: [], gone: new Set(), tokens: new Set(), calls: 0, fault: null };
  const serve = async (request: IncomingMessage): Promise<Answer> => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const body = JSON.parse(await text(request)) as Record<string, unknown>;
    if (path === '/token') return giveToken(state, String(body.assertion), publicKey);
    if (path !== `/v1/projects/${PROJECT}/messages:send`) return refusal(404, 'NOT_FOUND');
    state.calls += 1;
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    return state.tokens.has(token) ? take(state, body.message as TakenPush) : refusal(401, 'UNAUTHENTICATED');
  };
  const server = createServer((request, response) => {
    void serve(request)
      .catch(() => refusal(400, 'INVALID_ARGUMENT'))
      .then(({ status, body, headers }) => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
      });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
  const account = { type: 'service_account', project_id: PROJECT, client_email: EMAIL, private_key: key };
  return {
    ...{ url, taken: state.taken, calls: () => state.calls },
    accountKey: JSON.stringify({ ...account, token_uri: `${url}/token` }),
    unregister: (token) => void state.gone.add(token),
    failWith: (fault) => {
      state.fault = fault;
    },
    revokeTokens: () => state.tokens.clear(),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function take(state: State, message: TakenPush): Answer {
  const { fault } = state;
  if (fault !== null && fault.takes !== true) return faultOf(fault);
  if (typeof message.token !== 'string' || message.token === '' || message.notification.title === '') {
    return refusal(400, 'INVALID_ARGUMENT', 'INVALID_ARGUMENT');
  }
  if (state.gone.has(message.token)) return refusal(404, 'NOT_FOUND', 'UNREGISTERED');
  state.taken.push(message);
  return fault === null
    ? { status: 200, body: { name: `projects/${PROJECT}/messages/${randomUUID()}` } }
    : faultOf(fault);
}

function faultOf({ status, retryAfter }: NonNullable<State['fault']>): Answer {
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return { ...refusal(status, status === 429 ? 'RESOURCE_EXHAUSTED' : 'UNAVAILABLE'), headers };
}

function refusal(code: number, status: string, errorCode?: string): Answer {
  const details = { '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode };
  const error = { code, message: 'Refused', status, ...(errorCode === undefined ? {} : { details: [details] }) };
  return { status: code, body: { error } };
}

/** An assertion signed with the account's key proves its identity. */
function giveToken(state: State, assertion: string, key: KeyObject): Answer {
  const [head = '', claims = '', signature = ''] = assertion.split('.');
  const isSigned = createVerify('RSA-SHA256').update(`${head}.${claims}`).verify(key, signature, 'base64url');
  const { iss } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { iss?: unknown };
  if (!isSigned || iss !== EMAIL) return { status: 400, body: { error: 'invalid_grant' } };
  const token = randomUUID();
  state.tokens.add(token);
  return { status: 200, body: { access_token: token, expires_in: TOKEN_SECONDS, token_type: 'Bearer' } };
}
