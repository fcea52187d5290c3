// A bind as a durable workflow run by a library, without a workflow server: DBOS keeps its steps in the same
// PostgreSQL as the rows. Three steps: facts, the statements of the bare bind, the answer.
// Run as its own process: `node bind-server.ts <port> <database url> <database url of DBOS> <organization>`.
import { DBOS } from '@dbos-inc/dbos-sdk';
import Koa from 'koa';
import pg from 'pg';
import { createFloorActivities } from '../floor/bind-activity.ts';
import type { FloorBind } from '../floor/bind-command.ts';

const [port, databaseUrl, systemDatabaseUrl = '', orgId = ''] = process.argv.slice(2);

const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
pool.on('connect', (client) => void client.query("select set_config('app.org_id', $1, false)", [orgId]));
const { bind } = createFloorActivities(pool, orgId);

async function facts({ submissionId, quoteId }: FloorBind): Promise<void> {
  const open = await pool.query(
    `select 1 from submissions join quotes on quotes.submission_id = submissions.id
     where submissions.org_id = $1 and submissions.id = $2 and quotes.id = $3 and submissions.status = 'quoted'`,
    [orgId, submissionId, quoteId],
  );
  if (open.rowCount !== 1) throw new Error(`${submissionId} cannot be bound`);
}

async function answer(policyId: string): Promise<unknown> {
  const { rows } = await pool.query(
    `select policies.*, (select json_agg(invoices) from invoices where policy_id = policies.id) as invoices
     from policies where org_id = $1 and id = $2`,
    [orgId, policyId],
  );
  return rows[0];
}

async function bindPolicy(quoted: FloorBind): Promise<unknown> {
  await DBOS.runStep(() => facts(quoted), { name: 'facts' });
  const policyId = await DBOS.runStep(() => bind(quoted), { name: 'bind' });
  return DBOS.runStep(() => answer(policyId), { name: 'answer' });
}

DBOS.setConfig({ name: 'bench', systemDatabaseUrl, logLevel: 'error', runAdminServer: false });
const bindWorkflow = DBOS.registerWorkflow(bindPolicy, { name: 'bindPolicy' });
await DBOS.launch();

const app = new Koa();
app.use(async (ctx) => {
  if (ctx.method !== 'POST') return;
  const [, submissionId = '', quoteId = ''] = ctx.path.split('/');
  // As on the platform, the submission's id keeps a second call from binding twice.
  const handle = await DBOS.startWorkflow(bindWorkflow, { workflowID: submissionId })({ submissionId, quoteId });
  ctx.body = await handle.getResult();
});
app.listen(Number(port), '127.0.0.1');
