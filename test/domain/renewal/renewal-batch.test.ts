import test from 'ava';
import { DomainError } from '../../../domain/errors.ts';
import {
  addCounts,
  countOutcomes,
  isFault,
  outcomeOfRefusal,
  renewedAs,
} from '../../../domain/renewal/renewal-batch.ts';

test('a policy that has a next term already is renewed with it', (t) => {
  const refusal = new DomainError('already_exists', 'There is one.', { renewalPolicyId: 'pol_next' });
  t.deepEqual(outcomeOfRefusal(refusal), renewedAs('pol_next'));
});

test('a renewal above the authority is referred, and is no failure', (t) => {
  const refusal = new DomainError('delegated_authority_exceeded', 'Too large.', { daFlags: [] });
  t.deepEqual(outcomeOfRefusal(refusal), { outcome: 'referred', renewalPolicyId: null, error: null });
});

test('any other refusal is a failure with its code and sentence, and nothing of its details', (t) => {
  for (const code of ['not_ready', 'invalid_state_transition', 'outside_policy_term', 'already_exists'] as const) {
    const error = { code, message: 'Not now.' };
    const refusal = new DomainError(code, 'Not now.', { blockers: ['NON_RENEWED'] });
    t.deepEqual(outcomeOfRefusal(refusal), { outcome: 'failed', renewalPolicyId: null, error });
  }
});

test('a fault of ours is no outcome of a policy', (t) => {
  t.true(isFault(new DomainError('internal_error', 'The step failed.')));
  t.false(isFault(new DomainError('not_ready', 'Not now.')));
});

test('outcomes are counted by kind and added up', (t) => {
  const counts = countOutcomes([{ outcome: 'renewed' }, { outcome: 'failed' }, { outcome: 'renewed' }]);
  t.deepEqual(counts, { renewed: 2, referred: 0, failed: 1 });
  t.deepEqual(addCounts(counts, { renewed: 1, referred: 4, failed: 0 }), { renewed: 3, referred: 4, failed: 1 });
});
