// The only way to the database: in the scope of one organization or, with a stated reason, of all. Two barriers
// separate organizations: a default filter that throws without an organization, and row-level security under a role
// that owns nothing and reads the organization from a connection setting. The pool sets it when it hands out a
// connection, so the server must be reached directly or through session pooling.
import { AsyncLocalStorage } from 'node:async_hooks';
import { type EntityManager, type EntityMetadata, MikroORM } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { ID_PREFIXES, isId } from '../domain/ids.ts';
import { ENTITIES, TENANT_ENTITIES } from './entities/index.ts';
import { Organization } from './entities/platform/organization.ts';
import { writeLastRows } from './new-rows.ts';
import { guardPool } from './pool.ts';
import { noteConnection, prepareOn, transactional } from './prepared.ts';
import { PreparedDriver } from './prepared-driver.ts';
import { ANY_SCOPE, PLATFORM_SCOPE, TENANT_FILTER } from './scope.ts';
import { observedLogger, type StatementObserver } from './statements.ts';

export interface DatabaseLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

interface PoolOptions {
  /** Maximum connections per role. */
  poolSize: number;
  logger: DatabaseLogger;
  timeouts?: Partial<DatabaseTimeouts>;
  /** Sees every statement; default: none. */
  observeStatement?: StatementObserver | undefined;
}

export interface DatabaseOptions extends PoolOptions {
  /** Connection as `bindery_app`, which is subject to row-level security. */
  appUrl: string;
  /** Connection as `bindery_ops`, which sees every organization. */
  opsUrl: string;
}

/** Limits in milliseconds if no caller waits, or one waits longer than this: nothing waits forever. */
export interface DatabaseTimeouts {
  acquireTimeoutMs: number;
  statementTimeoutMs: number;
  lockTimeoutMs: number;
  idleInTransactionTimeoutMs: number;
  /** After this, a silent connection in use is dropped; longer than the server's own limits. */
  silenceTimeoutMs: number;
}

const TIMEOUTS: DatabaseTimeouts = {
  acquireTimeoutMs: 8_000,
  statementTimeoutMs: 15_000,
  lockTimeoutMs: 10_000,
  idleInTransactionTimeoutMs: 30_000,
  silenceTimeoutMs: 35_000,
};

/** The operations of a role subject to row-level security. */
export interface ScopedDatabase {
  /**
   * Runs work that sees one organization (an `org_…` id, PLATFORM_SCOPE or ANY_SCOPE). Each statement commits by
   * itself.
   */
  forOrg<T>(orgId: string, work: (em: EntityManager) => Promise<T>): Promise<T>;
  /** Like forOrg, in one transaction that commits when the work finishes and rolls back if it throws. */
  transaction<T>(orgId: string, work: (em: EntityManager) => Promise<T>): Promise<T>;
  /** Pings the server. @throws an error for which isUnavailable is true when it is down */
  ping(): Promise<void>;
  /** Closes the pools after running statements finish. */
  close(): Promise<void>;
}

export interface Database extends ScopedDatabase {
  /** Runs work that sees every organization, under a separate role and pool. The reason is logged. */
  acrossOrgs<T>(reason: string, work: (em: EntityManager) => Promise<T>): Promise<T>;
  /** Like acrossOrgs, in one transaction. */
  acrossOrgsTransaction<T>(reason: string, work: (em: EntityManager) => Promise<T>): Promise<T>;
}

/**
 * Prepares both pools without connecting: the first statement does, and a server that was down is used again as soon as
 * it is back.
 */
export async function connectDatabase(options: DatabaseOptions): Promise<Database> {
  const { logger } = options;
  const app = await connectScoped({ ...options, url: options.appUrl, name: 'app' });
  const ops = await createOrm(options, { contextName: 'ops', clientUrl: options.opsUrl });
  const acrossOrgs: Database['acrossOrgs'] = async (reason, work) => {
    logger.info({ reason }, 'reading across organizations');
    return work(ops.em.fork({ disableContextResolution: true }));
  };
  return {
    ...app,
    acrossOrgs,
    acrossOrgsTransaction: (reason, work) => acrossOrgs(reason, (em) => inTransaction(em, work)),
    close: async () => {
      await Promise.all([app.close(), ops.close(true)]);
    },
  };
}

export interface ScopedOptions extends PoolOptions {
  url: string;
  /** The name under which the server lists the connections. */
  name: string;
  /** The schema of tables named without one; `public` by default. */
  schema?: string;
}

/** Prepares the pool of one role without connecting, like connectDatabase. */
export async function connectScoped(options: ScopedOptions): Promise<ScopedDatabase> {
  const scope = new AsyncLocalStorage<string>();
  const orm = await createOrm(options, {
    contextName: options.name,
    clientUrl: options.url,
    schema: options.schema,
    organization: () => connectionScope(scope.getStore()),
    filters: tenantFilters(),
  });
  const forOrg: ScopedDatabase['forOrg'] = async (orgId, work) => {
    if (orgId !== PLATFORM_SCOPE && orgId !== ANY_SCOPE && !isId(orgId, ID_PREFIXES.organization)) {
      throw new TypeError('The scope of a query is not an organization id');
    }
    const em = orm.em.fork({ disableContextResolution: true });
    em.setFilterParams(TENANT_FILTER, { orgId });
    return scope.run(orgId, () => work(em));
  };
  return {
    forOrg,
    transaction: (orgId, work) => forOrg(orgId, (em) => inTransaction(em, work)),
    ping: async () => {
      await orm.em.getConnection().execute('select 1');
    },
    close: async () => {
      await orm.close(true);
    },
  };
}

/** The organization a connection must carry in a scope: null for any, '' outside every scope. */
function connectionScope(scope: string | undefined): string | null {
  return scope === ANY_SCOPE ? null : (scope ?? '');
}

/** One transaction: what `work` changed and the rows it added are written before the commit. */
function inTransaction<T>(em: EntityManager, work: (em: EntityManager) => Promise<T>): Promise<T> {
  return transactional(em, async (inner) => {
    const result = await work(inner);
    await writeLastRows(inner);
    return result;
  });
}

interface OrmOptions {
  contextName: string;
  clientUrl: string;
  schema?: string | undefined;
  organization?: () => string | null;
  filters?: ReturnType<typeof tenantFilters>;
}

async function createOrm(options: PoolOptions, orm: OrmOptions): Promise<MikroORM> {
  const { poolSize, logger, timeouts, observeStatement } = options;
  const limits = { ...TIMEOUTS, ...timeouts };
  const made = await MikroORM.init({
    driver: PreparedDriver,
    // In a batch the mapper would read the versions first, and name each row once for each column.
    useBatchUpdates: false,
    entities: [...ENTITIES],
    clientUrl: orm.clientUrl,
    contextName: orm.contextName,
    filters: orm.filters ?? {},
    pool: { min: 0, max: poolSize },
    logger: (message) => logger.warn({ role: orm.contextName }, message),
    ...(observeStatement ? { loggerFactory: observedLogger(observeStatement) } : {}),
    colors: false,
    forceUtcTimezone: true,
    discovery: { onMetadata: giveNullsToNewRows },
    driverOptions: {
      // The driver reads it too: the mapper takes neither TLS nor a socket from a URL.
      connectionString: orm.clientUrl,
      onPoolCreated: (pool: Pool) =>
        guardPool(pool, { organization: orm.organization, note: noteConnection, ...limits }),
      application_name: `bindery-${orm.contextName}`,
      options: startupOptions(orm.schema),
      keepAlive: true,
      // Statements that do not wait for each other are sent together.
      pipeline: true,
      connectionTimeoutMillis: limits.acquireTimeoutMs,
      statement_timeout: limits.statementTimeoutMs,
      lock_timeout: limits.lockTimeoutMs,
      idle_in_transaction_session_timeout: limits.idleInTransactionTimeoutMs,
    },
  });
  prepareOn(made.em, { pool: () => made.em.getConnection().getNativeClient(), observe: observeStatement });
  return made;
}

/** Otherwise the server would keep working on the statement of an abandoned connection. */
const GONE_CALLERS = '-c client_connection_check_interval=1s';

function startupOptions(schema: string | undefined): string {
  return schema === undefined ? GONE_CALLERS : `${GONE_CALLERS} -c search_path=${schema}`;
}

/** Sets every nullable column that was not given to null in a new row, as its type says and as the database will. */
function giveNullsToNewRows(meta: EntityMetadata): void {
  for (const property of Object.values(meta.properties)) {
    if (property.nullable) property.onCreate ??= () => null;
  }
}

function tenantFilters() {
  return {
    [TENANT_FILTER]: {
      name: TENANT_FILTER,
      cond: ({ orgId }: { orgId: string }, _kind: unknown, _em: unknown, _options: unknown, entityName?: string) =>
        entityName === Organization.name ? { id: orgId } : { orgId },
      default: true,
      entity: [Organization, ...TENANT_ENTITIES],
    },
  };
}
