// The worker of a bare workflow.
// Run as a process of its own: `node worker.ts <file of the workflow> <temporal address> <task queue> <database url>`.
import { join } from 'node:path';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import pg from 'pg';
import { dataConverter } from '../../providers/temporal.ts';
import { payloadKeys } from '../../test/support/payload-keys.ts';
import { createFloorSteps } from './payment-steps.ts';

const [workflowFile = '', address, taskQueue = '', databaseUrl] = process.argv.slice(2);

Runtime.install({ logger: new DefaultLogger('ERROR') });
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
const connection = await NativeConnection.connect({ address });
const worker = await Worker.create({
  connection,
  taskQueue,
  dataConverter: dataConverter({ payloadKeys }),
  workflowsPath: join(import.meta.dirname, workflowFile),
  activities: createFloorSteps(pool),
});
await worker.run();
await connection.close();
await pool.end();
