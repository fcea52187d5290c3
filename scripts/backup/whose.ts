// Backups cover only what `npm start` runs; any other database server has its own tools.
import type { SupervisorConfig } from '../../config.ts';

/** @throws Error if there is no backup folder, or the database is not ours */
export function requireBackupFolder({ backupDir, databaseUrl }: SupervisorConfig): string {
  if (databaseUrl !== null) {
    throw new Error('DATABASE_URL names a PostgreSQL of its own: back it up with its own tools (docs/backup.md).');
  }
  if (backupDir !== null) return backupDir;
  throw new Error('BACKUP_DIR is not set: name a folder on another disk in .env, then stop and start Bindery.');
}
