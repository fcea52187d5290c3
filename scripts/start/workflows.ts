// Runs scripts/bundle-workflows.ts beside the start of the servers: both workers take the workflows from its file.
import { join } from 'node:path';
import { launch, reasonOf } from './child.ts';
import { StartError } from './start-error.ts';

const SCRIPT = join(import.meta.dirname, '../bundle-workflows.ts');

/**
 * Bundles the workflows into a file of the folder and answers its path.
 * @throws StartError with the line that explains the failure
 */
export async function bundleInto(folder: string, onLine: (line: string) => void): Promise<string> {
  const path = join(folder, 'workflow-bundle.js');
  const child = await launch({ name: 'workflows', command: process.execPath, args: [SCRIPT, path], onLine });
  const { code } = await child.exited;
  if (code === 0) return path;
  throw new StartError(`The workflows could not be bundled (${reasonOf(child)}): repair the cause and start again.`);
}
