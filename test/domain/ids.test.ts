// The shape of identifiers and the two forms of an organization id.
import test from 'ava';
import { TypeID } from 'typeid-js';
import { ID_PREFIXES, isId, isUuid, organizationIdFrom, organizationUuid } from '../../domain/ids.ts';
import { fc } from '../support/fixed/chance.ts';

test('The prefixes of the contract are there, each once', (t) => {
  const prefixes: string[] = Object.values(ID_PREFIXES);
  const contract =
    'org usr ses key sub quo pol ptx inv pay ref clm rsv stl att doc coi prd apt drm msg rfl flg whs whd evt env ins ptk req cmr led dac bat';
  for (const prefix of contract.split(' ')) t.true(prefixes.includes(prefix), prefix);
  t.is(new Set(prefixes).size, prefixes.length);
});

test('An identifier has its prefix, 26 characters of the alphabet, and fits 128 bits', (t) => {
  t.true(isId('sub_01jd8w3vb6e3r9y2w2f3xk5t7h', 'sub'));
  t.true(isId('sub_7zzzzzzzzzzzzzzzzzzzzzzzzz', 'sub'));
  for (const wrong of [
    ...['pol_01jd8w3vb6e3r9y2w2f3xk5t7h', 'sub_81jd8w3vb6e3r9y2w2f3xk5t7h', 'sub_01jd8w3vb6e3r9y2w2f3xk5t7', 'sub_'],
    ...['sub_01JD8W3VB6E3R9Y2W2F3XK5T7H', 'sub_01jd8w3vb6e3r9y2w2f3xk5t7l', 'sub01jd8w3vb6e3r9y2w2f3xk5t7hx', '', 'x'],
    ...['sub_01jd8w3vb6e3r9y2w2f3xk5t7h\n', null, undefined, 7, {}],
  ]) {
    t.false(isId(wrong, 'sub'), String(wrong));
  }
});

test('An organization is named by its TypeID or by its UUID, and both forms lead to each other', (t) => {
  fc.assert(
    fc.property(fc.uuid(), (uuid) => {
      const typeId = TypeID.fromUUID('org', uuid).toString();
      return (
        organizationIdFrom(uuid) === typeId &&
        organizationIdFrom(uuid.toUpperCase()) === typeId &&
        organizationIdFrom(typeId) === typeId &&
        organizationUuid(typeId) === uuid
      );
    }),
  );
  t.is(organizationIdFrom('00000000-0000-0000-0000-000000000000'), 'org_00000000000000000000000000');
});

test('Anything else is no organization id', (t) => {
  for (const wrong of [
    'sub_01jd8w3vb6e3r9y2w2f3xk5t7h',
    'org_',
    'not-a-uuid',
    '',
    null,
    12,
    '0193a5e0-0000-7000-8000',
  ]) {
    t.is(organizationIdFrom(wrong), null);
  }
  t.throws(() => organizationUuid('org_x'), { instanceOf: TypeError });
  t.false(isUuid('0193a5e0000070008000000000000000'));
});
