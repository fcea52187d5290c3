// The step judges what a producer may do, under the submission's lock: by triage, producer and memberships as of the
// command's turn. Contract 2 "Permissions". A sale locks its producer and their appointment, so that a suspension
// takes effect from its commit. Contract 3.7.
import test from 'ava';
import { newId } from '../../db/ids.ts';
import { putRelation, removeRelation } from '../../db/queries/access/relations.ts';
import { holdRow, overtaken } from '../support/held-row.ts';
import { newHouse, quoted, risk, submit } from '../support/house.ts';
import { startPlatform } from '../support/platform.ts';
import type { Platform } from '../support/run-platform.ts';
import { Rows } from './bind.ts';
import { forbidden, written } from './overtaken.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startPlatform(t);
});

const rows = () => new Rows(platform.testDatabase.ownerUrl);
const hold = (table: string, id: string) => holdRow(platform.testDatabase.ownerUrl, table, 'id = $1', id);

const PRODUCERS = [
  {
    what: 'a risk that triage has meanwhile given to an underwriter',
    change: `update submissions set triage = jsonb_set(triage, '{band}', '"refer"') where id = $1`,
    calls: ['quote'],
  },
  {
    what: 'a submission that was meanwhile given to another producer',
    change: `update submissions set producer_id =
      (select max(p.id) from producers p where p.org_id = submissions.org_id and p.id <> producer_id) where id = $1`,
    calls: ['quote', 'withdraw', 'update'],
  },
];

for (const { what, change, calls } of PRODUCERS) {
  for (const call of calls) {
    test(`a producer does not ${call} ${what}`, async (t) => {
      const house = await newHouse(platform);
      const producerId = await house.addProducer();
      await house.addProducer();
      const producer = await house.asProducer(producerId);
      const { id } = await submit(producer, { producerId });
      const path = `/v1/submissions/${id}`;
      const send = () =>
        call === 'update' ? producer.patch(path, { description: 'Ours.' }) : producer.post(`${path}/${call}`);
      const before = await written(rows(), house.orgId);
      const answer = await overtaken(await hold('submissions', id), send, (held) => held.change(change, [id]));
      forbidden(t, answer, { permission: `submission:${call}` });
      t.deepEqual(await written(rows(), house.orgId), before);
    });
  }
}

const SUSPENDED = { error: 'not_ready', details: { missing: [], blockers: ['PRODUCER_SUSPENDED'] } };

for (const [what, table, column, refusal] of [
  ['a producer who', 'producers', 'id', SUSPENDED],
  ['a producer whose appointment', 'appointments', 'producer_id', { error: 'delegated_authority_exceeded' }],
] as const) {
  test(`nothing is bound for ${what} is suspended while the bind is under way`, async (t) => {
    const house = await newHouse(platform);
    const underwriter = house.as('underwriter');
    const producerId = await house.addProducer();
    const { submissionId } = await quoted(underwriter, { producerId });
    const path = `/v1/submissions/${submissionId}/bind`;
    const before = await written(rows(), house.orgId);
    const held = await holdRow(platform.testDatabase.ownerUrl, table, `${column} = $1`, producerId);
    const answer = await overtaken(
      held,
      () => underwriter.post(path, { installmentPlan: 'PAY_IN_FULL' }),
      () => held.change(`update ${table} set status = 'suspended' where ${column} = $1`, [producerId]),
    );
    t.like(answer, { status: 422, body: refusal });
    t.deepEqual(await written(rows(), house.orgId), before);
  });
}

test('nothing is submitted for a producer who is suspended while the submission is under way', async (t) => {
  const house = await newHouse(platform);
  const producerId = await house.addProducer();
  const before = await written(rows(), house.orgId);
  const answer = await overtaken(
    await hold('producers', producerId),
    () => house.as('underwriter').post('/v1/submissions', risk({ producerId })),
    (held) => held.change(`update producers set status = 'suspended' where id = $1`, [producerId]),
  );
  t.like(answer, { status: 422, body: SUSPENDED });
  t.deepEqual(await written(rows(), house.orgId), before);
});

test('a user who is no longer a member of the producer under the lock neither quotes nor reassigns the submission', async (t) => {
  const house = await newHouse(platform);
  const [first, second] = [await house.addProducer(), await house.addProducer()];
  const userId = newId('user');
  const member = { objectType: 'producer', relation: 'member', subjectType: 'user', subjectId: userId };
  const relate = (objectId: string) =>
    platform.database.transaction(house.orgId, (em) => putRelation(em, { ...member, objectId }));
  const leave = (objectId: string) =>
    platform.database.transaction(house.orgId, (em) => removeRelation(em, { ...member, objectId }));
  await Promise.all([relate(first), relate(second)]);
  const producer = house.as('producer', userId);
  const { id } = await submit(producer, { producerId: first });
  const path = `/v1/submissions/${id}`;

  const handOn = () => producer.patch(path, { producerId: second });
  const handedOn = await overtaken(await hold('submissions', id), handOn, () => leave(second));
  forbidden(t, handedOn, { permission: 'submission:update' });
  const quote = await overtaken(
    await hold('submissions', id),
    () => producer.post(`${path}/quote`),
    () => leave(first),
  );
  forbidden(t, quote, { permission: 'submission:quote' });
});
