// Backups are of what `npm start` runs; a server of somebody else's has tools of its own.
import type { SupervisorConfig } from '../../config.ts';

/** @throws Error when there is no folder for backups, or the database is not ours */
export function requireBackupFolder({ backupDir, databaseUrl }: SupervisorConfig): string {
  if (databaseUrl !== null) {
    throw new Error('DATABASE_URL names a PostgreSQL of its own: back it up with its own tools (docs/backup.md).');
  }
  if (backupDir !== null) return backupDir;
  throw new Error('BACKUP_DIR is not set: name a folder on another disk in .env, then stop and start Bindery.');
}
