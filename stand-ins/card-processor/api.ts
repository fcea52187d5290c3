// The operations of the API: which path is which, who may call it, and that each is one transaction, done once per key.
import { listCharges, readCharge } from './charges.ts';
import { parseForm, textOf } from './form.ts';
import { type OnceAnswer, once } from './idempotency.ts';
import type { Operation, Work } from './operation.ts';
import { cancelIntent, confirmIntent, createIntent, listIntents, readIntent } from './payment-intents.ts';
import { Problem } from './problem.ts';
import { createRefund, listRefunds, readRefund } from './refunds.ts';
import type { Intent } from './wire.ts';

interface Route {
  method: string;
  /** The first group is the id. */
  path: RegExp;
  operation: Operation;
  /** A browser may call it without our key, with the client secret of the intent. */
  isForBrowsers?: boolean;
}

const ROUTES: readonly Route[] = [
  { method: 'POST', path: /^\/v1\/payment_intents$/, operation: createIntent },
  { method: 'GET', path: /^\/v1\/payment_intents$/, operation: listIntents },
  { method: 'GET', path: /^\/v1\/payment_intents\/(\w+)$/, operation: readIntent, isForBrowsers: true },
  { method: 'POST', path: /^\/v1\/payment_intents\/(\w+)\/confirm$/, operation: confirmIntent, isForBrowsers: true },
  { method: 'POST', path: /^\/v1\/payment_intents\/(\w+)\/cancel$/, operation: cancelIntent },
  { method: 'POST', path: /^\/v1\/refunds$/, operation: createRefund },
  { method: 'GET', path: /^\/v1\/refunds$/, operation: listRefunds },
  { method: 'GET', path: /^\/v1\/refunds\/(\w+)$/, operation: readRefund },
  { method: 'GET', path: /^\/v1\/charges$/, operation: listCharges },
  { method: 'GET', path: /^\/v1\/charges\/(\w+)$/, operation: readCharge },
];

export interface ApiRequest {
  method: string;
  path: string;
  /** Without the question mark. */
  query: string;
  body: string;
  idempotencyKey: string | null;
  /** Whether it came with our key. */
  isAuthorized: boolean;
}

/** Serves a request; what cannot be served throws a Problem and has changed nothing. */
export function serve(request: ApiRequest, work: Work): OnceAnswer {
  const { method, path, query, body, idempotencyKey } = request;
  const route = ROUTES.find((candidate) => candidate.method === method && candidate.path.test(path));
  if (route === undefined) throw unknownPath(method, path);
  const id = route.path.exec(path)?.[1] ?? '';
  const form = parseForm(method === 'GET' ? query : body);
  if (!request.isAuthorized && !(route.isForBrowsers && knowsSecret(work, id, textOf(form, 'client_secret')))) {
    throw new Problem(401, { type: 'invalid_request_error', message: 'Invalid API Key provided.' });
  }
  const call = { key: method === 'POST' ? idempotencyKey : null, path, body };
  return work.store.transaction(() => once(work.store, call, work.nowMs, () => route.operation({ ...work, id, form })));
}

function knowsSecret({ store }: Work, intentId: string, secret: string | null): boolean {
  return secret !== null && store.find<Intent>('payment_intent', intentId)?.client_secret === secret;
}

function unknownPath(method: string, path: string): Problem {
  return new Problem(404, { type: 'invalid_request_error', message: `Unrecognized request URL (${method}: ${path}).` });
}
