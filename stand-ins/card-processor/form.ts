// Bodies and queries as sent on the wire: pairs whose names nest with brackets, `metadata[orgId]=org_1`.
import { badParameter } from './problem.ts';

export type Form = { [name: string]: string | Form };

/** Parses pairs into nested objects; `list[]=a` and `list[0]=a` become objects keyed by position. */
export function parseForm(text: string): Form {
  const form: Form = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const [first = '', ...inner] = name.split('[').map((part) => part.replace(/\]$/, ''));
    set(form, [first, ...inner], value);
  }
  return form;
}

function set(form: Form, [name = '', ...inner]: string[], value: string): void {
  const key = name === '' ? String(Object.keys(form).length) : name;
  if (inner.length === 0) {
    form[key] = value;
    return;
  }
  const existing = form[key];
  const nested: Form = typeof existing === 'object' ? existing : Object.create(null);
  form[key] = nested;
  set(nested, inner, value);
}

/** Refuses parameters that an operation does not have, as the processor does. Every operation has `expand`. */
export function allowOnly(form: Form, ...names: string[]): void {
  const unknown = Object.keys(form).find((name) => name !== 'expand' && !names.includes(name));
  if (unknown !== undefined) throw badParameter(unknown, `Received unknown parameter: ${unknown}`, 'parameter_unknown');
}

/** A text, or null if omitted. */
export function textOf(form: Form, name: string): string | null {
  const value = form[name] ?? null;
  if (typeof value === 'object' && value !== null) throw badParameter(name, `Invalid string: ${name}`);
  return value;
}

/** A whole number of at least one, or null if omitted. */
export function amountOf(form: Form, name: string): number | null {
  const text = textOf(form, name);
  if (text === null) return null;
  if (!/^\d{1,8}$/.test(text)) throw badParameter(name, `Invalid integer: ${text}`, 'parameter_invalid_integer');
  return Number(text);
}

/** A time in whole Unix seconds. */
export function secondsIn(form: Form, name: string): number {
  const text = textOf(form, name) ?? '';
  if (!/^\d{1,11}$/.test(text)) throw badParameter(name, `Invalid timestamp: ${text}`, 'parameter_invalid_integer');
  return Number(text);
}

/** Refuses a request that omits a required parameter. */
export function required<T>(value: T | null, name: string): T {
  if (value === null) throw badParameter(name, `Missing required param: ${name}.`, 'parameter_missing');
  return value;
}

/** Pairs of texts that the caller attaches to an object. */
export function metadataOf(form: Form): Record<string, string> {
  const value = form.metadata ?? {};
  if (typeof value === 'string') throw badParameter('metadata', 'Invalid hash');
  return Object.fromEntries(Object.keys(value).map((name) => [name, textOf(value, name) ?? '']));
}
