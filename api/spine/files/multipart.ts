// A form with one file, part by part as it arrives. Contract 3.3 "Attachments".
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { DomainError, type ValidationRule, validationError } from '../../../domain/errors.ts';
import { DRAIN_MAX_BYTES } from '../../../http/body.ts';
import { type ReceivedFile, received } from './received-file.ts';

/** The part that holds the file. */
export const FILE_PART = 'file';

/** The file and its fields. */
const MAX_PARTS = 20;
const MAX_FIELD_BYTES = 16_384;

export interface Form {
  /** The other parts, plus the file name and declared type. */
  fields: Record<string, string>;
  file: ReceivedFile | null;
}

/**
 * Reads a form.
 * @throws DomainError payload_too_large, malformed_json for a form that is broken or ends early, validation_failed
 */
export async function readForm(request: IncomingMessage, maxBytes: number, folder: string): Promise<Form> {
  const form = formReader(request, maxBytes);
  const parts = collected(form, maxBytes, folder);
  const isWhole = await fed(form, request, parts).then(
    () => true,
    () => false,
  );
  if (!isWhole) parts.stop();
  const [settled] = await Promise.allSettled(parts.files);
  const file = settled?.status === 'fulfilled' ? settled.value : null;
  const refusal = parts.fault();
  if (refusal === null) return { fields: parts.fields, file };
  await file?.discard();
  throw refusal;
}

/** The parts of a form as they arrive. */
interface Parts {
  fields: Record<string, string>;
  files: Promise<ReceivedFile>[];
  /** What is wrong with them; null if nothing so far. */
  fault: () => unknown;
  /** Aborts when the file cannot be written. */
  failed: AbortSignal;
  /** Discards a file that will not be complete. */
  stop: () => void;
}

function collected(form: BusboyInstance, maxBytes: number, folder: string): Parts {
  const [fields, files, streams]: [Form['fields'], Parts['files'], BusboyFileStream[]] = [{}, [], []];
  const failing = new AbortController();
  let fault: unknown = null;
  const refuse = (field: string, rule: ValidationRule, message: string) => {
    fault ??= validationError(field, rule, message);
  };
  form.on('field', (name, value, _isNameCut, isCut) => {
    if (isCut) refuse(name, 'max', `${name} is too long.`);
    if (Object.hasOwn(fields, name)) refuse(name, 'unknown_field', `${name} was sent more than once.`);
    Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
  });
  form.on('file', (name, stream, fileName, _encoding, contentType) => {
    if (name !== FILE_PART || files.length > 0) {
      refuse(name, 'unknown_field', `The file must be one part named ${FILE_PART}.`);
      stream.resume();
      return;
    }
    stream.once('limit', () => {
      fault = tooLarge(maxBytes);
    });
    Object.assign(fields, { fileName, contentType });
    streams.push(stream);
    // A form that ends early raises an error here too, perhaps before anyone reads the file.
    stream.on('error', () => {});
    const file = received(stream, folder);
    file.catch((error: unknown) => {
      fault ??= error;
      failing.abort();
    });
    files.push(file);
  });
  form.on('partsLimit', () => refuse('body', 'max', `The form has more than ${MAX_PARTS} parts.`));
  const stop = () => {
    fault ??= new DomainError('malformed_json', 'The form is broken or ended early.');
    for (const stream of streams) stream.destroy(new Error('The form is not complete'));
  };
  return { fields, files, fault: () => fault, failed: failing.signal, stop };
}

/**
 * Feeds a form what arrives, no faster than it takes it. A broken or rejected form is still received to its end but no
 * longer parsed: half a million parts would block the process for seconds.
 */
async function fed(form: BusboyInstance, request: IncomingMessage, parts: Parts): Promise<void> {
  const { failed } = parts;
  let fault: unknown = null;
  form.on('error', (error) => {
    fault ??= error;
  });
  const done = once(form, 'finish', { signal: failed });
  done.catch(() => {});
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > DRAIN_MAX_BYTES) break;
    fault ??= parts.fault();
    if (fault !== null || failed.aborted || form.write(chunk)) continue;
    await once(form, 'drain', { signal: failed }).catch((error: unknown) => {
      fault ??= error;
    });
  }
  if (fault !== null) throw fault;
  form.end();
  await done;
}

/** The error for a file that is too large. */
export function tooLarge(maxBytes: number): DomainError {
  return new DomainError('payload_too_large', `The file has more than ${maxBytes} bytes.`, { maxBytes });
}

/** @throws DomainError malformed_json for a content type without a boundary */
function formReader({ headers }: IncomingMessage, maxBytes: number) {
  const limits = { fileSize: maxBytes, fieldSize: MAX_FIELD_BYTES, parts: MAX_PARTS };
  try {
    return new Busboy({ headers: headers as BusboyHeaders, limits });
  } catch {
    throw new DomainError('malformed_json', 'The Content-Type header has no boundary.');
  }
}
