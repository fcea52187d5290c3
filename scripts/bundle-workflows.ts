// Writes the bundled workflow code to a file, which workers find through WORKFLOW_BUNDLE:
// node scripts/bundle-workflows.ts <file>. The file is written atomically: a worker never reads half of it, also when
// two starts write it at the same time.
import { renameSync, writeFileSync } from 'node:fs';
import { DefaultLogger } from '@temporalio/worker';
import { bundleWorkflows } from '../workers/workflow-bundle.ts';

const [path] = process.argv.slice(2);
if (path === undefined) {
  console.error('Usage: node scripts/bundle-workflows.ts <file>');
  process.exit(1);
}
const { code } = await bundleWorkflows(new DefaultLogger('WARN', ({ message }) => console.error(message)));
const unfinished = `${path}.${process.pid}`;
writeFileSync(unfinished, code);
renameSync(unfinished, path);
