/**
 * How values and failures become payloads, in workflows and outside of them alike. Everything is meant to be encrypted,
 * the texts of failures too; what an operator reads in lists and timelines (summaries, memos) is marked, and stays
 * readable without a key.
 */
import { DefaultFailureConverter, DefaultPayloadConverter, type Payload, RawValue } from '@temporalio/common';

/** Metadata of a payload that is not encrypted. */
export const READABLE = 'readable';

const MARK = new TextEncoder().encode('true');

/**
 * Marks what is declared readable, and what the SDK itself tells of a workflow: its handlers, its current details, its
 * stack.
 */
class MarkingConverter extends DefaultPayloadConverter {
  override toPayload(value: unknown, ...rest: [never?, never?]): Payload {
    const payload = super.toPayload(value, ...rest);
    return value instanceof RawValue ? { ...payload, metadata: { ...payload.metadata, [READABLE]: MARK } } : payload;
  }
}

export const payloadConverter = new MarkingConverter();

/** Messages and stacks of failures name people at times: they travel as payloads, and are encrypted like them. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });

/** Declares a value that is stored readable: for summaries and memos, and never for anything about a person. */
export function readable<T>(value: T): T {
  return new RawValue(value) as unknown as T;
}
