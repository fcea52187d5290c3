// What a refusal names: the permission, and for an API key the scope that it lacks.
import test from 'ava';
import { DomainError } from '../../domain/errors.ts';
import { type Actor, denial, ensureMay, may, type ResourceFacts, type Role } from '../../domain/permissions.ts';

const USER: Actor = {
  ...{ kind: 'user', id: 'usr_1', role: 'org_admin', orgId: 'org_1', homeOrgId: 'org_1' },
  ...{ scopes: null, producerIds: [], authority: null },
};
const user = (role: Role): Actor => ({ ...USER, role });
const key = (...scopes: string[]): Actor => ({ ...USER, kind: 'api_key', id: 'key_1', scopes });
const HERE: ResourceFacts = { orgId: 'org_1' };

test('A refusal is forbidden and names the permission', (t) => {
  const error = t.throws(() => ensureMay(user('auditor'), 'submission:bind', HERE), { instanceOf: DomainError });
  t.is(error?.code, 'forbidden');
  t.deepEqual(error?.details, { permission: 'submission:bind' });
  t.notThrows(() => ensureMay(user('auditor'), 'submission:read', HERE));
});

test('A key reads a document only with the scope that reads its subject, and the refusal names that scope', (t) => {
  const ofClaim: ResourceFacts = { ...HERE, alsoNeeds: 'claim:read' };
  for (const [action, scope] of [
    ['document:read', 'documents:read'],
    ['document:ingest', 'documents:ingest'],
  ] as const) {
    t.deepEqual(denial(key(scope), action, ofClaim), { permission: 'claim:read', requiredScope: 'claims:read' });
    t.true(may(key(scope, 'claims:read'), action, ofClaim));
    t.true(may(key(scope, 'claims:write'), action, ofClaim));
    const ofHealth = { ...HERE, containsPhi: true };
    t.deepEqual(denial(key(scope), action, ofHealth), { permission: 'claim:read_phi', requiredScope: 'claims:read' });
  }
  t.true(may(key('documents:read'), 'document:read', { ...HERE, alsoNeeds: 'unfiled_document:read' }));
  t.true(may(user('org_admin'), 'document:read', ofClaim));
});
