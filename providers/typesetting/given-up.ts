// Turns a failed typesetting thread into a refusal. Only for text that callers and organizations wrote, and only once
// it is known that the text, not a busy machine, took too long.
import { unreadableDocument } from '../../domain/document/content.ts';
import { type DomainError, validationError } from '../../domain/errors.ts';
import { templateNotFilled } from '../threads/busy-machine.ts';
import { ThreadFault } from '../threads/pool.ts';

const GIVEN_UP = {
  took_too_long: 'it does not finish',
  too_much_memory: 'it takes too much memory',
  damaged: 'it cannot be filled',
} as const;

/** What failed: a template, identified by the field that names it, or a form. */
export type GivenUp = { template: string } | 'form';

/**
 * Builds the refusal for a text whose thread was ended: of the text itself, or only for now if the machine was too
 * busy. Null for an error that says nothing about the text.
 */
export function refusalOfText(error: unknown, text: GivenUp): DomainError | null {
  if (!(error instanceof ThreadFault) || error.reason === 'failed') return null;
  const { reason } = error;
  if (reason === 'machine_busy') return templateNotFilled();
  if (text === 'form') return unreadableDocument(reason);
  return validationError(text.template, 'format', `The template cannot be used: ${GIVEN_UP[reason]}`);
}

/**
 * Typesets a text that the caller supplied.
 * @throws DomainError validation_failed, unreadable_document for the text, service_unavailable on a busy machine
 */
export async function refusingText<Result>(text: GivenUp, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw refusalOfText(error, text) ?? error;
  }
}
