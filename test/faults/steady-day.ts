// Loaded before a platform process (`node --import`): its business days begin at the given time of day instead of
// midnight UTC, in the code itself and in the workflows that it bundles. A trial that passes its start time then has a
// whole day in which only the trial changes dates. Instants stay as they are.

import { createRequire, registerHooks } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import { shifted } from './shifted-days.ts';

const DAYS = '/domain/business-day.ts';

const { searchParams } = new URL(import.meta.url);
const beginsMs = Number(searchParams.get('begins'));

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    return url.endsWith(DAYS) ? { ...loaded, source: shifted(String(loaded.source), beginsMs) } : loaded;
  },
});

/** Only the process that bundles loads the bundler: the API and workflow threads do without it. */
if (process.argv[1]?.endsWith('workers/main.ts') && isMainThread) {
  const bundler = createRequire(import.meta.url)('@temporalio/worker/lib/workflow/bundler.js');
  const { bundleWorkflowCode } = bundler;
  bundler.bundleWorkflowCode = async (options: unknown) => {
    const bundle = await bundleWorkflowCode(options);
    return { ...bundle, code: shifted(bundle.code, beginsMs) };
  };
}
