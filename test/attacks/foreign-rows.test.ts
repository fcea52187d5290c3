// Every operation of the route table against another organization's rows: their ids in paths, filters and bodies, the
// organization itself in query and header, and what its people store under an Idempotency-Key. Two organizations have
// one of everything; at the end the attacked one is unchanged.
import test from 'ava';
import { newId } from '../../db/ids.ts';
import { organizationUuid } from '../../domain/ids.ts';
import { type AuthUnderTest, runAuth } from '../auth/run-auth.ts';
import { bodyOf } from '../support/house.ts';
import { startCheckedPlatform } from '../support/openapi-check.ts';
import { CLOSED, idPrefixOf, type Operation, pathOf } from '../support/operations.ts';
import { PAPER } from '../support/printing/paper.ts';
import type { Platform } from '../support/run-platform.ts';
import { VALID_BODIES } from '../support/valid-bodies.ts';
import { ALL_ROLES, contractAllows, contractScope, secretOf } from './contract-roles.ts';
import { bearer, breaches, eachOf, type Fire, type Header, type Hit, json, lineTo, pairs } from './fire.ts';
import { claimsOf, tokenOf } from './forgery.ts';
import { type Estate, foundEstate, KINDS } from './one-of-everything.ts';
import { type Reference, referencesIn, withReference } from './references.ts';
import { digestsOf, type Ids, idsOf, restingDigestsOf } from './rows-of.ts';

/** Fields without which a reference in a body would be refused for another reason. */
const BESIDE: Readonly<Record<string, object>> = {
  inviteUser: { role: 'producer' },
  'makeJournal with completesStep.paymentId': { completesStep: { step: 'fiduciary ledger' } },
  putDocumentTemplate: { html: undefined, fields: { Text1: 'policy.number' } },
};
/** Parameters that say where to continue in a list, which are not filters: a place from another list is unknown. */
const PLACES = ['after'];
const AT_MOST_OF_A_KIND = 3;

let platform: Platform;
let auth: AuthUnderTest;
let fire: Fire;
let attacker: Estate;
let victim: Estate;
/** Ids of the victim that the attacker has nothing of. */
let victims: Ids;
let before: Record<string, string>;
let intruders: Intruder[];

/** A caller from the attacker's organization. */
interface Intruder {
  what: string;
  headers: readonly Header[];
  may: (operation: Operation) => boolean;
}

test.before('two organizations with one of everything', async (t) => {
  platform = await startCheckedPlatform(t, { pdf: PAPER });
  auth = await runAuth({}, { database: platform.testDatabase });
  [attacker, victim] = await Promise.all([
    foundEstate(platform, auth.sql, 'Intruder'),
    foundEstate(platform, auth.sql, 'Quarry'),
  ]);
  const { orgId } = victim;
  await auth.createUser({ email: 'quarry-underwriter@example.com', orgId, role: 'underwriter' });
  fire = lineTo(platform.url);
  before = await restingDigestsOf(auth.sql, orgId);
  victims = await idsOf(auth.sql, orgId, await idsOf(auth.sql, attacker.orgId));
  intruders = await intrudersOf(attacker);
});
test.after.always(() => auth?.close());

test.serial('the attacked organization has a row of every kind that an operation takes an id of', (t) => {
  const missing = KINDS.filter((kind) => !victims.has(kind));
  t.deepEqual(missing, [], 'test/attacks/one-of-everything.ts makes none');
});

test.serial('a filter by the id of a foreign row shows nothing', async (t) => {
  const cells = CLOSED.flatMap((operation) =>
    [...operation.query].flatMap(([name, schema]) => {
      const ids = someOf(victims.get(idPrefixOf(schema) ?? ''));
      return ids.map((id) => ({ operation, name, id }));
    }),
  );
  const found = await breaches(pairs(cells, intruders), async ([{ operation, name, id }, intruder]) => {
    if (!intruder.may(operation)) return null;
    const hit = await call(operation, intruder, ownIds(operation, attacker.ids), `?${name}=${id}`);
    const isEmpty = hit.status === 200 && hit.body.data.length === 0;
    const isUnknown = hit.status === 400 && hit.body.details.rule === 'unknown_reference';
    const isRight = (PLACES.includes(name) ? isUnknown : isEmpty) && leakOf(hit, id) === null;
    return isRight ? null : describeHit(`${operation.id}?${name} as ${intruder.what}`, hit);
  });
  t.deepEqual(found, []);
  t.true(cells.length > 0);
  t.log(`${cells.length} filters, ${intruders.length} intruders`);
});

test.serial(
  'a search for text only a foreign row has, or on from its place in a list, reveals nothing of it',
  async (t) => {
    const lists = CLOSED.filter(({ method, query }) => method === 'GET' && query.has('limit') && query.has('cursor'));
    const words = [victim.mark, `${victim.mark} Diner`, victim.orgId, ...someOf(victims.get('pol'))];
    const searches = lists.flatMap((operation) =>
      [...operation.query]
        .filter(([name, one]) => one.type === 'string' && !one.enum && !idPrefixOf(one) && !PLACES.includes(name))
        .flatMap(([name]) => words.map((word) => ({ operation, query: `?${name}=${encodeURIComponent(word)}` }))),
    );
    const cursors = await eachOf(lists, async (operation) => {
      const path = pathOf(operation, ownIds(operation, victim.ids));
      const page = await victim.house.as('superadmin').get(path, { query: { limit: 1 } });
      return { operation, query: `?cursor=${page.body?.nextCursor}` };
    });
    const cells = [...searches, ...cursors.filter(({ query }) => !/=(null|undefined)$/.test(query))];
    const found = await breaches(pairs(cells, intruders), async ([{ operation, query }, intruder]) => {
      if (!intruder.may(operation)) return null;
      const hit = await call(operation, intruder, ownIds(operation, attacker.ids), query);
      const isQuiet = leakOf(hit, query) === null && !hit.text.includes(`"orgId":"${victim.orgId}"`);
      return [200, 400, 403].includes(hit.status) && isQuiet
        ? null
        : describeHit(`${operation.id}${query} as ${intruder.what}`, hit);
    });
    t.deepEqual(found, []);
    t.log(`${cells.length} searches, ${intruders.length} intruders`);
  },
);

test.serial(
  'the id of a foreign row in a path gets the response of an unknown id, whatever version is named',
  async (t) => {
    const cells = CLOSED.flatMap((operation) => {
      const kinds = [...operation.path].map(([name, schema]) => ({
        name,
        ids: someOf(victims.get(idPrefixOf(schema) ?? '')),
      }));
      return kinds.flatMap(({ name, ids }) => ids.map((id) => ({ operation, path: { [name]: id }, id })));
    });
    const found = await breaches(pairs(cells, intruders), async ([{ operation, path, id }, intruder]) => {
      // A caller who works for all organizations enters the one named in the path.
      const isGuest = 'orgId' in path && ['superadmin', 'machine'].includes(intruder.what);
      if (!intruder.may(operation) || isGuest) return null;
      const nothing = await call(operation, intruder);
      const hits = [
        await call(operation, intruder, path),
        await call(operation, intruder, path, '', [['If-Match', '"1"']]),
        await call(operation, intruder, path, '', [['If-Match', '*']]),
      ];
      const isSame = hits.every(({ body }) => body?.error === 'not_found' && body.message === nothing.body?.message);
      const isRight = hits.every((hit) => hit.status === 404 && leakOf(hit, id) === null) && isSame;
      return isRight ? null : hits.map((hit) => describeHit(`${operation.id} as ${intruder.what}`, hit)).join('\n');
    });
    t.deepEqual(found, []);
    t.true(cells.length > 0);
    t.log(`${cells.length} paths, ${intruders.length} intruders`);
  },
);

test.serial('the id of a foreign row in a body is refused as an unknown reference', async (t) => {
  const cells = CLOSED.flatMap((operation) =>
    referencesIn(operation.body).flatMap((reference) => {
      const ids = someOf(victims.get(reference.prefix));
      return ids.map((id) => ({ operation, reference, id }));
    }),
  );
  const found = await breaches(cells, async ({ operation, reference, id }) => {
    const hits = await referTo(operation, reference, id);
    const isNamed = hits.some(({ status, body }) => status === 400 && body.details.rule === 'unknown_reference');
    const isRight = isNamed && hits.every((hit) => hit.status >= 400 && hit.status < 500 && leakOf(hit, id) === null);
    return isRight
      ? null
      : hits.map((hit) => describeHit(`${operation.id} with ${reference.field.join('.')}`, hit)).join('\n');
  });
  t.deepEqual(found, []);
  t.true(cells.length > 0);
  t.log(`${cells.length} bodies`);
});

test.serial('a member of one organization who names another gets not_found', async (t) => {
  const names = [victim.orgId, organizationUuid(victim.orgId), newId('organization')];
  const ways = names.flatMap((org): [string, Header[]][] => [
    [`?orgId=${org}`, []],
    ['', [['X-Org-Id', org]]],
    [`?orgId=${org}`, [['X-Org-Id', attacker.orgId]]],
  ]);
  const ofOrganizations = CLOSED.filter(({ route }) => route.access.kind === 'organization');
  const bound = intruders.filter(({ what }) => what !== 'superadmin' && what !== 'machine');
  const cells = pairs(ofOrganizations, bound).filter(([operation, { may }]) => may(operation));
  const found = await breaches(pairs(cells, ways), async ([[operation, intruder], [query, headers]]) => {
    const hit = await call(operation, intruder, ownIds(operation, victim.ids), query, headers);
    const isRight = hit.status === 404 && leakOf(hit, query) === null && !hit.text.includes(victim.orgId);
    return isRight ? null : describeHit(`${operation.id}${query} as ${intruder.what}`, hit);
  });
  t.deepEqual(found, []);
  t.log(`${cells.length} calls, ${ways.length} ways`);
});

test.serial('the Idempotency-Key of another caller returns none of their responses', async (t) => {
  const keyed = CLOSED.filter(
    ({ route, method, pattern }) => route.idempotent && contractAllows('org_admin', method, pattern),
  );
  const token = (org: string, sub: string) => bearer(tokenOf(platform.config, 'jwtSecret', claimsOf(org, { sub })));
  let kept = 0;
  const found = await breaches(keyed, async (operation) => {
    const key: Header = ['Idempotency-Key', newId('request')];
    const as = (org: string, sub: string) =>
      call(operation, { headers: [token(org, sub)] }, ownIds(operation, attacker.ids), '', [key]);
    await as(attacker.orgId, 'usr_keyed');
    const again = await as(attacker.orgId, 'usr_keyed');
    if (!isReplayed(again)) return null;
    kept += 1;
    const others = [await as(attacker.orgId, 'usr_other'), await as(platform.orgId, 'usr_keyed')];
    return others.some(isReplayed) ? `${operation.id}: ${others.map(({ text }) => text.slice(0, 100))}` : null;
  });
  t.deepEqual(found, []);
  t.true(kept > 0);
  t.log(`${kept} of ${keyed.length} operations kept an answer`);
});

test.serial('the attacked organization reads its own rows, and no attack has changed one of them', async (t) => {
  const reads = CLOSED.filter(
    ({ method, path, pattern }) =>
      method === 'GET' && path.size === 1 && path.has('id') && !pattern.startsWith('/v1/portal'),
  );
  const shut = await breaches(reads, async (operation) => {
    const ids = ownIds(operation, victim.ids);
    const { status, text } = await victim.house.as('superadmin').get(pathOf(operation, ids));
    return status === 200 ? null : `${operation.id} ${ids.id}: ${status} ${text}`;
  });
  t.deepEqual(shut, [], 'what was attacked is there');
  t.deepEqual(await digestsOf(auth.sql, victim.orgId), before);
});

async function intrudersOf({ house, orgId }: Estate): Promise<Intruder[]> {
  const roles = ALL_ROLES.map((role): Intruder => {
    const token = tokenOf(platform.config, secretOf(role), claimsOf(orgId, { role, sub: `usr_intruding_${role}` }));
    const may: Intruder['may'] = ({ method, pattern, route }) =>
      contractAllows(role, method, pattern) && (route.access.kind === 'organization' || role !== 'superadmin');
    return { what: role, headers: [bearer(token)], may };
  });
  const { key } = bodyOf(await house.as('org_admin').post('/v1/api-keys', { name: 'Skeleton', scopes: ['*'] }), 201);
  return [
    ...roles,
    {
      what: 'a key for everything',
      headers: [['X-API-Key', key]],
      may: ({ method, pattern }) => contractScope(method, pattern) !== null,
    },
    {
      what: 'machine',
      headers: [bearer(platform.config.apiSecret), ['X-Org-Id', orgId]],
      may: ({ route, pattern }) => route.access.kind === 'organization' && !pattern.startsWith('/v1/portal'),
    },
  ];
}

/**
 * Refers to a foreign row in the body for each of the attacker's own rows that the path can name: one of them is in
 * the right state.
 */
async function referTo(operation: Operation, reference: Reference, id: string): Promise<Hit[]> {
  const [[name, schema] = ['', {}]] = operation.path;
  const prefix = idPrefixOf(schema);
  const own = prefix === null ? [''] : (attacker.ids.get(prefix) ?? ['']);
  const body = withReference(
    {
      ...VALID_BODIES[operation.id]?.(),
      ...BESIDE[operation.id],
      ...BESIDE[`${operation.id} with ${reference.field.join('.')}`],
    },
    reference,
    id,
  );
  const { headers, body: text } = json(body);
  return eachOf(own, (row) => {
    const path = pathOf(operation, prefix === null ? {} : { [name]: row });
    const role = operation.pattern.startsWith('/v1/portal') ? 'policyholder' : 'superadmin';
    const token = bearer(tokenOf(platform.config, secretOf(role), claimsOf(attacker.orgId, { role })));
    return fire({ method: operation.method, path, headers: [token, ...headers], body: text });
  });
}

function call(
  operation: Operation,
  { headers }: Pick<Intruder, 'headers'>,
  ids: Record<string, string> = {},
  query = '',
  more: readonly Header[] = [],
): Promise<Hit> {
  const { headers: typed, body } = json(VALID_BODIES[operation.id]?.());
  const others = headers.filter(([name]) => !more.some(([replaced]) => replaced === name));
  const path = pathOf(operation, ids) + query;
  return fire({ method: operation.method, path, headers: [...others, ...typed, ...more], body });
}

/** What an answer reveals about the victim beyond what the request itself said. */
function leakOf({ text }: Hit, sent: string): string | null {
  const rest = text.replaceAll(sent.replace(/^\?\w+=/, ''), '');
  const ids = [...victims.values()].flat().filter((id) => id !== victim.orgId);
  return [victim.mark, ...ids].find((secret) => rest.includes(secret)) ?? null;
}

function isReplayed({ headers }: Hit): boolean {
  return headers['idempotent-replayed'] !== undefined;
}

function ownIds({ path }: Operation, ids: Ids): Record<string, string> {
  return Object.fromEntries(
    [...path].flatMap(([name, schema]) => {
      const own = ids.get(idPrefixOf(schema) ?? '')?.[0];
      return own ? [[name, own]] : [];
    }),
  );
}

function someOf(ids: string[] = []): string[] {
  return ids.slice(0, AT_MOST_OF_A_KIND);
}

function describeHit(what: string, { status, text }: Hit): string {
  return `${what}: ${status} ${text.slice(0, 300)}`;
}
