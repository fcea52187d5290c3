// Reads a database under test as the owner of its tables, past row-level security.
import pg from 'pg';
import type { TestDatabase } from '../support/servers/database.ts';

export type Sql = pg.Pool;

/** Opens the connection; the caller ends it. */
export function runPostgres(database: TestDatabase): Sql {
  return new pg.Pool({ connectionString: database.ownerUrl, max: 2 });
}
