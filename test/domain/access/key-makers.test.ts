// The identity that an API key acts as, and when it no longer does.
import test from 'ava';
import {
  isMakerActive,
  isStillEntitled,
  type KeyReach,
  keyRoleOf,
  scopeBeyond,
} from '../../../domain/access/key-makers.ts';
import {
  ACTIONS,
  type Actor,
  may,
  ROLES,
  type Role,
  requiredScope,
  roleMay,
  SCOPES,
} from '../../../domain/permissions.ts';

const KEY: KeyReach = { orgId: 'org_1', makerRole: 'org_admin', scopes: ['submissions:write'], throughOperator: false };
const at = (orgId: string, role: Role, active = true) => ({ orgId, role, active });

test('Administrators, platform operators and superadmins make keys, a superadmin as an administrator', (t) => {
  const made = Object.fromEntries(ROLES.map((role) => [role, keyRoleOf(role)]).filter(([, role]) => role !== null));
  t.deepEqual(made, { superadmin: 'org_admin', org_admin: 'org_admin', platform_operator: 'platform_operator' });
  for (const role of ROLES) t.is(keyRoleOf(role) !== null, roleMay(role, 'api_key:manage'), role);
});

test('An administrator hands on every scope, a platform operator the reading of flags alone', (t) => {
  t.is(scopeBeyond('org_admin', SCOPES), null);
  t.deepEqual(
    SCOPES.filter((scope) => scopeBeyond('platform_operator', [scope]) === null),
    ['flags:read'],
  );
});

test('The first scope beyond the role is named', (t) => {
  t.is(scopeBeyond('platform_operator', ['flags:read', 'invoices:write', '*']), 'invoices:write');
  t.is(scopeBeyond('platform_operator', ['*', 'flags:read']), '*');
  t.is(scopeBeyond('platform_operator', ['flags:write']), 'flags:write', 'its read is within, its write is not');
});

test('A scope is within a role exactly when the role may take every action it opens', (t) => {
  const opens = (scope: string) => {
    const noun = scope.split(':')[0];
    return ACTIONS.filter((action) => {
      const needed = requiredScope(action);
      if (needed === null) return false;
      return scope === '*' || needed === scope || (scope === `${noun}:write` && needed === `${noun}:read`);
    });
  };
  for (const role of ['org_admin', 'platform_operator'] as const) {
    for (const scope of SCOPES) {
      const isWithin = opens(scope).every((action) => roleMay(role, action));
      t.is(scopeBeyond(role, [scope]) === null, isWithin, `${role} ${scope}`);
    }
  }
});

test('A key of a platform operator may do only what both its scopes and that role open', (t) => {
  const operated = (...scopes: string[]): Actor => ({
    ...{ kind: 'api_key', id: 'key_1', role: 'platform_operator', orgId: 'org_1', homeOrgId: 'org_1' },
    ...{ scopes, producerIds: [], authority: null },
  });
  const allowed = (actor: Actor) => ACTIONS.filter((action) => may(actor, action, { orgId: 'org_1' }));
  t.deepEqual(allowed(operated('*')), ['flag:read']);
  t.deepEqual(allowed(operated(...SCOPES)), ['flag:read']);
  t.deepEqual(allowed(operated('invoices:write')), []);
});

test('A key ends when its maker has lost the role for what it may do, and not by a deactivation', (t) => {
  t.true(isStillEntitled(KEY, []), 'nobody stored: the token vouched');
  t.true(isStillEntitled(KEY, [at('org_1', 'org_admin')]));
  t.true(isStillEntitled(KEY, [at('org_1', 'org_admin', false)]));
  t.true(isStillEntitled(KEY, [at('org_2', 'superadmin')]));
  for (const role of ROLES.filter((role) => role !== 'org_admin' && role !== 'superadmin')) {
    t.false(isStillEntitled(KEY, [at('org_1', role)]), role);
  }
  t.false(isStillEntitled(KEY, [at('org_2', 'org_admin')]), 'an administrator of another organization');
  t.true(isStillEntitled(KEY, [at('org_2', 'auditor'), at('org_1', 'org_admin')]));
});

test('The remaining role decides: a key that reads flags outlives the step from administrator to operator', (t) => {
  t.true(isStillEntitled({ ...KEY, scopes: ['flags:read'] }, [at('org_1', 'platform_operator')]));
  t.false(isStillEntitled({ ...KEY, scopes: ['flags:write'] }, [at('org_1', 'platform_operator')]));
  const operated: KeyReach = { ...KEY, makerRole: 'platform_operator', scopes: ['*'] };
  t.true(isStillEntitled(operated, [at('org_1', 'platform_operator')]), 'it opens no more than its role may');
});

test('A key made through a tuple needs a platform operator, wherever they are at home', (t) => {
  const through: KeyReach = { ...KEY, makerRole: 'platform_operator', scopes: ['flags:read'], throughOperator: true };
  t.true(isStillEntitled(through, [at('org_2', 'platform_operator')]));
  t.false(isStillEntitled({ ...through, throughOperator: false }, [at('org_2', 'platform_operator')]));
  t.false(isStillEntitled(through, [at('org_2', 'org_admin')]));
});

test('A maker is active in the organization of the key, or anywhere when they do not belong to it', (t) => {
  t.true(isMakerActive('org_1', []));
  t.false(isMakerActive('org_1', [at('org_1', 'org_admin', false)]));
  t.false(isMakerActive('org_1', [at('org_1', 'org_admin', false), at('org_2', 'auditor')]));
  t.true(isMakerActive('org_1', [at('org_2', 'superadmin')]));
  t.false(isMakerActive('org_1', [at('org_2', 'superadmin', false)]));
});
