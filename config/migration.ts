// The variables of the migration: the owner's connection, the roles whose passwords it sets, and the demo organization.
import { z } from 'zod';
import { defaultOrgVariables, demoConfig, demoVariables, environmentVariables, logVariables } from './installation.ts';
import { accountVariables, businessVariables, ownerVariables } from './stores.ts';

export const migrationVariables = {
  ...environmentVariables,
  ...logVariables,
  DATABASE_URL: ownerVariables.DATABASE_URL.unwrap(),
  ...businessVariables,
  ...accountVariables,
  ...defaultOrgVariables,
  ...demoVariables,
} as const;

export const migrationSchema = z.object(migrationVariables);

export type MigrationConfig = ReturnType<typeof migrationConfig>;

export function migrationConfig(values: z.infer<typeof migrationSchema>) {
  return {
    ...demoConfig(values),
    databaseUrl: values.DATABASE_URL,
    databaseAppUrl: values.DATABASE_APP_URL,
    databaseOpsUrl: values.DATABASE_OPS_URL,
    databaseAuthUrl: values.DATABASE_AUTH_URL,
    logLevel: values.LOG_LEVEL,
  };
}
