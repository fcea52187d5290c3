import test from 'ava';
import { DomainError } from '../../../domain/errors.ts';
import {
  ensureFlagValue,
  ensureRoomForFlag,
  FLAG_KEYS,
  flagOf,
  flagValue,
  shareOf,
} from '../../../domain/platform/flags.ts';

test('every flag has a default of its own type', (t) => {
  for (const key of FLAG_KEYS) t.notThrows(() => ensureFlagValue(key, flagOf(key).defaultValue), key);
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

test('a flag by policy takes a rollout of 0 to 100 percent, and one for the whole organization takes none', (t) => {
  const rollout = (percent: unknown, by: unknown = 'policy') => ({ rollout: { percent, by } });
  for (const percent of [0, 12.5, 100]) t.notThrows(() => ensureFlagValue('refund_approval', rollout(percent)));
  const others = [
    rollout(-1),
    rollout(101),
    rollout('5'),
    rollout(5, 'insured'),
    { rollout: {} },
    { ...rollout(5), x: 1 },
  ];
  for (const value of others) {
    const error = t.throws(() => ensureFlagValue('refund_approval', value), { instanceOf: DomainError });
    t.like(error, { code: 'validation_failed', details: { field: 'value', rule: 'type', expected: 'boolean' } });
  }
  t.throws(() => ensureFlagValue('auto_renewal', rollout(50)), { instanceOf: DomainError });
});

test('the place of a policy in a rollout never changes', (t) => {
  t.deepEqual(
    ['pol_1', 'pol_2', 'pol_3'].map((id) => Math.floor(shareOf('refund_approval', id))),
    [18, 13, 54],
  );
  t.not(shareOf('refund_approval', 'pol_1'), shareOf('renewal_requires_payment', 'pol_1'));
  const all = Array.from({ length: 10_000 }, (_, n) => shareOf('refund_approval', `pol_${n}`));
  for (const bound of [10, 50, 90]) {
    const percent = all.filter((share) => share < bound).length / 100;
    t.true(Math.abs(percent - bound) < 2, `${percent} of ${bound}`);
  }
});
