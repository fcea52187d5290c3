// The payload codec: what can be read from a payload without its key, how keys are replaced, and what is refused.
import { type Payload, RawValue } from '@temporalio/common';
import test from 'ava';
import { payloadKeysIn } from '../../config.ts';
import { failureConverter, payloadConverter, readable } from '../../contracts/machinery/data-converter.ts';
import { PayloadKeyError } from '../../providers/payload-codec.ts';
import { payloadCodecs } from '../../providers/temporal.ts';
import { payloadKey } from '../support/payload-keys.ts';

const PERSON = { name: 'Grace Hopper', email: 'grace@example.com' };

const codecOf = (...ids: string[]) => {
  const [codec] = payloadCodecs(payloadKeysIn(ids.map(payloadKey).join()));
  if (codec === undefined) throw new Error('no codec');
  return codec;
};
const one = async (work: Promise<Payload[]>): Promise<Payload> => {
  const [payload] = await work;
  if (payload === undefined) throw new Error('no payload');
  return payload;
};
const asText = ({ metadata, data }: Payload) =>
  [data, ...Object.values(metadata ?? {})].map((bytes) => Buffer.from(bytes ?? []).toString('latin1')).join(' ');

test('an encoded payload can be read with the key alone, and comes back as it was', async (t) => {
  const payload = payloadConverter.toPayload(PERSON);
  const sealed = await one(codecOf('k1').encode([payload]));
  t.notRegex(asText(sealed), /Grace|grace|json/);
  const opened = await one(codecOf('k1').decode([sealed]));
  t.deepEqual(payloadConverter.fromPayload(opened), PERSON);
});

test('the same value is never stored as the same bytes', async (t) => {
  const payload = payloadConverter.toPayload(PERSON);
  const [first, second] = await codecOf('k1').encode([payload, payload]);
  t.notDeepEqual(first?.data, second?.data);
});

test('a key put before the old one encrypts from then on, and payloads of the old one are still read', async (t) => {
  const payload = payloadConverter.toPayload(PERSON);
  const old = await one(codecOf('k1').encode([payload]));
  const rotated = codecOf('k2', 'k1');
  t.deepEqual(payloadConverter.fromPayload(await one(rotated.decode([old]))), PERSON);
  const renewed = await one(rotated.encode([payload]));
  t.deepEqual(payloadConverter.fromPayload(await one(codecOf('k2').decode([renewed]))), PERSON);
});

test('a key that is not given is named, and nothing else is said', async (t) => {
  const sealed = await one(codecOf('k1').encode([payloadConverter.toPayload(PERSON)]));
  const error = await t.throwsAsync(codecOf('k2').decode([sealed]), { instanceOf: PayloadKeyError });
  t.is(error?.message, 'A payload is encrypted under the key "k1", which is not given.');
});

test('a payload that was changed, cut, or put under another key id is refused', async (t) => {
  const sealed = await one(codecOf('k1').encode([payloadConverter.toPayload(PERSON)]));
  const data = Buffer.from(sealed.data ?? []);
  const flipped = Buffer.from(data);
  flipped[20] = (flipped[20] ?? 0) ^ 1;
  const sameKey = Buffer.from(payloadKey('k1').slice('k1:'.length), 'base64');
  const [renamed] = payloadCodecs([{ id: 'k9', key: sameKey }]);
  const refused = { instanceOf: PayloadKeyError, message: /was changed, or that key has another value/ };
  await t.throwsAsync(codecOf('k1').decode([{ ...sealed, data: flipped }]), refused);
  for (const length of [0, 5, 20, data.length - 1]) {
    await t.throwsAsync(codecOf('k1').decode([{ ...sealed, data: data.subarray(0, length) }]), refused, String(length));
  }
  const metadata = { ...sealed.metadata, 'encryption-key-id': Buffer.from('k9') };
  await t.throwsAsync(async () => renamed?.decode([{ ...sealed, metadata }]), refused);
});

test('a payload stored before there was a key is read as it is', async (t) => {
  const plain = payloadConverter.toPayload(PERSON);
  t.deepEqual(await codecOf('k1').decode([plain]), [plain]);
});

test('a field declared readable stays so, and nothing else does', async (t) => {
  const summary = payloadConverter.toPayload(readable('ledger: 2070 / 20xx'));
  t.deepEqual(await codecOf('k1').encode([summary]), [summary]);
  t.is(payloadConverter.fromPayload(summary), 'ledger: 2070 / 20xx');
  for (const value of ['a text', '', { readable: true }, [1], null, Buffer.from('bytes'), Buffer.alloc(0)]) {
    const sealed = await one(codecOf('k1').encode([payloadConverter.toPayload(value)]));
    t.is(Buffer.from(sealed.metadata?.encoding ?? []).toString(), 'binary/encrypted');
  }
  t.true((readable('x') as unknown) instanceof RawValue);
  const nothing = payloadConverter.toPayload(undefined);
  t.deepEqual(await codecOf('k1').encode([nothing]), [nothing], 'nothing at all');
});

test('nothing stays nothing: the server removes a memo by it', async (t) => {
  const nothing = payloadConverter.toPayload(undefined);
  t.is(nothing.data?.length ?? 0, 0);
  t.deepEqual(await codecOf('k1').encode([nothing]), [nothing]);
});

test('the message and the stack of a failure travel as a payload, causes included', (t) => {
  const failure = failureConverter.errorToFailure(
    new Error('Grace Hopper is on the list', { cause: new Error('grace@example.com') }),
    payloadConverter,
  );
  const { encodedAttributes, cause } = failure;
  t.regex(asText(encodedAttributes as Payload), /Grace Hopper/);
  t.regex(asText(cause?.encodedAttributes as Payload), /grace@example/);
  t.notRegex(
    JSON.stringify({ ...failure, encodedAttributes: null, cause: { ...cause, encodedAttributes: null } }),
    /Grace|grace@/,
  );
});
