// Runs scripts/migrate.ts as its own process, which ends before the services start.
import { join } from 'node:path';
import { launch, reasonOf } from './child.ts';
import { StartError } from './start-error.ts';

const SCRIPT = join(import.meta.dirname, '../migrate.ts');
const DEMO_LINE = /^demo organization (org_\w+)$/;

/**
 * Brings the schema up to date and writes the seed data.
 * @returns the id of the demo organization, or null if there is none
 * @throws StartError with the line that explains the failure
 */
export async function migrate(env: NodeJS.ProcessEnv, onLine: (line: string) => void): Promise<string | null> {
  let demoOrgId: string | null = null;
  const child = await launch({
    name: 'migration',
    command: process.execPath,
    args: [SCRIPT],
    env,
    onLine: (line) => {
      demoOrgId = DEMO_LINE.exec(line)?.[1] ?? demoOrgId;
      onLine(line);
    },
  });
  const { code } = await child.exited;
  if (code !== 0) {
    throw new StartError(
      `The database could not be migrated (${reasonOf(child)}): see the log of the migration; repair the cause and start again.`,
    );
  }
  return demoOrgId;
}
