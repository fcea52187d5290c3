// Has the Temporal SDK download its development server to a folder: `node download.ts <folder>`.
import { TestWorkflowEnvironment } from '@temporalio/testing';

const [downloadDir] = process.argv.slice(2);
const environment = await TestWorkflowEnvironment.createLocal({
  server: { executable: { type: 'cached-download', downloadDir, version: 'default' } },
});
await environment.teardown();
