// The API's operations: their paths, who may call them, and that each is one transaction, run once per key.
import { listMovements } from './balance/balance-transactions.ts';
import { readBalance } from './balance/payouts.ts';
import { parseForm, textOf } from './form.ts';
import { type OnceAnswer, once } from './idempotency.ts';
import { changeCustomer, createCustomer } from './kept/customers.ts';
import { detachCard } from './kept/payment-methods.ts';
import { cancelSetup, confirmSetup, createSetup } from './kept/setup-intents.ts';
import type { Operation, Work } from './operation.ts';
import { cancelIntent, confirmIntent, createIntent, readIntent } from './payment-intents.ts';
import { Problem } from './problem.ts';
import { expanded } from './reading/expansion.ts';
import { listingOf, readingOf } from './reading/resources.ts';
import { createRefund } from './refunds.ts';
import type { Intent, SetupIntent, StoredObject } from './wire.ts';

interface Route {
  method: string;
  /** The first group is the id. */
  path: RegExp;
  operation: Operation;
  /** A browser may call it without our key, using the intent's client secret. */
  isForBrowsers?: boolean;
}

const ROUTES: readonly Route[] = [
  { method: 'POST', path: /^\/v1\/payment_intents$/, operation: createIntent },
  {
    method: 'GET',
    path: /^\/v1\/payment_intents$/,
    operation: listingOf({ url: '/v1/payment_intents', kind: 'payment_intent', filters: ['customer'] }),
  },
  { method: 'GET', path: /^\/v1\/payment_intents\/(\w+)$/, operation: readIntent, isForBrowsers: true },
  { method: 'POST', path: /^\/v1\/payment_intents\/(\w+)\/confirm$/, operation: confirmIntent, isForBrowsers: true },
  { method: 'POST', path: /^\/v1\/payment_intents\/(\w+)\/cancel$/, operation: cancelIntent },
  { method: 'POST', path: /^\/v1\/refunds$/, operation: createRefund },
  ...readable('refund', '/v1/refunds', 'payment_intent', 'charge'),
  ...readable('charge', '/v1/charges', 'payment_intent', 'customer'),
  ...readable('dispute', '/v1/disputes', 'payment_intent', 'charge'),
  { method: 'POST', path: /^\/v1\/setup_intents$/, operation: createSetup },
  { method: 'POST', path: /^\/v1\/setup_intents\/(\w+)\/confirm$/, operation: confirmSetup, isForBrowsers: true },
  { method: 'POST', path: /^\/v1\/setup_intents\/(\w+)\/cancel$/, operation: cancelSetup },
  ...readable('setup_intent', '/v1/setup_intents', 'customer'),
  { method: 'POST', path: /^\/v1\/payment_methods\/(\w+)\/detach$/, operation: detachCard },
  ...readable('payment_method', '/v1/payment_methods', 'customer'),
  { method: 'POST', path: /^\/v1\/customers$/, operation: createCustomer },
  { method: 'POST', path: /^\/v1\/customers\/(\w+)$/, operation: changeCustomer },
  ...readable('customer', '/v1/customers', 'email'),
  { method: 'GET', path: /^\/v1\/balance_transactions$/, operation: listMovements },
  {
    method: 'GET',
    path: /^\/v1\/balance_transactions\/(\w+)$/,
    operation: readingOf('balance_transaction'),
  },
  ...readable('payout', '/v1/payouts', 'status'),
  ...readable('event', '/v1/events', 'type'),
  { method: 'GET', path: /^\/v1\/balance$/, operation: readBalance },
];

/** Routes for an object type that is read by id and listed, newest first. */
function readable(kind: StoredObject['object'], url: string, ...filters: string[]): Route[] {
  return [
    { method: 'GET', path: new RegExp(`^${url}$`), operation: listingOf({ url, kind, filters }) },
    { method: 'GET', path: new RegExp(`^${url}/(\\w+)$`), operation: readingOf(kind) },
  ];
}

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

/** Serves a request; one that cannot be served throws a Problem and changes nothing. */
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
  return work.store.transaction(() => {
    const operate = () => expanded(work.store, form, route.operation({ ...work, id, form }));
    return once(work.store, call, work.nowMs, operate);
  });
}

function knowsSecret({ store }: Work, id: string, secret: string | null): boolean {
  const intent = store.find<Intent>('payment_intent', id) ?? store.find<SetupIntent>('setup_intent', id);
  return secret !== null && intent?.client_secret === secret;
}

/** The real processor has more operations than this: a missing one must not pass for one of its answers. */
function unknownPath(method: string, path: string): Problem {
  if (path.startsWith('/v1/')) {
    const message = `The local card processor does not do ${method} ${path}; the real one may. See docs/operations.md.`;
    return new Problem(501, { type: 'api_error', code: 'not_implemented', message });
  }
  return new Problem(404, { type: 'invalid_request_error', message: `Unrecognized request URL (${method}: ${path}).` });
}
