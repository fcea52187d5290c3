// The cost of a body with more faults than anyone reads: no more than that of the faults reported.
import test from 'ava';
import { z } from 'zod';
import { TemplateInputSchema } from '../../api/routes/document/documents.schemas.ts';
import { newId } from '../../db/ids.ts';
import { check } from '../../http/validation.ts';

const REPORTED = 50;

test('only the unknown keys that are reported are looked at, however many there are', (t) => {
  let looked = 0;
  const key = {
    toString: () => {
      looked += 1;
      return 'k';
    },
  };
  const keys = Array<string>(10_000).fill(key as unknown as string);
  const schema = z.unknown().check(({ issues, value }) => {
    issues.push({ code: 'unrecognized_keys', keys, input: value as Record<string, unknown> });
  });
  const checked = check(schema, {});
  t.false(checked.ok);
  t.is(checked.ok ? 0 : checked.issues.length, REPORTED);
  t.is(looked, REPORTED);
});

test('the unknown keys that are reported are the first ones, each by its name', (t) => {
  const body = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`k${i}`, i]));
  const checked = check(z.strictObject({ inner: z.strictObject({}) }), { inner: body });
  const expected = Array.from({ length: REPORTED }, (_, i) => ({ field: `inner.k${i}`, rule: 'unknown_field' }));
  t.like(checked, { ok: false, issues: expected });
});

test('a message of a schema stands alone, and ours begin with the field, so that no name appears twice', (t) => {
  const schema = z
    .strictObject({ to: z.string().max(3), forCause: z.boolean().optional() })
    .refine(({ forCause }) => forCause !== true, { error: 'forCause belongs to an end.', path: ['forCause'] });
  const messagesOf = (value: object) => {
    const checked = check(schema, value);
    return checked.ok ? [] : checked.issues.map(({ message }) => message);
  };
  t.deepEqual(messagesOf({ to: 'a', forCause: true }), ['forCause belongs to an end.']);
  t.deepEqual(messagesOf({ to: 'long' }), ['to must have at most 3 characters.']);
});

test('messages are plain English, in the singular too', (t) => {
  const schema = z.strictObject({ name: z.string().min(1), losses: z.int(), lines: z.array(z.string()).min(1) });
  const messagesOf = (value: object) => {
    const checked = check(schema, value);
    return checked.ok ? [] : checked.issues.map(({ message }) => message);
  };
  t.deepEqual(messagesOf({ name: '', losses: 1.5, lines: [] }), [
    'name must have at least 1 character.',
    'losses must be a whole number.',
    'lines must have at least 1 entry.',
  ]);
  t.deepEqual(messagesOf({ name: null, losses: '1', lines: {} }), [
    'name must be a string, not null.',
    'losses must be a number.',
    'lines must be a list.',
  ]);
});

test('among alternative shapes, the one with the matching type gives the error', (t) => {
  const schema = z.union([z.string().max(3), z.array(z.string()).max(2)]);
  const ruleOf = (value: unknown) => {
    const checked = check(schema, value);
    return checked.ok ? null : [checked.issues[0]?.rule, checked.issues[0]?.message];
  };
  t.is(ruleOf(['a', 'b']), null);
  t.deepEqual(ruleOf(['a', 'b', 'c']), ['max', 'body must have at most 2 entries.']);
  t.deepEqual(ruleOf('long'), ['max', 'body must have at most 3 characters.']);
  t.deepEqual(ruleOf(7), ['type', 'body has the wrong type.']);
});

test('the entries of a list are not looked at where it has too many', (t) => {
  let looked = 0;
  const entry = z.string().refine(() => {
    looked += 1;
    return false;
  });
  const schema = z.strictObject({ list: z.array(entry).max(40).optional() });
  const checked = check(schema, { list: Array(80_000).fill('x') });
  t.like(checked, { ok: false, issues: [{ field: 'list', rule: 'max', maximum: 40 }] });
  t.is(looked, 0);
});

test('the fields of a form are not looked at where it has too many', (t) => {
  const fields = Object.fromEntries(Array.from({ length: 2_001 }, (_, i) => [`f${i}`, 7]));
  const checked = check(TemplateInputSchema, { documentId: newId('document'), fields });
  t.deepEqual(checked, {
    ok: false,
    issues: [{ field: 'fields', rule: 'format', message: 'A form must have 1 to 2000 fields.' }],
  });
});
