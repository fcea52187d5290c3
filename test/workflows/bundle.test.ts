// What a worker evaluates for its workflows: only packages that workflows need, and little of it (decision 0028).
import { readFile } from 'node:fs/promises';
import test from 'ava';
import { workflowBundle } from '../support/workflow-bundle.ts';

const PACKAGES = [
  ...['@temporalio/common', '@temporalio/workflow', 'long', 'ms', 'nexus-rpc'],
  ...['temporal-polyfill', 'temporal-utils'],
];
const MOST_CHARACTERS = 1_600_000;

test('the workflow bundle has only packages that workflows need, and at most 1.6 MB without its source map', async (t) => {
  const { codePath } = await workflowBundle();
  const [code = ''] = (await readFile(codePath, 'utf8')).split('//# sourceMappingURL=');
  const modules = [...code.matchAll(/^ *!\*\*\* (\S+) \*\*\*!$/gm)].map(([, path]) => path ?? '');
  const packages = modules.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  t.deepEqual([...new Set(packages)].toSorted(), PACKAGES);
  t.true(modules.some((path) => path.startsWith('./workflows/')));
  t.true(code.length < MOST_CHARACTERS, `${code.length} characters`);
});
