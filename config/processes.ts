// Which process reads which variable, and the refusal of variables it should not have: a compromised process leaks what
// it holds, so it holds only what it needs.
import type { z } from 'zod';
import { apiVariables } from './api.ts';
import { authVariables } from './auth.ts';
import { cardProcessorVariables } from './card-processor.ts';
import { deadlineVariables } from './deadlines.ts';
import { inboundVariables } from './inbound.ts';
import {
  apiAddressVariables,
  authAddressVariables,
  dataVariables,
  defaultOrgVariables,
  demoVariables,
  environmentVariables,
  logVariables,
  proxyVariables,
} from './installation.ts';
import { migrationVariables } from './migration.ts';
import { identityVariables, languageModelVariables, signingVariables } from './outbound.ts';
import { ConfigError, isSet, type Variables } from './parse.ts';
import { bucketVariables, cardEventVariables, cardVariables, chromiumVariables, mailVariables } from './providers.ts';
import { pushVariables } from './push.ts';
import { receiverVariables } from './receivers.ts';
import { previousVariables, secretVariables } from './secrets.ts';
import { isConfidential } from './shapes.ts';
import { microsoftVariables, pageVariables, portalVariables } from './sign-in.ts';
import { accountVariables, businessVariables, kvVariables, ownerVariables, poolVariables } from './stores.ts';
import { supervisorVariables } from './supervisor.ts';
import { tracingVariables } from './telemetry.ts';
import { temporalVariables } from './temporal.ts';
import { workerAddressVariables, workerVariables, workflowCodeVariables } from './worker.ts';

const READ: Readonly<Record<string, Readonly<Record<string, z.ZodType>>>> = {
  api: apiVariables,
  worker: workerVariables,
  auth: authVariables,
  'card-processor': cardProcessorVariables,
  migration: migrationVariables,
};

/** Our processes, by the names under which `npm start` runs them. */
export const PROCESSES = ['api', 'worker', 'auth', 'card-processor', 'migration'] as const;
export type ProcessName = (typeof PROCESSES)[number];

const ALL: Readonly<Record<string, z.ZodType>> = {
  ...environmentVariables,
  ...apiAddressVariables,
  ...authAddressVariables,
  ...workerAddressVariables,
  ...proxyVariables,
  ...logVariables,
  ...ownerVariables,
  ...businessVariables,
  ...accountVariables,
  ...poolVariables,
  ...temporalVariables,
  ...workflowCodeVariables,
  ...tracingVariables,
  ...deadlineVariables,
  ...kvVariables,
  ...defaultOrgVariables,
  ...demoVariables,
  ...portalVariables,
  ...pageVariables,
  ...microsoftVariables,
  ...mailVariables,
  ...dataVariables,
  ...cardVariables,
  ...cardEventVariables,
  ...identityVariables,
  ...languageModelVariables,
  ...signingVariables,
  ...pushVariables,
  ...inboundVariables,
  ...receiverVariables,
  ...bucketVariables,
  ...chromiumVariables,
  ...secretVariables,
  ...previousVariables,
  ...supervisorVariables,
};

export interface VariableFacts {
  name: string;
  description: string;
  /** Null where there is none. */
  fallback: string | null;
  /** Whether it grants access: a secret, or the address of a database. */
  confidential: boolean;
  /** Which processes read it; none for what `npm start` alone reads. */
  readBy: readonly ProcessName[];
}

/** Every variable, in the order of `.env.example`. */
export const VARIABLES: readonly VariableFacts[] = Object.entries(ALL).map(([name, schema]) => ({
  name,
  description: schema.description ?? '',
  fallback: fallbackOf(schema),
  confidential: isConfidential(schema),
  readBy: PROCESSES.filter((process) => name in (READ[process] ?? {})),
}));

/** Picks what a process reads. */
export function variablesOf(process: ProcessName, variables: Variables): Record<string, string> {
  const own = Object.keys(READ[process] ?? {}).map((name) => [name, variables[name] ?? '']);
  return Object.fromEntries(own.filter(([, value]) => isSet(value)));
}

/** @throws ConfigError naming each secret and database address that the process holds and does not read */
export function refuseForeign(process: ProcessName, variables: Variables): void {
  const foreign = VARIABLES.filter(
    ({ name, confidential, readBy }) => confidential && isSet(variables[name]) && !readBy.includes(process),
  );
  if (foreign.length === 0) return;
  const lines = foreign.map(({ name, readBy }) => `${name} is for ${readBy.join(', ')}`);
  throw new ConfigError(
    [
      `The ${process} process must hold no secret or database address of others (.env.example says who reads what, npm start gives each its own):`,
      ...lines,
    ].join('\n  '),
  );
}

function fallbackOf(schema: z.ZodType): string | null {
  const result = schema.safeParse(undefined);
  return result.success && result.data !== undefined ? String(result.data) : null;
}
