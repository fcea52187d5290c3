// The least a web server can do to answer GET /v1/policies/:id: verify the credential, one query, the row as JSON.
// Run as its own process: `node get-server.ts <jwt | api-key | machine> <port> <database url> <secret>`.
import { createHash } from 'node:crypto';
import { jwtVerify } from 'jose';
import Koa from 'koa';
import pg from 'pg';
import { isSameSecret } from '../../providers/constant-time.ts';

const [kind = '', port, databaseUrl, secret = ''] = process.argv.slice(2);
const PATH = /^\/v1\/policies\/(pol_[0-9a-z]{26})$/;

const signingKey = new TextEncoder().encode(secret);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });

/** Verify a credential and return its organization; undefined if it is invalid. */
const CHECKS: Record<string, (credential: string, ctx: Koa.Context) => Promise<unknown>> = {
  jwt: async (credential) => (await jwtVerify(credential, signingKey, { algorithms: ['HS256'] })).payload.org,
  'api-key': async (credential) => {
    const hash = createHash('sha256').update(credential).digest('hex');
    const { rows } = await pool.query('select org_id from api_keys where hash = $1 and revoked_at is null', [hash]);
    return rows[0]?.org_id;
  },
  machine: async (credential, ctx) => (isSameSecret(credential, secret) ? ctx.get('x-org-id') : undefined),
};

const check = CHECKS[kind];
if (check === undefined) throw new Error(`There is no check "${kind}": ${Object.keys(CHECKS).join(', ')}`);

const app = new Koa();
app.use(async (ctx) => {
  const orgId = await check(ctx.get('authorization').replace(/^Bearer /, ''), ctx);
  const id = PATH.exec(ctx.path)?.[1];
  const { rows } = await pool.query('select * from policies where id = $1 and org_id = $2', [id, orgId]);
  if (rows[0]) ctx.body = rows[0];
});

app.listen(Number(port), '127.0.0.1');
