// The API document's examples are recorded, fit their schemas, and are the same on every machine.
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import test from 'ava';
import { openApiDocument } from '../../api/openapi/document.ts';
import { EXAMPLES } from '../../api/openapi/examples.ts';
import { ROUTES } from '../../api/routes/index.ts';
import { steady } from '../../scripts/examples/steady.ts';
import { EXAMPLE_PLACES, exampleAt, faultOf, nameOf, namesOf } from '../support/examples/example-check.ts';

test('every body and every response has an example that its schema takes: npm run examples', (t) => {
  const faults = EXAMPLE_PLACES.map((place) => [nameOf(place), faultOf(place, exampleAt(EXAMPLES, place))]);
  t.true(faults.length > 250);
  t.deepEqual(
    faults.filter(([, fault]) => fault !== null),
    [],
  );
});

/** Fields whose value in the answer differs from the request body's, each with the reason. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'putDocumentTemplate html': 'kept, and shown by the detail alone',
  'refundInvoice amount': 'a refund is negative',
  'returnUnappliedCash amount': 'a refund is negative',
  'rejectRefund reason': 'the answer has the reason for the refund',
  'decodePayloads payloads': 'what the operation turns into something else',
  'encodePayloads payloads': 'what the operation turns into something else',
};

test('each body is shown with its response: the fields that both have say the same', (t) => {
  const bodies = EXAMPLE_PLACES.filter(({ type }) => type === null);
  t.true(bodies.length > 100);
  for (const place of bodies) {
    const answer = Object(exampleAt(EXAMPLES, { ...place, type: 'application/json' }));
    for (const [field, sent] of Object.entries(Object(exampleAt(EXAMPLES, place)))) {
      const isSame = !(field in answer) || `${place.route.operationId} ${field}` in OTHERWISE;
      if (!isSame) t.like({ [field]: answer[field] }, { [field]: sent }, `${nameOf(place)}: ${field}`);
    }
  }
});

test('an operation with several responses names the body of each: a preview responds to the body of that name', (t) => {
  const { paths } = openApiDocument(ROUTES, { version: '0', serverUrl: 'http://localhost' });
  interface Shown {
    content: {
      'application/json': { example?: unknown; examples?: Record<string, { value: Record<string, unknown> }> };
    };
  }
  for (const change of ['endorse', 'cancel', 'reinstate', 'renew', 'payment-plan']) {
    const { post } = paths[`/v1/policies/{id}/${change}`] as unknown as {
      post: { requestBody: Shown; responses: Record<string, Shown> };
    };
    const { examples: bodies = {} } = post.requestBody.content['application/json'];
    t.deepEqual(Object.keys(bodies), ['real', 'preview'], change);
    for (const [status, name] of Object.entries({ 200: 'preview', 201: 'real' })) {
      const { example, examples: answers = {} } = post.responses[status]!.content['application/json'];
      t.is(example, undefined);
      t.deepEqual(Object.keys(answers), [name], change);
      t.is(answers[name]!.value.preview ?? false, name === 'preview', change);
    }
  }
});

test('a body of text is shown as text', (t) => {
  const { paths } = openApiDocument(ROUTES, { version: '0', serverUrl: 'http://localhost' });
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods)) as {
    requestBody?: { content: Record<string, { example?: string }> };
  }[];
  const texts = operations
    .flatMap(({ requestBody }) => Object.entries(requestBody?.content ?? {}))
    .filter(([type]) => type.startsWith('text/'))
    .map(([, { example = '' }]) => example.split('\r\n'));
  t.true(texts.length > 0);
  for (const [header = '', ...rows] of texts) {
    t.regex(header, /^npn,name,/);
    t.true(rows.length > 1);
  }
});

test('a form is shown with the fields that come with its file in JSON, and the name of the file', (t) => {
  const { paths } = openApiDocument(ROUTES, { version: '0', serverUrl: 'http://localhost' });
  type Bodies = Record<string, { example?: Record<string, unknown>; schema: { properties?: object } }>;
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const forms = (operations as { operationId: string; requestBody?: { content: Bodies } }[])
    .map(({ operationId, requestBody }) => ({ operationId, form: requestBody?.content['multipart/form-data'] }))
    .flatMap(({ operationId, form }) => (form ? [{ operationId, ...form }] : []));
  t.true(forms.length > 4);
  for (const { operationId, example = {}, schema } of forms) {
    const fields = Object.keys(schema.properties ?? {});
    t.deepEqual(
      Object.keys(example).filter((field) => !fields.includes(field)),
      [],
      operationId,
    );
    t.regex(String(example.file), /^[\w .-]+\.\w+$/, operationId);
  }
});

test('no example is left over from an operation that has gone', (t) => {
  const places = new Set(EXAMPLE_PLACES.map(nameOf));
  t.deepEqual(
    namesOf(EXAMPLES).filter((name) => !places.has(name)),
    [],
  );
});

test('the example of an error is one that its code can have, and no error brings a fact that is not described', (t) => {
  const document = openApiDocument(ROUTES, { version: '0', serverUrl: 'http://localhost', isClosed: true });
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'openapi.json');
  const examples = document.components.examples as Record<string, { value: { details: object } }>;
  for (const [code, { value }] of Object.entries(examples)) {
    const isValid = ajv.compile({ $ref: `openapi.json#/components/schemas/Error_${code}` });
    t.true(isValid(value), `${code}: ${ajv.errorsText(isValid.errors)}`);
    t.false(isValid({ ...value, error: 'another_code' }), code);
    t.false(isValid({ ...value, details: { ...value.details, undescribed: true } }), code);
  }
});

test('a recording of any day and machine becomes the same example', (t) => {
  const recording = (today: string, later: string, id: string, port: number) =>
    steady(`{"id":"${id}","again":"${id}","on":"${today}","to":"${later}","url":"http://127.0.0.1:${port}/a"}`, today);
  const first = recording('2026-11-22', '2026-12-02', 'pol_01m82jx1y6f20rn3kqcp42vf8b', 4001);
  t.is(first, recording('2027-01-05', '2027-01-15', 'pol_01m9000000f20rn3kqcp42vf8c', 4002));
  t.regex(first, /"on":"2026-03-01","to":"2026-03-11","url":"http:\/\/localhost:8787\/a"/);
  t.is(/127\.0\.0\.1:(?!65001)|\beyJ[\w-]+\./.exec(JSON.stringify(EXAMPLES)), null);
});
