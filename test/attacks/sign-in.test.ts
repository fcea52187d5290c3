// Every endpoint of the authentication service, from its own table, and every portal: what must not get in does not.
import test from 'ava';
import { endpointsOf } from '../../auth/app.ts';
import type { Endpoint } from '../../auth/http/state.ts';
import type { AuthService } from '../../auth/service.ts';
import { type AuthUnderTest, runAuth } from '../auth/run-auth.ts';
import { ALL_ROLES, isVouched, PORTAL_SECRETS, SECRET_NAMES, type SecretName, VOUCHED } from './contract-roles.ts';
import { breaches, type Fire, type Header, type Hit, lineTo, pairs, type Shot } from './fire.ts';
import { claimsOf, forge, forgedTokens, fromElsewhere, tokenOf } from './forgery.ts';

const PASSWORD = 'correct horse battery staple';
const PORTALS = Object.entries(PORTAL_SECRETS) as [string, SecretName][];
/** Paths that the underlying library would serve, and the usual places of things that should not be there. */
const NOWHERE = [
  ...['sign-in/social', 'sign-in/username', 'callback/google', 'list-sessions', 'revoke-session', 'revoke-sessions'],
  ...['update-user', 'delete-user', 'change-email', 'change-password', 'set-password', 'verify-email', 'link-social'],
  ...['open-session', 'get-access-token', 'account-info', 'error', 'ok', 'admin/set-role', 'token', 'jwks', ''],
].map((name) => `/api/auth/${name}`);

let auth: AuthUnderTest;
let fire: Fire;
let org: string;
let otherOrg: string;
let endpoints: Endpoint[];
/** The sealed session of a person who must not be impersonated. */
let victim: { id: string; cookie: string };

test.before('somebody is signed in', async () => {
  auth = await runAuth();
  fire = lineTo(auth.url);
  [org, otherOrg] = [await auth.createOrg({ isDemo: true }), await auth.createOrg()];
  endpoints = endpointsOf({ config: auth.config } as AuthService);
  const browser = auth.browser();
  const { body } = await browser.post('/api/auth/sign-up/email', { email: 'victim@example.test', password: PASSWORD });
  victim = { id: body.user.id, cookie: browser.cookie('svc_session') ?? '' };
});
test.after.always(() => auth?.close());

test('a forged session opens no endpoint', async (t) => {
  const sealed = decodeURIComponent(victim.cookie);
  const [raw = '', seal = ''] = sealed.split('.');
  const admin = tokenOf(auth.config, 'jwtSecret', claimsOf(org, { sub: victim.id }));
  const cookies = {
    'without a seal': raw,
    'with another seal': `${raw}.${'A'.repeat(seal.length)}`,
    'with half a seal': `${raw}.${seal.slice(0, 20)}`,
    'sealed by another secret': `${raw}.${forge('x'.repeat(32), raw).split('.')[2]}`,
    'that is a token': admin,
    'that is empty': '',
    'that is long': 'x'.repeat(3_000),
    'of another name': `; svc_session_token=${victim.cookie}; __Secure-svc_session=${victim.cookie}`,
  };
  const found = await breaches(pairs(endpoints, Object.entries(cookies)), async ([endpoint, [what, cookie]]) => {
    const hit = await call(endpoint, { headers: [['Cookie', `svc_session=${cookie}`], json], body: bodyFor(endpoint) });
    return unlessOutside(hit, `${endpoint.path} with a session ${what}`);
  });
  t.deepEqual(found, []);
  const session = { method: 'GET', path: '/api/auth/get-session' } as const;
  const whole = await call(session, { headers: [['Cookie', `svc_session=${victim.cookie}`]] });
  t.is(whole.body.user.id, victim.id, 'the whole one does');
});

test('a page of another origin writes nothing, and reads nothing with the cookie of its visitor', async (t) => {
  const origins = [
    'https://evil.example',
    'null',
    `${auth.url}.evil.example`,
    'https://localhost.evil.example',
    'file://',
  ];
  const found = await breaches(pairs(endpoints, origins), async ([endpoint, origin]) => {
    const headers: Header[] = [['Origin', origin], ['Cookie', `svc_session=${victim.cookie}`], json];
    const hit = await call(endpoint, { headers, body: bodyFor(endpoint) });
    const preflight = await fire({
      method: 'OPTIONS',
      path: endpoint.path,
      headers: [['Origin', origin], ['Access-Control-Request-Method', endpoint.method], fromElsewhere()],
    });
    const isShared = [hit, preflight].some(({ headers: given }) => given['access-control-allow-origin'] !== undefined);
    const isRefused = endpoint.method === 'GET' || hit.status === 403;
    return isRefused && !isShared ? null : `${endpoint.path} from ${origin}: ${hit.status} ${hit.text}`;
  });
  t.deepEqual(found, []);
});

test('no body or query brings the service down or makes it reveal anything', async (t) => {
  const bodies: [string, string, Header?][] = [
    ['half of a body', '{"email":"a@b.c"'],
    ['a list', '[{"email":"a@b.c"}]'],
    ['null', 'null'],
    ['a number', '42'],
    ['a prototype', '{"__proto__":{"email":"a@b.c","password":"x"},"constructor":1}'],
    ['objects for texts', '{"email":{"$ne":null},"password":{"$ne":null},"token":{"$gt":""}}'],
    ['lists for texts', '{"email":["victim@example.test"],"password":["x"]}'],
    ['a zero byte', '{"email":"victim@example.test\\u0000","password":"x\\u0000"}'],
    ['SQL', `{"email":"x'or'1'='1@example.test","password":"x' or 1=1 --"}`],
    ['deep nesting', `{"email":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
    ['2 MiB', `{"email":"${'x'.repeat(2 * 1024 * 1024)}"}`],
    ['a form', 'email=victim@example.test&password=x', ['Content-Type', 'application/x-www-form-urlencoded']],
  ];
  const queries = [
    'callbackURL=',
    'callbackURL[]=x',
    'token=%00',
    `token=${'x'.repeat(5_000)}`,
    'error=%0d%0aX:%20y',
    'state=%ff&code=%ff',
  ];
  const writes = endpoints.filter(({ method }) => method === 'POST');
  const found = [
    ...(await breaches(pairs(writes, bodies), async ([endpoint, [what, body, type = json]]) =>
      unlessOutside(await call(endpoint, { headers: [type], body }), `${endpoint.path} with ${what}`),
    )),
    ...(await breaches(pairs(endpoints, queries), async ([endpoint, query]) => {
      const path = `${endpoint.path}?${query}`;
      const hit = await call({ ...endpoint, path }, { headers: [json], body: bodyFor(endpoint) });
      return unlessOutside(hit, path.slice(0, 80));
    })),
  ];
  t.deepEqual(found, []);
});

test('a path outside the table does not exist, and no other method does the work of an endpoint', async (t) => {
  const found = [
    ...(await breaches(pairs(['GET', 'POST'], NOWHERE), async ([method, path]) => {
      const { status, text } = await call(
        { method, path },
        { headers: [json, ['Cookie', `svc_session=${victim.cookie}`]] },
      );
      return status === 404 ? null : `${method} ${path}: ${status} ${text}`;
    })),
    ...(await breaches(
      pairs(endpoints, ['PUT', 'PATCH', 'DELETE', 'PROPFIND']),
      async ([{ path, method: own }, method]) => {
        const overridden = await call({ method, path }, { headers: [['X-HTTP-Method-Override', own]] });
        return overridden.status === 405 ? null : `${method} ${path}: ${overridden.status} ${overridden.text}`;
      },
    )),
    ...(await breaches(endpoints, async ({ path, method }) => {
      const other = await call(
        { path, method: method === 'GET' ? 'POST' : 'GET' },
        { headers: [['X-HTTP-Method-Override', method]] },
      );
      const head = await call({ path, method: 'HEAD' });
      return other.status === 405 && head.text === '' ? null : `${path}: ${other.status} ${other.text}`;
    })),
  ];
  t.deepEqual(found, []);
});

/** The reference says the same to everyone: it may be cached, and revalidated by its tag. */
const PUBLIC_FILES = /^\/(openapi\.json$|docs\/files\/)/;

test('no response is cached, framed, sniffed or named to the next site', async (t) => {
  const found = await breaches(endpoints, async (endpoint) => {
    const { headers } = await call(endpoint);
    const isProtected =
      headers['cache-control'] === (PUBLIC_FILES.test(endpoint.path) ? 'no-cache' : 'no-store') &&
      headers['referrer-policy'] === 'no-referrer' &&
      headers['x-content-type-options'] === 'nosniff' &&
      `${headers['content-security-policy']}`.includes("frame-ancestors 'none'");
    return isProtected ? null : `${endpoint.path}: ${JSON.stringify(headers)}`;
  });
  t.deepEqual(found, []);
});

test('a portal takes tokens of its own secret for the roles that the secret vouches for, and no others', async (t) => {
  const tried = pairs(PORTALS, pairs(SECRET_NAMES, ALL_ROLES));
  const found = await breaches(tried, async ([[portal, own], [secret, role]]) => {
    const hit = await bring(portal, tokenOf(auth.config, secret, claimsOf(org, { role, sub: 'usr_visitor' })));
    const what = `${portal} by ${role} of ${secret}`;
    if (secret !== own || !isVouched(secret, role)) return unlessOutside(hit, what);
    const isIn = hit.status === 302 && hit.headers.location === `/portals/${portal}/dashboard`;
    return isIn ? null : `${what}: ${hit.status} ${hit.text}`;
  });
  t.deepEqual(found, []);
  t.log(`${tried.length} portals, secrets and roles`);
});

test('a portal takes no forged token, neither at its callback nor in its cookie', async (t) => {
  const found = await breaches(
    PORTALS.flatMap(([portal, secret]) => {
      const good = claimsOf(org, { role: VOUCHED[secret][0], sub: 'usr_visitor' });
      // A portal checks tokens against its secret and its users; checking which organizations exist is up to the API.
      return forgedTokens(auth.config, good, otherOrg, secret)
        .filter(({ what }) => what !== 'an organization that is not there')
        .map((forged) => ({ portal, ...forged }));
    }),
    async ({ portal, what, token }) => {
      const cookie = cookieOf(portal, token);
      const seen = await call(
        { method: 'GET', path: `/portals/${portal}/dashboard` },
        { headers: [['Cookie', cookie]] },
      );
      const reasons = [
        unlessOutside(await bring(portal, token), `the callback of ${portal} with ${what}`),
        unlessOutside(seen, `the dashboard of ${portal} with ${what}`),
      ];
      return reasons.find((reason) => reason !== null) ?? null;
    },
  );
  t.deepEqual(found, []);
});

test('a portal accepts no token of a deactivated user', async (t) => {
  const gone = await auth.createUser({ email: 'gone@example.test', orgId: org, role: 'auditor', active: false });
  const found = await breaches(PORTALS, async ([portal, secret]) => {
    const claims = claimsOf(org, { role: VOUCHED[secret][0], sub: gone });
    return unlessOutside(await bring(portal, tokenOf(auth.config, secret, claims)), portal);
  });
  t.deepEqual(found, []);
});

test('no part of an address leads away from the pages of a portal', async (t) => {
  const away = ['https://evil.example', '//evil.example', 'https:evil.example', `${auth.url}@evil.example`];
  const found = await breaches(pairs(PORTALS, away), async ([[portal, secret], address]) => {
    const token = tokenOf(auth.config, secret, claimsOf(org, { role: VOUCHED[secret][0], sub: 'usr_visitor' }));
    const query = ['redirect', 'next', 'callbackURL', 'returnTo'].map(
      (name) => `&${name}=${encodeURIComponent(address)}`,
    );
    const hit = await bring(portal, token, query.join(''));
    return hit.headers.location === `/portals/${portal}/dashboard`
      ? null
      : `${portal} ${address}: ${hit.headers.location}`;
  });
  const callbacks = PORTALS.flatMap(([portal]) => {
    const own = `${auth.url}/portals/${portal}/api/auth/callback`;
    return [
      ...away.map((address) => `${address}/portals/${portal}/api/auth/callback`),
      `${own}/../x`,
      `${own}#x`,
      `${own}?x=y`,
      `${own}%0d%0a`,
    ];
  });
  const started = await breaches(callbacks, async (callback) => {
    const path = `/api/auth/sign-in/microsoft?callbackURL=${encodeURIComponent(callback)}`;
    const { status, headers } = await call({ method: 'GET', path });
    return status === 400 && headers.location === undefined ? null : `${callback}: ${status} ${headers.location}`;
  });
  t.deepEqual([...found, ...started], []);
});

const json: Header = ['Content-Type', 'application/json'];

function bodyFor({ method }: Endpoint): string | undefined {
  return method === 'POST' ? '{}' : undefined;
}

function call({ method, path }: { method: string; path: string }, more: Partial<Shot> = {}): Promise<Hit> {
  return fire({ method, path, ...more, headers: [...(more.headers ?? []), fromElsewhere()] });
}

function bring(portal: string, token: string, more = ''): Promise<Hit> {
  const path = `/portals/${portal}/api/auth/callback?token=${encodeURIComponent(token)}${more}`;
  return call({ method: 'GET', path });
}

const COOKIES: Record<string, string> = { underwriting: 'svc_uw_token', policyholder: 'svc_session' };

function cookieOf(portal: string, token: string): string {
  return `${COOKIES[portal] ?? `svc_${portal}_token`}=${token}`;
}

/** Null for an answer that lets no one in: no token, no user, no cookie except a cleared one, no server fault. */
function unlessOutside({ status, headers, body, text }: Hit, what: string): string | null {
  const cookies = (headers['set-cookie'] ?? []) as string[];
  const isGiven = cookies.some((cookie) => !/Max-Age=0\b/i.test(cookie));
  const isDisclosed = body?.token !== undefined || body?.user !== undefined || body?.sub !== undefined;
  return status < 500 && !isGiven && !isDisclosed
    ? null
    : `${what}: ${status} ${cookies.map((cookie) => cookie.slice(0, 40))} ${text.slice(0, 120)}`;
}
