// The log of a process: one line of JSON each. An error of PostgreSQL is logged without the values that the server
// quotes: they may be a person's name or address.
import pino, { type DestinationStream, type Logger } from 'pino';

/** Fields of an error in which PostgreSQL quotes rows and statements. */
const QUOTING = ['detail', 'where', 'internalQuery'];
/** Class 22 of SQLSTATE: a value that does not fit, which the message quotes. */
const DATA_EXCEPTION = /^22/;
const QUOTED_VALUE = /: ".*"/g;

export interface LogOptions {
  level: string;
  /** What every line names. */
  base: Record<string, string>;
}

/** Starts the log. */
export function createLog({ level, base }: LogOptions, destination?: DestinationStream): Logger {
  const options = { level, base, serializers: { err: withoutValues } };
  return destination ? pino(options, destination) : pino(options);
}

/** Writes an error with message, causes and stack; a value that PostgreSQL quotes becomes `…`. */
function withoutValues(error: Error): Record<string, unknown> {
  const { raw: _raw, ...written } = pino.stdSerializers.err(error);
  const fields = Object.entries(written).filter(([name]) => !QUOTING.includes(name));
  if (!quotesValues(error)) return Object.fromEntries(fields);
  return Object.fromEntries(fields.map(([name, value]) => [name, hidden(value)]));
}

function hidden(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll(QUOTED_VALUE, ': …') : value;
}

/** Looks through causes too, since message and stack contain theirs. */
function quotesValues(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > 5) return false;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return (typeof code === 'string' && DATA_EXCEPTION.test(code)) || quotesValues(cause, depth + 1);
}
