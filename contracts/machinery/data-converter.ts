/**
 * How values and failures become payloads, inside and outside workflows. Everything is to be encrypted, including
 * failure texts, except what operators read in lists and timelines (summaries, memos), which is marked and stays
 * readable without a key.
 */
import { DefaultFailureConverter, DefaultPayloadConverter, type Payload, RawValue } from '@temporalio/common';

/** Metadata of a payload that is not encrypted. */
export const READABLE = 'readable';

const MARK = new TextEncoder().encode('true');

/**
 * Marks values declared readable, and what the SDK itself reports about a workflow: handlers, current details, stack.
 */
class MarkingConverter extends DefaultPayloadConverter {
  override toPayload(value: unknown, ...rest: [never?, never?]): Payload {
    const payload = super.toPayload(value, ...rest);
    return value instanceof RawValue ? { ...payload, metadata: { ...payload.metadata, [READABLE]: MARK } } : payload;
  }
}

export const payloadConverter = new MarkingConverter();

/** Failure messages and stacks sometimes name people, so they travel as payloads and are encrypted like them. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });

/** Declares a value readable in storage: for summaries and memos, never for anything about a person. */
export function readable<T>(value: T): T {
  return new RawValue(value) as unknown as T;
}
