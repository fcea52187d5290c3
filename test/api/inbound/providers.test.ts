// Requests from every inbound provider, in front of the workflows: which are trusted, how each sender is answered, and
// that a refused one leaves nothing. The engine is a stand-in.
import { createHash } from 'node:crypto';
import test from 'ava';
import { type InboundEngine, type InboundWork, ProcessingFailed } from '../../../api/inbound/engine.ts';
import { inboundRoutes } from '../../../api/inbound/routes.ts';
import { newId } from '../../../db/ids.ts';
import { PLATFORM_SCOPE } from '../../../db/scope.ts';
import {
  fromBoldSign,
  fromDocumenso,
  fromDocuSign,
  fromGeneric,
  fromMailer,
  fromVerifier,
  inquiryEvent,
  mailEvent,
  type SignedRequest,
  type Signing,
} from '../../support/inbound-events.ts';
import { CARD_PROCESSOR_VARIABLES, INBOUND_VARIABLES } from '../../support/servers/providers.ts';
import { type Spine, startSpine } from '../spine/spine-app.ts';
import {
  at,
  NOW_SECONDS,
  PRODUCER,
  PROVIDERS,
  REPLACED,
  renamed,
  signatureHeader,
  signedBy,
  withSignature,
} from './provider-requests.ts';

const MIB = 1024 * 1024;

const engine = { processed: [] as InboundWork[], failures: new Set<string>() };
const inbound: InboundEngine = {
  process: async (work) => {
    if (engine.failures.delete(work.eventId)) throw new ProcessingFailed('on purpose');
    engine.processed.push(work);
    return 'processed';
  },
};

const VARIABLES = { ...INBOUND_VARIABLES, ...CARD_PROCESSOR_VARIABLES, ...REPLACED };

let spine: Spine;
let unset: Spine;
let documenso: Spine;

test.before(
  'a spine with the operations of the providers, one where none is set up, and one that has Documenso',
  async (t) => {
    const deps = { routes: inboundRoutes, inbound, now: () => NOW_SECONDS * 1_000 };
    spine = await startSpine(t, { variables: VARIABLES, deps });
    const { testDatabase: database } = spine;
    unset = await startSpine(t, { database, deps });
    documenso = await startSpine(t, { variables: { ...VARIABLES, ESIGN_PROVIDER: 'documenso' }, database, deps });
  },
);

const send = ({ path, body, headers }: SignedRequest, to = spine) => to.with({}).send('POST', path, body, { headers });

/** How many keys of the pipeline are stored. */
async function kept(): Promise<number> {
  const rows = await spine.database.forOrg(PLATFORM_SCOPE, (em) =>
    em.execute<{ count: string }[]>(`select count(*) as count from kv_entries where key like 'wh:%'`),
  );
  return Number(rows[0]?.count);
}

const anothers: Record<string, string> = { 'email provider': `whsec_${Buffer.alloc(24, 7).toString('base64')}` };

test('the refusal of a stale event names the header that carried its time, as it was sent', async (t) => {
  const named: Record<string, [own: string, neutral: string]> = {
    'identity verifier': ['Persona-Signature', 'Verifier-Signature'],
    'email provider': ['svix-timestamp', 'message-timestamp'],
  };
  for (const [name, make, neutral] of PROVIDERS) {
    if (named[name] === undefined) continue;
    const stale = make({ atSeconds: NOW_SECONDS - 301 });
    const answers = await Promise.all([send(stale), send(renamed(stale, neutral))]);
    t.deepEqual(
      answers.map(({ text }) => JSON.parse(text).details.field),
      named[name],
      name,
    );
  }
});

test.serial(
  'an unproven request is refused with 401, a stale one or one without an event with 400, and nothing of it is kept',
  async (t) => {
    const [before, processed] = [await kept(), engine.processed.length];
    for (const [name, make] of PROVIDERS) {
      const valid = make();
      const others = PROVIDERS.filter(([each]) => each !== name).map(([each, another]) => [each, another()] as const);
      const signature = valid.headers[signatureHeader(valid)];
      const withEmptySecret = make({ secret: '' });
      // Cards may be set up later: the processor retries failed deliveries for days.
      const whereUnset = name === 'card processor' ? 503 : 401;
      const cases: [what: string, request: SignedRequest, status: number, to?: Spine][] = [
        ['forged', make({ secret: anothers[name] ?? 'somebody-else-0123456789' }), 401],
        ['unsigned', { ...valid, headers: { 'content-type': 'application/json' } }, 401],
        ['stale', make({ atSeconds: NOW_SECONDS - 301 }), 400],
        ['future', make({ atSeconds: NOW_SECONDS + 301 }), 400],
        ['truncated', { ...valid, body: valid.body.slice(0, -9) }, 401],
        ['re-encoded', { ...valid, body: JSON.stringify(JSON.parse(valid.body), null, 1) }, 401],
        ...others.flatMap(([each, other]): typeof cases => [
          [`with the headers of the ${each}`, { ...valid, headers: other.headers }, 401],
          [`signed by the ${each}`, signedBy(other, valid), 401],
        ]),
        ['with its header twice', withSignature(valid, `${signature}, x`), 401],
        ['with an empty secret', withEmptySecret, 401],
        ['where no secret is set', valid, whereUnset, unset],
        ['with an empty secret where none is set', withEmptySecret, whereUnset, unset],
        ['larger than 1 MiB', { ...valid, body: `${valid.body}${' '.repeat(MIB)}` }, 413],
        ['of another type', { ...valid, headers: { ...valid.headers, 'content-type': 'text/plain' } }, 415],
      ];
      for (const [what, request, status, to] of cases) {
        const answer = await send(request, to);
        t.is(answer.status, status, `${name}, ${what}: ${answer.text}`);
      }
    }
    t.is(await kept(), before);
    t.is(engine.processed.length, processed);
  },
);

test.serial("each provider's event is taken under its own header and under the neutral one", async (t) => {
  for (const [name, make, neutral] of PROVIDERS) {
    for (const names of [{}, neutral]) {
      const answer = await send(renamed(make(), names));
      t.deepEqual([answer.status, answer.body.received], [200, true], `${name}: ${answer.text}`);
      if (Object.keys(neutral).length === 0) break;
    }
  }
  for (const path of ['/v1/webhooks/identity-verifier', '/v1/webhooks/email-provider']) {
    const make = path.includes('email') ? PROVIDERS[1]?.[1] : PROVIDERS[0]?.[1];
    if (make) t.is((await send({ ...make(), path })).status, 200, path);
  }
});

test.serial('an event that is signed with the replaced secret of its provider is still taken', async (t) => {
  const replaced: Record<string, string> = {
    'identity verifier': REPLACED.IDENTITY_VERIFIER_WEBHOOK_SECRET_PREVIOUS,
    'email provider': REPLACED.EMAIL_PROVIDER_WEBHOOK_SECRET_PREVIOUS,
    'card processor': REPLACED.CARD_PROCESSOR_WEBHOOK_SECRET_PREVIOUS,
  };
  for (const [name, make] of PROVIDERS) {
    const request = make({ secret: replaced[name] ?? REPLACED.ESIGN_WEBHOOK_SECRET_PREVIOUS });
    t.is((await send(request)).status, 200, name);
    t.not((await send(request, unset)).status, 200, name);
  }
});

test.serial('a request that comes again as it is, or under the neutral header, is processed once', async (t) => {
  const again: Record<string, [status: number, body: object]> = {
    'identity verifier': [409, { error: 'replayed' }],
    'email provider': [200, { deduplicated: true }],
  };
  for (const [name, make, neutral] of PROVIDERS) {
    const request = make();
    const processed = engine.processed.length;
    t.is((await send(request)).status, 200, name);
    const [status, body] = again[name] ?? [200, { received: true, deduplicated: true }];
    for (const replay of [request, renamed(request, neutral)]) t.like(await send(replay), { status, body }, name);
    t.is(engine.processed.length, processed + 1, name);
  }
});

test.serial(
  'a signer’s event about no document is acknowledged, unless only a document can have such an event',
  async (t) => {
    const processed = engine.processed.length;
    const setUp = await send(fromBoldSign('Verification', null, at));
    t.deepEqual([setUp.status, setUp.body], [200, { received: true }]);
    t.like(await send(fromBoldSign('Completed', null, at)), {
      status: 400,
      body: { details: { field: 'documentId' } },
    });
    t.is(engine.processed.length, processed);
  },
);

test.serial('a repetition of a signer’s event is known, however it is signed again', async (t) => {
  const first = fromDocuSign('envelope-completed', newId('envelope'), at);
  const { data } = JSON.parse(first.body) as { data: { envelopeId: string } };
  const second = fromDocuSign('envelope-completed', data.envelopeId, { ...at, retryCount: 1 });
  const other = fromDocuSign('envelope-voided', data.envelopeId, at);
  t.deepEqual((await send(first)).body, { received: true });
  t.deepEqual((await send(second)).body, { received: true, deduplicated: true });
  t.deepEqual((await send(other)).body, { received: true });
});

test.serial(
  'Documenso, which signs nothing, is believed by its secret alone, once and while it is fresh',
  async (t) => {
    const make = (how?: Signing) => fromDocumenso('DOCUMENT_COMPLETED', 10, { ...at, ...how });
    const [before, processed] = [await kept(), engine.processed.length];
    const valid = make();
    const secret = INBOUND_VARIABLES.ESIGN_WEBHOOK_SECRET;
    const cases: [what: string, request: SignedRequest, status: number, to?: Spine][] = [
      ['forged', make({ secret: 'somebody-else-0123456789' }), 401],
      ['with an empty secret', make({ secret: '' }), 401],
      ['with its header twice', make({ secret: `${secret}, ${secret}` }), 401],
      ['stale', make({ atSeconds: NOW_SECONDS - 301 }), 400],
      ['future', make({ atSeconds: NOW_SECONDS + 301 }), 400],
      ['truncated', { ...valid, body: valid.body.slice(0, -9) }, 400],
      ['another provider is set up', valid, 401, spine],
      ['no provider is set up', valid, 401, unset],
      ['larger than 1 MiB', { ...valid, body: `${valid.body}${' '.repeat(MIB)}` }, 413],
    ];
    for (const [what, request, status, to = documenso] of cases) {
      t.is((await send(request, to)).status, status, what);
    }
    t.deepEqual([await kept(), engine.processed.length], [before, processed]);
    t.deepEqual((await send(valid, documenso)).body, { received: true });
    t.deepEqual((await send(valid, documenso)).body, { received: true, deduplicated: true });
    t.is(engine.processed.length, processed + 1);
  },
);

test.serial('a request of the identity verifier counts once; signed again, its event is known', async (t) => {
  const event = inquiryEvent(PRODUCER);
  const request = fromVerifier(event, at);
  t.deepEqual((await send(request)).body, { received: true });
  const replay = await send(request);
  t.deepEqual([replay.status, replay.body.error], [409, 'replayed']);
  const neutral = await send(renamed(request, { 'persona-signature': 'verifier-signature' }));
  t.is(neutral.status, 409);
  const signedAgain = await send(fromVerifier(event, { atSeconds: NOW_SECONDS - 18 }));
  t.deepEqual([signedAgain.status, signedAgain.body], [200, { received: true, deduplicated: true }]);
});

test.serial('a request of the identity verifier is remembered by its signature for ten minutes', async (t) => {
  const request = fromVerifier(inquiryEvent(PRODUCER), at);
  t.is((await send(request)).status, 200);
  const hash = createHash('sha256')
    .update(request.headers['persona-signature'] ?? '')
    .digest('hex');
  const rows = await spine.database.forOrg(PLATFORM_SCOPE, (em) =>
    em.execute<{ minutes: number }[]>(
      `select round(extract(epoch from expires_at - now()) / 60)::int as minutes from kv_entries
         where key = 'wh:identity-verifier:signature:' || ?`,
      [hash],
    ),
  );
  t.deepEqual(rows, [{ minutes: 10 }]);
});

test.serial('a request of the identity verifier that failed may come again as it is', async (t) => {
  const event = inquiryEvent(PRODUCER);
  engine.failures.add(event.data.id);
  const request = fromVerifier(event, at);
  t.is((await send(request)).status, 500);
  t.deepEqual((await send(request)).body, { received: true });
  t.is((await send(request)).status, 409);
});

test.serial('an event of the identity verifier without effect is acknowledged and reaches no workflow', async (t) => {
  const processed = engine.processed.length;
  const request = fromVerifier(inquiryEvent(PRODUCER, 'inquiry.started'), at);
  t.is((await send(request)).status, 202);
  const path = '/v1/webhooks/identity-verifier';
  t.is((await send({ ...fromVerifier(inquiryEvent(PRODUCER, 'inquiry.started'), at), path })).status, 202);
  t.is((await send(request)).status, 409);
  t.is((await send(fromVerifier(inquiryEvent(null), at))).status, 200);
  t.is(engine.processed.length, processed);
});

const TWO_HEADERS: [make: () => SignedRequest, own: string, other: string][] = [
  [() => fromBoldSign('Completed', 'twice', at), 'x-boldsign-signature', 'x-provider-a-signature'],
  [
    () => fromDocuSign('envelope-completed', newId('envelope'), at),
    'x-docusign-signature-1',
    'x-provider-b-signature-1',
  ],
  [() => fromGeneric('DOCUMENT_COMPLETED', newId('envelope'), at), 'x-webhook-signature', 'x-provider-a-signature'],
  [() => fromVerifier(inquiryEvent(PRODUCER), at), 'persona-signature', 'verifier-signature'],
  ...['id', 'timestamp', 'signature'].map((part): (typeof TWO_HEADERS)[number] => [
    () => fromMailer(mailEvent('email.sent', 'e1', 'a@b.test'), at),
    `svix-${part}`,
    `message-${part}`,
  ]),
];

for (const [make, own, other] of TWO_HEADERS) {
  test.serial(
    `${own} and ${other} in one request prove it where they are the same, and nothing where not`,
    async (t) => {
      const request = make();
      const value = request.headers[own] ?? '';
      const withOther = (text: string) => ({ ...request, headers: { ...request.headers, [other]: text } });
      t.is((await send(withOther(`${value}0`))).status, 401);
      t.is((await send(withOther(value))).status, 200);
    },
  );
}

test.serial('a message of the email provider is queued once under its id, whatever its type', async (t) => {
  for (const type of ['email.sent', 'email.bounced', 'contact.created']) {
    const id = `msg_${type.replace('.', '_')}`;
    const request = fromMailer(mailEvent(type, 'e1', 'a@b.test'), { ...at, id });
    t.deepEqual((await send(request)).body, { received: true });
    const again = await send(request);
    t.deepEqual([again.status, again.body], [200, { deduplicated: true }]);
    const taken = engine.processed.filter(({ eventId }) => eventId === id);
    t.is(taken.length, 1);
    t.like(taken[0]?.workflow, { queued: { workflowId: `email/${id}`, queue: 'email' } });
  }
  const work = engine.processed.find(({ eventId }) => eventId === 'msg_email_sent');
  t.like(work?.workflow.input, {
    ...{ type: 'email.sent', createdAt: '2026-11-21T02:00:00.000Z', messageId: 'msg_email_sent' },
    data: { to: ['a@b.test'], subject: 'Notice' },
  });
});

test.serial('the log names a refused request and none of its content', async (t) => {
  await send(
    fromMailer(mailEvent('email.sent', 'e1', 'secret@person.test'), {
      ...at,
      secret: anothers['email provider'] ?? '',
    }),
  );
  t.true(spine.logs.some((line) => line.includes('refused') && line.includes('email-provider')));
  t.false(spine.logs.some((line) => line.includes('secret@person.test')));
});
