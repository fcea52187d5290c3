import test from 'ava';
import { DomainError } from '../../../domain/errors.ts';
import { ensureFlagValue, FLAG_KEYS, FLAGS, flagValue } from '../../../domain/platform/flags.ts';

test('every flag has a default of its own type', (t) => {
  for (const key of FLAG_KEYS) t.notThrows(() => ensureFlagValue(key, FLAGS[key].defaultValue), key);
});

test('automatic renewal is off until an organization turns it on', (t) => {
  t.false(flagValue('auto_renewal', undefined));
  t.true(flagValue('auto_renewal', true));
  t.false(flagValue('auto_renewal', false));
});

test('a value of another type is refused with the rule type', (t) => {
  for (const value of ['true', 1, null, [true]]) {
    const error = t.throws(() => ensureFlagValue('auto_renewal', value), { instanceOf: DomainError });
    t.like(error, { code: 'validation_failed', details: { field: 'value', rule: 'type' } });
  }
});
