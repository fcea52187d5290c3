// The worker of the bare workflow: one local activity on plain `pg`.
// Run as a process of its own: `node bind-worker.ts <temporal address> <task queue> <database url> <organization>`.
import { join } from 'node:path';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import pg from 'pg';
import { dataConverter } from '../../providers/temporal.ts';
import { payloadKeys } from '../../test/support/payload-keys.ts';
import { createFloorActivities } from './bind-activity.ts';

const [address, taskQueue = '', databaseUrl, orgId = ''] = process.argv.slice(2);

Runtime.install({ logger: new DefaultLogger('ERROR') });
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
// The organization that row-level security limits the connection to: there is only one here, so it is set once.
pool.on('connect', (client) => void client.query("select set_config('app.org_id', $1, false)", [orgId]));
const connection = await NativeConnection.connect({ address });
const worker = await Worker.create({
  connection,
  taskQueue,
  dataConverter: dataConverter({ payloadKeys }),
  workflowsPath: join(import.meta.dirname, 'bind-workflow.ts'),
  activities: createFloorActivities(pool, orgId),
});
await worker.run();
await connection.close();
await pool.end();
