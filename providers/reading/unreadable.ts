// Why a file is given up. It leaves its thread as the refusal that callers are answered with.
import { type UnreadableReason, unreadableDocument } from '../../domain/document/content.ts';

export class Unreadable extends Error {
  readonly reason: UnreadableReason;

  constructor(reason: UnreadableReason) {
    super(reason);
    this.name = 'Unreadable';
    this.reason = reason;
  }
}

/** Does something with a file. @throws DomainError unreadable_document in the place of Unreadable */
export async function refusedAsUnreadable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Unreadable ? unreadableDocument(error.reason) : error;
  }
}

/** Waits for a parser, which fails in ways of its own at what is broken. @throws Unreadable damaged in their place */
export async function ofParser<Result>(parsing: Promise<Result>): Promise<Result> {
  try {
    return await parsing;
  } catch {
    throw new Unreadable('damaged');
  }
}
