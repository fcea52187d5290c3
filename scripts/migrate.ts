// npm run migrate: brings the database schema up to date and writes the reference data, and the demo organization if
// DEMO says so. Safe to repeat. It is the only process that connects as the owner of the tables.
import './help/show-help.ts';
import pino from 'pino';
import { ConfigError, loadMigrationConfig, type MigrationConfig } from '../config.ts';
import { newId } from '../db/ids.ts';
import { migrateDatabase } from '../db/migrate.ts';
import { connectDatabase } from '../db/orm.ts';
import { seedDemo } from '../db/seed/demo.ts';
import { seedReference } from '../db/seed/reference.ts';
import { environmentWithFile } from './env-file.ts';

try {
  const config = loadMigrationConfig(environmentWithFile());
  await migrate(config);
  await seed(config);
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exitCode = 1;
}

async function migrate(config: MigrationConfig): Promise<void> {
  const migrations = await migrateDatabase({
    ownerUrl: config.databaseUrl,
    appPassword: passwordIn(config.databaseAppUrl),
    opsPassword: passwordIn(config.databaseOpsUrl),
    authPassword: passwordIn(config.databaseAuthUrl),
    log: (line) => console.log(line),
  });
  console.log(migrations.length > 0 ? `${migrations.length} migrations ran` : 'the schema is up to date');
}

async function seed({ databaseAppUrl, databaseOpsUrl, logLevel, ...config }: MigrationConfig): Promise<void> {
  const logger = pino({ level: logLevel === 'info' ? 'warn' : logLevel });
  const database = await connectDatabase({ appUrl: databaseAppUrl, opsUrl: databaseOpsUrl, poolSize: 2, logger });
  try {
    await seedReference(database);
    if (!config.demo) return;
    const orgId = config.defaultOrgId ?? newId('organization');
    const demo = await seedDemo(database, { orgId, apiKey: config.demoApiKey });
    console.log(`demo organization ${demo.orgId}`);
  } finally {
    await database.close();
  }
}

/** The roles get the passwords that the services connect with. */
function passwordIn(url: string): string {
  return decodeURIComponent(new URL(url).password);
}
