import test from 'ava';
import { DomainError } from '../../../domain/errors.ts';
import { ensureFlagValue, ensureRoomForFlag, FLAG_KEYS, FLAGS, flagValue } from '../../../domain/platform/flags.ts';

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

test('the value of a flag has at most 4,096 characters of JSON', (t) => {
  // The quotes around a text count.
  t.notThrows(() => ensureFlagValue('theme', 'x'.repeat(4_094)));
  const error = t.throws(() => ensureFlagValue('theme', 'x'.repeat(4_095)), { instanceOf: DomainError });
  t.like(error, { code: 'validation_failed', details: { field: 'value', rule: 'max', max: 4_096 } });
});

test('an organization has at most 200 flags of its own; those of the platform do not count', (t) => {
  const own = Array.from({ length: 199 }, (_, index) => `flag_${index}`);
  t.notThrows(() => ensureRoomForFlag([...own, 'auto_renewal', 'refund_approval']));
  const error = t.throws(() => ensureRoomForFlag([...own, 'one_more']), { instanceOf: DomainError });
  t.like(error, { code: 'validation_failed', details: { field: 'key', rule: 'max', max: 200 } });
});
