// PostgreSQL refuses to run as root. If we are root, it runs as the system user "postgres", which we create if
// missing.
import { spawnSync } from 'node:child_process';
import { StartError } from '../start-error.ts';

export interface SystemUser {
  uid: number;
  gid: number;
}

const NAME = 'postgres';
const WAYS_TO_ADD: readonly (readonly [string, ...string[]])[] = [
  ['useradd', '--system', '--user-group', '--no-create-home', '--shell', '/bin/sh', NAME],
  ['adduser', '-S', '-D', '-H', NAME],
];

/**
 * Returns the system user that must run PostgreSQL: null for the current user, else "postgres".
 * @throws StartError if we are root and that user can neither be found nor created
 */
export function postgresUser(): SystemUser | null {
  if (process.getuid?.() !== 0) return null;
  const user = findUser() ?? addUser();
  if (user) return user;
  throw new StartError(
    'PostgreSQL does not run as root and the system user "postgres" could not be created: create it, start Bindery as another user, or set DATABASE_URL.',
  );
}

/** Whether `user` can enter an existing folder. */
export function canEnter(user: SystemUser, folder: string): boolean {
  return (
    spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { cwd: '/', uid: user.uid, gid: user.gid }).status === 0
  );
}

function findUser(): SystemUser | null {
  const uid = numberFrom('id', ['-u', NAME]);
  const gid = numberFrom('id', ['-g', NAME]);
  return uid === null || gid === null ? null : { uid, gid };
}

function addUser(): SystemUser | null {
  for (const [command, ...args] of WAYS_TO_ADD) {
    if (spawnSync(command, args).status === 0) return findUser();
  }
  return null;
}

function numberFrom(command: string, args: readonly string[]): number | null {
  const result = spawnSync(command, args, { encoding: 'utf8' });
  return result.status === 0 ? Number(result.stdout.trim()) : null;
}
