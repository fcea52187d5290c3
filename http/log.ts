// The log of a process: one line of JSON per entry. A PostgreSQL error is logged without the values that the server
// quotes: they may be a person's name or address.
import pino, { type DestinationStream, type Logger } from 'pino';

/**
 * The error properties that are logged. Others may quote a row, a call or a provider response, and thus personal data.
 */
const WRITTEN = ['type', 'message', 'stack', 'code', 'constraint', 'table', 'column', 'status', 'syscall', 'address'];
/** SQLSTATE class 22: an unsuitable value, which the message quotes. */
const DATA_EXCEPTION = /^22/;
const QUOTED_VALUE = /: ".*"/g;

export interface LogOptions {
  level: string;
  /** Fields on every line. */
  base: Record<string, string>;
}

/** Starts the log. */
export function createLog({ level, base }: LogOptions, destination?: DestinationStream): Logger {
  const options = { level, base, serializers: { err: withoutValues } };
  return destination ? pino(options, destination) : pino(options);
}

/** Writes an error with message, causes and stack; a value that PostgreSQL quotes becomes `…`. */
function withoutValues(error: unknown): Record<string, unknown> {
  if (!isErrorLike(error)) return { type: typeof error };
  const known = Object.entries(pino.stdSerializers.err(error)).filter(([name]) => WRITTEN.includes(name));
  const fields = quotesValues(error) ? known.map(([name, value]) => [name, hidden(value)]) : known;
  const all = error instanceof AggregateError ? { errors: error.errors.map(withoutValues) } : {};
  return { ...Object.fromEntries(fields), ...all };
}

/** A workflow error comes from a separate context, with a different Error class. */
function isErrorLike(error: unknown): error is Error {
  return typeof error === 'object' && error !== null && typeof (error as Error).message === 'string';
}

function hidden(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll(QUOTED_VALUE, ': …') : value;
}

/** Checks causes too, since message and stack contain theirs. */
function quotesValues(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > 5) return false;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return (typeof code === 'string' && DATA_EXCEPTION.test(code)) || quotesValues(cause, depth + 1);
}
