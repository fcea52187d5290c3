// The contact details that an insured enters in the portal: the phone number, and the e-mail about a change.
import type { EntityManager } from '@mikro-orm/postgresql';
import test from 'ava';
import { forgetUndeliverable, rememberUndeliverable } from '../../../db/queries/delivery/sent-mails.ts';
import { eventually } from '../../support/eventually.ts';
import { bodyOf } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { CONTACT, foundNeighbourhood, type Neighbourhood } from './portal-calls.ts';

const ADDRESS = { line1: '9 Elm St', city: 'Dallas', state: 'TX', postalCode: '75201' };

let platform: Platform;
let neighbourhood: Neighbourhood;

test.before('an insured with two terms, and a neighbor', async (t) => {
  platform = await startCheckedPlatform(t);
  neighbourhood = await foundNeighbourhood(platform);
});

test("the insured's phone is a telephone number, or the value on file before the rule", async (t) => {
  const { house, first, as } = neighbourhood;
  const put = (body: object) => as(first.policyId).put('/v1/portal/profile', body);
  const refused = { status: 400, body: { details: { field: 'phone', rule: 'format' } } };
  t.like(await put({ phone: 'none' }), refused);
  await platform.database.transaction(house.orgId, (em) =>
    em.execute(`update policies set insured_phone = 'ask for Jo' where id = ?`, [first.policyId]),
  );
  t.like(bodyOf(await put({ address: ADDRESS })), { phone: 'ask for Jo', address: ADDRESS });
  t.like(bodyOf(await put({ phone: 'ask for Jo', address: { ...ADDRESS, line1: '10 Elm St' } })), {
    ...{ phone: 'ask for Jo', address: { ...ADDRESS, line1: '10 Elm St' } },
  });
  t.like(await put({ phone: 'ask for Al' }), refused);
  t.is(bodyOf(await put({ phone: CONTACT.insuredPhone })).phone, CONTACT.insuredPhone);
});

test('the producer gets an e-mail that the contact has changed, without the new values, until their address bounces', async (t) => {
  const { house, neighbour, as } = neighbourhood;
  await platform.database.transaction(house.orgId, (em) =>
    em.execute(`update producers set email = 'agency@example.com' where org_id = ?`, [house.orgId]),
  );
  bodyOf(await as(neighbour.policyId).put('/v1/portal/profile', { phone: '+1 713 555 0123' }));
  const mail = await eventually(() => platform.mails.find(({ to }) => to === 'agency@example.com'), {
    what: 'the mail to the producer',
  });
  t.regex(mail.text, /phone/);
  t.false(mail.text.includes('0123'));
  const here = <T>(work: (em: EntityManager) => Promise<T>) => platform.database.transaction(house.orgId, work);
  const dead = { address: 'agency@example.com', reason: 'bounced', messageId: 'msg_dead' } as const;
  await here((em) => rememberUndeliverable(em, dead));
  bodyOf(await as(neighbour.policyId).put('/v1/portal/profile', { phone: '+1 713 555 0124' }));
  await here((em) => forgetUndeliverable(em, dead.address));
  bodyOf(await as(neighbour.policyId).put('/v1/portal/profile', { address: ADDRESS }));
  const mails = () => platform.mails.filter(({ to }) => to === dead.address);
  await eventually(() => mails().some(({ text }) => text.includes('address')), {
    what: 'mail once the address is good',
  });
  t.is(mails().length, 2);
});
