// A deal room's messages: the documents attached to them, how far each participant has read, and how many a caller may
// post.
import test from 'ava';
import { newId } from '../../../db/ids.ts';
import { bodyOf, type House, newHouse, submit } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

/** A room with an underwriter and a producer's agent, about that producer's submission. */
async function roomWithAgent() {
  const house = await newHouse(platform);
  const userId = newId('user');
  const producerId = await house.addProducer();
  bodyOf(await house.as('org_admin').put(`/v1/producers/${producerId}/members/${userId}`));
  const underwriter = house.as('underwriter', newId('user'));
  const { id: submissionId } = await submit(underwriter, { producerId });
  const { id } = bodyOf(await underwriter.post('/v1/deal-rooms', { submissionId, participants: [{ userId }] }), 201);
  return { house, submissionId, path: `/v1/deal-rooms/${id}`, underwriter, agent: house.as('producer', userId) };
}

async function documentOf(house: House, submissionId: string): Promise<string> {
  const file = { fileName: 'notes.txt', contentType: 'text/plain', contentBase64: btoa('Office notes.') };
  const owner = { entityType: 'submission', entityId: submissionId };
  return bodyOf(await house.as('underwriter').post('/v1/documents/ingest', { ...file, ...owner }), 201).id;
}

test('a message carries the documents that its author can read, and no other', async (t) => {
  const { house, submissionId, path, underwriter, agent } = await roomWithAgent();
  const own = await documentOf(house, submissionId);
  const { id: strange } = await submit(underwriter);
  const hidden = await documentOf(house, strange);
  const send = (client: typeof agent, documentIds: string[]) =>
    client.post(`${path}/messages`, { body: 'See these.', documentIds });

  t.deepEqual(bodyOf(await send(agent, [own]), 201).documentIds, [own]);
  t.deepEqual(bodyOf(await send(underwriter, [own, hidden]), 201).documentIds, [own, hidden]);
  const unknown = newId('document');
  const refused = [await send(agent, [own, hidden]), await send(agent, [own, unknown])];
  for (const answer of refused) {
    t.is(answer.status, 400);
    t.like(answer.body.details, { field: 'documentIds.1', rule: 'unknown_reference' });
  }
  t.is(refused[0]?.body.message, refused[1]?.body.message, 'a hidden document is as one that is not there');
  const { data } = bodyOf(await agent.get(`${path}/messages`));
  t.deepEqual(
    data.map(({ documentIds }: { documentIds: string[] }) => documentIds),
    [[own, hidden], [own]],
  );
  t.is((await agent.get(`/v1/documents/${hidden}`)).status, 403, 'a message gives no right to read');
});

test('a read marker only moves forward', async (t) => {
  const { path, underwriter, agent } = await roomWithAgent();
  const say = async (body: string) => bodyOf(await underwriter.post(`${path}/messages`, { body }), 201).id;
  const [first, second] = [await say('first'), await say('second')];
  await say('third');
  const mark = async (messageId: string) => bodyOf(await agent.put(`${path}/read-marker`, { messageId }));
  t.deepEqual(await mark(first), { lastReadMessageId: first, unreadCount: 2 });
  t.deepEqual(await mark(second), { lastReadMessageId: second, unreadCount: 1 });
  t.deepEqual(await mark(first), { lastReadMessageId: second, unreadCount: 1 });
  t.deepEqual(bodyOf(await agent.get(path)).readMarker, { lastReadMessageId: second, unreadCount: 1 });
});

test('a caller posts at most 600 messages a minute, counted apart from their other calls', async (t) => {
  const { path, agent } = await roomWithAgent();
  // Refused for its body, but counted all the same.
  const post = () => agent.post(`${path}/messages`, {});
  t.is((await post()).headers.get('x-ratelimit-limit'), '600');
  t.is((await agent.get(path)).headers.get('x-ratelimit-limit'), '10000');
  let refused: Awaited<ReturnType<typeof post>> | undefined;
  for (let batches = 0; batches < 30 && refused === undefined; batches += 1) {
    const answers = await Promise.all(Array.from({ length: 50 }, post));
    refused = answers.find(({ status }) => status !== 400);
  }
  t.like(refused, { status: 429, body: { error: 'rate_limited', details: { limit: 600 } } });
  t.is((await agent.get(path)).status, 200);
});
