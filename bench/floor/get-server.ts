// The least a web server can do to answer GET /v1/policies/:id: check the token's signature, one query, the row as JSON.
// Run as a process of its own: `node get-server.ts <port> <database url> <secret>`.
import { jwtVerify } from 'jose';
import Koa from 'koa';
import pg from 'pg';

const [port, databaseUrl, secret] = process.argv.slice(2);
const PATH = /^\/v1\/policies\/(pol_[0-9a-z]{26})$/;

const key = new TextEncoder().encode(secret);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
const app = new Koa();

app.use(async (ctx) => {
  const token = ctx.get('authorization').replace(/^Bearer /, '');
  const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'] });
  const id = PATH.exec(ctx.path)?.[1];
  const { rows } = await pool.query('select * from policies where id = $1 and org_id = $2', [id, payload.org]);
  if (rows[0]) ctx.body = rows[0];
});

app.listen(Number(port), '127.0.0.1');
