// Loaded before a worker (`node --import`): it takes the workflow bundle that the run
// prepared, so that each start costs what the worker itself does.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const path = new URL(import.meta.url).searchParams.get('path') ?? '';
const bundler = createRequire(import.meta.url)('@temporalio/worker/lib/workflow/bundler.js');
bundler.bundleWorkflowCode = async () => ({ code: readFileSync(path, 'utf8'), sourceMap: '' });
