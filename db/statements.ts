// Reports the statements that run: their text with `?` (`$1` if prepared) in place of every value, and how long they
// took. The mapper gives the driver text that contains the values, which no one may see.
import { DefaultLogger, type LoggerOptions } from '@mikro-orm/core';

export interface Statement {
  /** Without the values. */
  text: string;
  tookMs: number;
  isFailed: boolean;
  /** Whether the server has planned it before, or keeps the plan from now on. */
  isPrepared: boolean;
}

export type StatementObserver = (statement: Statement) => void;

/** Values are replaced with `?`; literals in the text of a statement are hidden too. */
const LITERAL = /'(?:[^']|'')*'/g;

/** Hides the literals in a statement's text. */
export function withoutLiterals(text: string): string {
  return text.replaceAll(LITERAL, '?');
}

/** A mapper logger that passes every statement to the observer, in the context that ran it. */
export function observedLogger(observe: StatementObserver) {
  return (options: LoggerOptions) => {
    const logger = DefaultLogger.create(options);
    logger.logQuery = ({ query, took = 0, level }) =>
      observe({ text: withoutLiterals(query), tookMs: took, isFailed: level === 'error', isPrepared: false });
    return logger;
  };
}
