import test from 'ava';
import { firstDateOf } from '../../../domain/policy/first-date.ts';

const TERM = {
  status: 'pending',
  effectiveDate: '2026-03-01',
  expirationDate: '2027-03-01',
  delinquency: null,
} as const;

test('nothing happens to a new term before it begins, or once it has begun before it ends', (t) => {
  t.is(firstDateOf(TERM), '2026-03-01');
  t.is(firstDateOf({ ...TERM, status: 'active' }), '2027-03-01');
});

test('a bill that falls behind first comes first, and one that falls behind later does not', (t) => {
  t.is(firstDateOf({ ...TERM, delinquency: { on: '2026-02-20' } }), '2026-02-20');
  t.is(firstDateOf({ ...TERM, delinquency: { on: '2026-03-02' } }), '2026-03-01');
  t.is(firstDateOf({ ...TERM, status: 'active', delinquency: { on: '2026-03-02' } }), '2026-03-02');
});
