// Where the PostgreSQL cluster is kept: in the data folder or, if its user cannot reach that, in a public place.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { canEnter, type SystemUser } from './user.ts';

const PUBLIC_FOLDER = '/var/lib/bindery';

/**
 * The folder of the cluster that belongs to a data folder.
 * @param dataDir absolute and existing
 * @param user the system user of PostgreSQL, null for the current user
 */
export function clusterFolder(dataDir: string, user: SystemUser | null): string {
  if (user === null || canEnter(user, dataDir)) return join(dataDir, 'postgres');
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  return join(PUBLIC_FOLDER, hash);
}
