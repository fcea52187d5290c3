// The pipeline in front of the workflows: which events are trusted, processed once, and how the sender is answered.
// The engine is a stand-in.
import { gzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { unavailable } from '../../../api/engine/lifecycle-errors.ts';
import { type InboundEngine, type InboundWork, ProcessingFailed } from '../../../api/inbound/engine.ts';
import { inboundRoutes } from '../../../api/inbound/routes.ts';
import { claimValue, readValue } from '../../../db/queries/platform/kv.ts';
import { PLATFORM_SCOPE } from '../../../db/scope.ts';
import { declined, deliveryTo, processorId, sign, succeeded, type WireEvent } from '../../support/card-events.ts';
import { CARD_PROCESSOR_VARIABLES } from '../../support/servers/providers.ts';
import { type Spine, startSpine } from '../spine/spine-app.ts';

const STRIPE = '/v1/webhooks/stripe';
const NOW_SECONDS = 1_795_000_000;
const MIB = 1024 * 1024;

/** How the stand-in handles an event: by default it processes it immediately. */
const engine = {
  processed: [] as InboundWork[],
  answers: new Map<string, InboundEngine['process']>(),
};
const inbound: InboundEngine = {
  process: async (work, withinMs) => {
    engine.processed.push(work);
    return engine.answers.get(work.eventId)?.(work, withinMs) ?? 'processed';
  },
};

let spine: Spine;
let deliver: ReturnType<typeof deliveryTo>;

test.before('a spine with the operations of the providers', async (t) => {
  spine = await startSpine(t, {
    variables: {
      ...CARD_PROCESSOR_VARIABLES,
      WEBHOOK_DEADLINE_MS: '8000',
      CARD_PROCESSOR_WEBHOOK_SECRET_PREVIOUS: 'whsec_the-one-before-0123456789',
    },
    deps: { routes: inboundRoutes, inbound, now: () => NOW_SECONDS * 1_000 + 999 },
  });
  deliver = deliveryTo(spine.with({}));
});

/** A failed payment with a message of that many characters. */
function declinedWith(message: string): WireEvent {
  const event = declined({ intentId: processorId('pi'), amountCents: 12_345 });
  const { object } = event.data as { object: Record<string, unknown> };
  const last_payment_error = { code: 'card_declined', decline_code: 'generic_decline', message };
  return { ...event, data: { object: { ...object, last_payment_error } } };
}

const anEvent = () => succeeded({ intentId: processorId('pi'), amountCents: 12_345 });
const timesProcessed = ({ id }: WireEvent) => engine.processed.filter(({ eventId }) => eventId === id).length;
const atNow = { atSeconds: NOW_SECONDS };
const keyOf = ({ id }: WireEvent) => `wh:card-processor:${id}`;
const kept = (event: WireEvent) => spine.database.forOrg(PLATFORM_SCOPE, (em) => readValue(em, keyOf(event)));

/** Sends other bytes than those that were signed. */
function send(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) {
  return spine.with({}).send('POST', STRIPE, body, { headers });
}

/** Asserts that a delivery had no effect and nothing of it was stored. */
async function leftNoTrace(t: ExecutionContext, event: WireEvent) {
  t.is(timesProcessed(event), 0);
  t.is(await kept(event), null);
}

test('an event that is exactly five minutes old is fresh, one second more is stale, and so is one ahead of time', async (t) => {
  for (const [ageSeconds, status] of [
    [0, 200],
    [300, 200],
    [301, 400],
    [-300, 200],
    [-301, 400],
  ] as const) {
    const event = anEvent();
    const answer = await deliver(event, { atSeconds: NOW_SECONDS - ageSeconds });
    t.is(answer.status, status, `${ageSeconds} s: ${answer.text}`);
    if (status === 200) continue;
    t.is(answer.body.error, 'validation_failed');
    await leftNoTrace(t, event);
  }
});

test('a signed event that no row can hold is refused for good and leaves no trace', async (t) => {
  const facts = { amountCents: 12_345 };
  for (const event of [
    succeeded({ ...facts, intentId: `pi_${'x'.repeat(5_000)}` }),
    succeeded({ ...facts, intentId: 'pi_\0' }),
    { ...anEvent(), created: 1e15 },
    declinedWith('No. '.repeat(5_000)),
  ]) {
    const answer = await deliver(event, atNow);
    t.is(answer.status, 400, answer.text);
    t.is(answer.body.error, 'validation_failed');
    await leftNoTrace(t, event);
  }
});

test('a delivery with a signature of other bytes is refused with 401 and leaves no trace', async (t) => {
  const event = anEvent();
  const { body, headers } = sign(JSON.stringify(event), atNow);
  const { 'stripe-signature': signature = '', ...unsigned } = headers;
  const forged = sign(body, { ...atNow, secret: 'whsec_of-somebody-else-0123456789' });
  const cases: [what: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>][] = [
    ['another secret', body, forged.headers],
    ['no signature', body, unsigned],
    ['an empty signature', body, { ...unsigned, 'stripe-signature': '' }],
    ['another time', body, { ...unsigned, 'stripe-signature': signature.replace(/^t=\d+/, `t=${NOW_SECONDS - 1}`) }],
    ['half of the body', body.slice(0, -20), headers],
    ['more than the body', `${body} `, headers],
    ['the same JSON written otherwise', JSON.stringify(event, null, 2), headers],
    ['another amount', body.replace('12345', '12344'), headers],
    ['another encoding', new Uint8Array(Buffer.from(body, 'utf16le')), headers],
    ['a byte order mark', `\ufeff${body}`, headers],
    ['compressed', new Uint8Array(gzipSync(body)), { ...headers, 'content-encoding': 'gzip' }],
  ];
  for (const [what, sent, given] of cases) {
    const answer = await send(sent, given);
    t.is(answer.status, 401, `${what}: ${answer.text}`);
    t.is(answer.body.error, 'unauthenticated', what);
  }
  await leftNoTrace(t, event);
});

test('a delivery that is no event is refused with 400, a large one with 413, one of another type with 415', async (t) => {
  const { headers } = sign('', atNow);
  const signed = (body: string) => [body, sign(body, atNow).headers] as const;
  const typed = (type: string) => ({ ...signed('{}')[1], 'content-type': type });
  const cases: [what: string, body: string, headers: Record<string, string>, status: number, error: string][] = [
    ['nothing', '', headers, 400, 'validation_failed'],
    ['no JSON', ...signed('<event/>'), 400, 'malformed_json'],
    ['a list', ...signed('[]'), 400, 'validation_failed'],
    ['no id', ...signed('{"type":"payment_intent.succeeded"}'), 400, 'validation_failed'],
    ['more than 1 MiB', ...signed(JSON.stringify({ ...anEvent(), filler: 'x'.repeat(MIB) })), 413, 'payload_too_large'],
    ['a form', '{}', typed('application/x-www-form-urlencoded'), 415, 'unsupported_media_type'],
    ['text', '{}', typed('text/plain'), 415, 'unsupported_media_type'],
  ];
  for (const [what, body, given, status, error] of cases) {
    const answer = await send(body, given);
    t.is(answer.status, status, `${what}: ${answer.text}`);
    t.is(answer.body.error, error, what);
    t.is(answer.body.requestId, answer.headers.get('x-request-id'));
  }
});

test('the secret before the current one is still accepted', async (t) => {
  const answer = await deliver(anEvent(), { ...atNow, secret: 'whsec_the-one-before-0123456789' });
  t.is(answer.status, 200, answer.text);
});

test('an event is processed once and its mark kept for a day', async (t) => {
  const event = anEvent();
  t.deepEqual((await deliver(event, atNow)).body, { received: true });
  t.deepEqual((await deliver(event, atNow)).body, { received: true, deduplicated: true });
  t.is(timesProcessed(event), 1);
  const rows = await spine.database.forOrg(PLATFORM_SCOPE, (em) =>
    em.execute<{ hours: number }[]>(
      'select round(extract(epoch from expires_at - now()) / 3600)::int as hours from kv_entries where key = ?',
      [keyOf(event)],
    ),
  );
  t.deepEqual(rows, [{ hours: 24 }]);
});

test('an event that an earlier delivery has already processed returns as a duplicate', async (t) => {
  const event = anEvent();
  engine.answers.set(event.id, async () => 'processed_before');
  t.deepEqual((await deliver(event, atNow)).body, { received: true, deduplicated: true });
});

test('an event that cannot be processed returns 500 and is not marked, so that its repetition is processed', async (t) => {
  const event = anEvent();
  engine.answers.set(event.id, async () => {
    throw new ProcessingFailed('on purpose');
  });
  const answer = await deliver(event, atNow);
  t.is(answer.status, 500, answer.text);
  t.is(answer.body.error, 'internal_error');
  t.false(answer.text.includes('on purpose'));
  t.is(await kept(event), null);
  engine.answers.delete(event.id);
  t.deepEqual((await deliver(event, atNow)).body, { received: true });
});

test('the sender gets 503 and a time to retry while the engine is down', async (t) => {
  const event = anEvent();
  engine.answers.set(event.id, async () => {
    throw unavailable();
  });
  const answer = await deliver(event, atNow);
  t.is(answer.status, 503, answer.text);
  t.true(Number(answer.headers.get('retry-after')) > 0);
  t.is(await kept(event), null);
});

test('copies that arrive while the first is at work return its outcome; when it fails one of them is tried', async (t) => {
  const event = anEvent();
  let isFirst = true;
  engine.answers.set(event.id, async () => {
    if (!isFirst) return 'processed';
    isFirst = false;
    await copiesHaveCome;
    throw new ProcessingFailed('on purpose');
  });
  const first = deliver(event, atNow);
  const copies = [deliver(event, atNow), deliver(event, atNow)];
  const copiesHaveCome = new Promise((resolve) => setImmediate(resolve));
  t.is(
    (await first).status + (await Promise.all(copies)).reduce((sum, { status }) => sum + status, 0),
    500 + 200 + 200,
  );
  t.is(timesProcessed(event), 2);
});

test('a copy gets 503 when its first is under way for longer than the sender would wait', async (t) => {
  const event = anEvent();
  await claim(event, 60);
  const answer = await deliver(event, atNow);
  t.is(answer.status, 503, answer.text);
  t.true(Number(answer.headers.get('retry-after')) > 0);
  t.is(timesProcessed(event), 0);
});

test('the claim of a process that has died ends by itself', async (t) => {
  const event = anEvent();
  await claim(event, 1);
  t.deepEqual((await deliver(event, atNow)).body, { received: true });
});

function claim(event: WireEvent, seconds: number) {
  return spine.database.forOrg(PLATFORM_SCOPE, (em) =>
    claimValue(em, keyOf(event), { holder: 'a dead process' }, seconds),
  );
}

test('an Idempotency-Key means nothing here, and the limit is that of webhooks', async (t) => {
  for (const event of [anEvent(), anEvent()]) {
    const { body, headers } = sign(JSON.stringify(event), atNow);
    const answer = await send(body, { ...headers, 'idempotency-key': 'the same' });
    t.deepEqual([answer.status, answer.body], [200, { received: true }]);
    t.is(answer.headers.get('idempotent-replayed'), null);
    t.is(answer.headers.get('x-ratelimit-limit'), '10000');
    t.is(timesProcessed(event), 1);
  }
});

test('a refused event is in the log without its content', async (t) => {
  const { body, headers } = sign(JSON.stringify({ ...anEvent(), secret: 'personal' }), {
    ...atNow,
    secret: 'whsec_wrong',
  });
  const { headers: answered } = await send(body, headers);
  const line = spine.logs.find(
    (each) => each.includes(answered.get('x-request-id') ?? '?') && each.includes('refused'),
  );
  t.truthy(line);
  t.false(spine.logs.some((each) => each.includes('personal')));
});
