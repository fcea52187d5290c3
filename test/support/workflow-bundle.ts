// The workflow code, bundled once per run into a file that all test workers share.
import { existsSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DefaultLogger } from '@temporalio/worker';
import { bundleWorkflows } from '../../workers/workflow-bundle.ts';
import { BUNDLE_VARIABLE } from './servers/servers.ts';

/** A worker's `workflowBundle`: the file that the run prepared, or one made now. */
export async function workflowBundle(): Promise<{ codePath: string }> {
  const prepared = process.env[BUNDLE_VARIABLE];
  if (prepared && existsSync(prepared)) return { codePath: prepared };
  return { codePath: await writeBundle(await mkdtemp(join(tmpdir(), 'bindery-bundle-'))) };
}

/** Bundles the workflows into `folder` and returns the file's path. */
export async function writeBundle(folder: string): Promise<string> {
  const { code } = await bundleWorkflows(new DefaultLogger('ERROR'));
  const path = join(folder, 'workflow-bundle.js');
  await writeFile(path, code);
  return path;
}
