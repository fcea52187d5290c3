// Reads a provider's event value by value: a missing value is null; one that no row can hold makes the event
// unusable.
import { DomainError } from '../../domain/errors.ts';
import { PAYMENT_MAX_CENTS, TEXT_MAX_CHARACTERS } from '../../domain/limits.ts';

/** Short and plain enough for a row key, a workflow id and a search attribute. */
const ID = /^[\w-]{1,255}$/;
/** The end of 2999: later values are not real times, and a test clock can add to it without a fifth digit. */
const LATEST_UNIX_SECOND = 32_503_679_999;

/** The refusal of an event whose field is missing or of the wrong kind. */
export function unusable(field: string): DomainError {
  return new DomainError('validation_failed', `The event's field ${field} is missing or unusable.`, {
    field,
    rule: 'format',
  });
}

/**
 * Reads verified bytes as an event.
 * @throws DomainError malformed_json for bytes that are not JSON, validation_failed for JSON that is not an object
 */
export function eventFrom(body: Buffer): EventFields {
  return new EventFields(jsonFrom(body), '');
}

/** Only text that encodes back to the same bytes is what was signed. */
function jsonFrom(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    throw new DomainError('malformed_json', 'The event is not JSON.');
  }
}

/**
 * An object in the event. A missing value is null. A value of the wrong type, or one that no row can hold, makes the
 * event unusable: if it only failed later, the processor would keep sending it.
 */
export class EventFields {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #path: string;

  constructor(value: unknown, path: string) {
    if (!isObject(value) && path === '') {
      throw new DomainError('validation_failed', 'The event is not a JSON object.', { field: 'body', rule: 'type' });
    }
    if (!isObject(value)) throw unusable(path);
    this.#values = value;
    this.#path = path;
  }

  text(key: string): string | null {
    return this.#read(key, isStorableText);
  }

  /** A processor's id. */
  id(key: string): string | null {
    return this.#read(key, isProcessorId);
  }

  /** An id; null if there is none, or something else. */
  idOrNull(key: string): string | null {
    const value = this.#values[key];
    return isProcessorId(value) ? value : null;
  }

  /** An amount between zero and ten million dollars. */
  cents(key: string): number | null {
    return this.#read(key, isUpTo(PAYMENT_MAX_CENTS));
  }

  unixSeconds(key: string): number | null {
    return this.#read(key, isUpTo(LATEST_UNIX_SECOND));
  }

  flag(key: string): boolean {
    return this.#values[key] === true;
  }

  /** An instant as text, such as `2026-11-21T02:19:59.000Z`; text that is not a time is unusable. */
  instant(key: string): Date | null {
    const text = this.text(key);
    if (text === null) return null;
    const date = new Date(text);
    if (!isUpTo(LATEST_UNIX_SECOND * 1_000)(date.getTime())) throw unusable(this.#pathOf(key));
    return date;
  }

  /** The texts of a list, or the single text given instead of a list. */
  texts(key: string): string[] {
    const value = this.#values[key] ?? [];
    const texts = Array.isArray(value) ? value : [value];
    if (!texts.every(isStorableText)) throw unusable(this.#pathOf(key));
    return texts;
  }

  /** The objects of a list; anything else is left out. */
  objects(key: string): EventFields[] {
    const value = this.#values[key];
    if (!Array.isArray(value)) return [];
    return value.filter(isObject).map((each) => new EventFields(each, this.#pathOf(key)));
  }

  /** An object; null if there is none, or something else. */
  objectOrNull(key: string): EventFields | null {
    const value = this.#values[key];
    return isObject(value) ? new EventFields(value, this.#pathOf(key)) : null;
  }

  /** A value of any kind. */
  raw(key: string): unknown {
    return this.#values[key];
  }

  inner(key: string): EventFields | null {
    const value = this.#values[key] ?? null;
    return value === null ? null : new EventFields(value, this.#pathOf(key));
  }

  /** The id of another object, which may be expanded. */
  reference(key: string): string | null {
    return typeof this.#values[key] === 'string' ? this.id(key) : (this.inner(key)?.id('id') ?? null);
  }

  #read<Value>(key: string, isUsable: (value: unknown) => value is Value): Value | null {
    const value = this.#values[key] ?? null;
    if (value === null) return null;
    if (!isUsable(value)) throw unusable(this.#pathOf(key));
    return value;
  }

  #pathOf(key: string): string {
    return this.#path === '' ? key : `${this.#path}.${key}`;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** PostgreSQL accepts neither a zero byte nor half a surrogate pair. */
function isStorableText(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > TEXT_MAX_CHARACTERS) return false;
  return value.isWellFormed() && !value.includes('\0');
}

function isProcessorId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value);
}

/** A whole number, zero or more. */
function isUpTo(most: number) {
  return (value: unknown): value is number =>
    Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= most;
}
