// Why a file was given up. It leaves the thread as the refusal that callers get.
import { type UnreadableReason, unreadableDocument } from '../../domain/document/content.ts';

export class Unreadable extends Error {
  readonly reason: UnreadableReason;

  constructor(reason: UnreadableReason) {
    super(reason);
    this.name = 'Unreadable';
    this.reason = reason;
  }
}

/** Runs work on a file. @throws DomainError unreadable_document in place of Unreadable */
export async function refusedAsUnreadable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Unreadable ? unreadableDocument(error.reason) : error;
  }
}

/** Waits for a parser. @throws Unreadable damaged in place of the parser's own errors */
export async function ofParser<Result>(parsing: Promise<Result>): Promise<Result> {
  try {
    return await parsing;
  } catch {
    throw new Unreadable('damaged');
  }
}
