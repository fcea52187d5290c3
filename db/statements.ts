// Lets somebody see the statements that are run: their text with `?` in the place of every value, `$1` in that of a
// prepared one, and how long they took. The mapper hands the driver texts with the values written into them, which
// nobody must see.
import { DefaultLogger, type LoggerOptions } from '@mikro-orm/core';

export interface Statement {
  /** Without the values. */
  text: string;
  tookMs: number;
  isFailed: boolean;
}

export type StatementObserver = (statement: Statement) => void;

/** Values have `?` in their place; what is written in the text of a statement itself is hidden like them. */
const LITERAL = /'(?:[^']|'')*'/g;

/** Hides what a statement's text quotes. */
export function withoutLiterals(text: string): string {
  return text.replaceAll(LITERAL, '?');
}

/** A logger for the mapper that hands every statement to the observer, where it was run. */
export function observedLogger(observe: StatementObserver) {
  return (options: LoggerOptions) => {
    const logger = DefaultLogger.create(options);
    logger.logQuery = ({ query, took = 0, level }) =>
      observe({ text: withoutLiterals(query), tookMs: took, isFailed: level === 'error' });
    return logger;
  };
}
