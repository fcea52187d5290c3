// What a database error means to the caller: the server is down or overloaded, or a row already exists.

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

// SQLSTATE classes and codes: connection, resources, shutdown, time-outs, deadlock, a standby after a failover.
const SQL_STATES = /^(08...|53...|57P0.|57014|55P03|25P03|25006|40001|40P01)$/;

const CONNECTION_MESSAGES =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Cannot use a pool after calling end|The server does not support SSL)/;

/**
 * Returns whether an error means that the database cannot serve now and the same call may succeed later, which the API
 * answers with 503. Looks through wrapped errors.
 */
export function isUnavailable(error: unknown): boolean {
  return someCause(error, ({ code, message }) => {
    if (typeof code === 'string' && (NETWORK_CODES.has(code) || SQL_STATES.test(code))) return true;
    return typeof message === 'string' && CONNECTION_MESSAGES.test(message);
  });
}

// A deadlock that the server broke, or a lock that was not released in time.
const CONTENTION = new Set(['40001', '40P01', '55P03']);

/** Returns whether the server is up and a transaction had to yield to another one. */
export function isContention(error: unknown): boolean {
  return someCause(error, ({ code }) => typeof code === 'string' && CONTENTION.has(code));
}

/** Returns whether an error is a unique violation, of the named constraint or index if one is given. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return someCause(
    error,
    (fault) => fault.code === '23505' && (constraint === undefined || fault.constraint === constraint),
  );
}

/** Returns whether an error violates a named check. */
export function isCheckViolation(error: unknown, constraint: string): boolean {
  return someCause(error, (fault) => fault.code === '23514' && fault.constraint === constraint);
}

/** Returns whether an error is the violation of a named foreign key. */
export function isForeignKeyViolation(error: unknown, constraint: string): boolean {
  return someCause(error, (fault) => fault.code === '23503' && fault.constraint === constraint);
}

interface Fault {
  code?: unknown;
  message?: unknown;
  constraint?: unknown;
  cause?: unknown;
  errors?: unknown;
}

function someCause(error: unknown, matches: (fault: Fault) => boolean, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > 5) return false;
  const fault: Fault = error;
  if (matches(fault)) return true;
  const inner = Array.isArray(fault.errors) ? fault.errors : [];
  return [fault.cause, ...inner].some((cause) => someCause(cause, matches, depth + 1));
}
