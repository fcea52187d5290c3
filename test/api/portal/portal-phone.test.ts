// The phone number that an insured enters in the portal.
import test from 'ava';
import { bodyOf } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import { CONTACT, foundNeighbourhood } from './portal-calls.ts';

test("the insured's phone is a telephone number, or the value on file before the rule", async (t) => {
  const platform = await startCheckedPlatform(t);
  const { house, first, as } = await foundNeighbourhood(platform);
  const put = (body: object) => as(first.policyId).put('/v1/portal/profile', body);
  const refused = { status: 400, body: { details: { field: 'phone', rule: 'format' } } };
  t.like(await put({ phone: 'none' }), refused);
  await platform.database.transaction(house.orgId, (em) =>
    em.execute(`update policies set insured_phone = 'ask for Jo' where id = ?`, [first.policyId]),
  );
  const address = { line1: '9 Elm St', city: 'Dallas', state: 'TX', postalCode: '75201' };
  t.like(bodyOf(await put({ address })), { phone: 'ask for Jo', address });
  t.like(bodyOf(await put({ phone: 'ask for Jo', address: { ...address, line1: '10 Elm St' } })), {
    ...{ phone: 'ask for Jo', address: { ...address, line1: '10 Elm St' } },
  });
  t.like(await put({ phone: 'ask for Al' }), refused);
  t.is(bodyOf(await put({ phone: CONTACT.insuredPhone })).phone, CONTACT.insuredPhone);
});
