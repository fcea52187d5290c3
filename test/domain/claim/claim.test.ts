import test from 'ava';
import {
  CLAIM_STATUSES,
  type ClaimAction,
  type ClaimStatus,
  closedClaimStatus,
  isOpenClaim,
  nextClaimStatus,
} from '../../../domain/claim/claim.ts';
import { DomainError } from '../../../domain/errors.ts';

/** State → what it allows, and where that leads to, by hand from domain facts 2.4. */
const MOVES: Record<ClaimStatus, Partial<Record<ClaimAction, ClaimStatus>>> = {
  reported: {
    ...{ investigate: 'investigating', assign: 'reported', reserve: 'reported', deny: 'denied', close: 'closed' },
  },
  investigating: {
    ...{ assign: 'investigating', reserve: 'investigating', settle: 'settlement_offered' },
    ...{ pay: 'investigating', void: 'investigating', recover: 'investigating', deny: 'denied', close: 'closed' },
  },
  settlement_offered: {
    ...{ assign: 'settlement_offered', reserve: 'settlement_offered', approve: 'settled', reject: 'investigating' },
    ...{ pay: 'settlement_offered', void: 'settlement_offered', recover: 'settlement_offered', deny: 'denied' },
  },
  settled: { assign: 'settled', pay: 'settled', void: 'settled', recover: 'settled', close: 'closed' },
  denied: { assign: 'denied', void: 'denied', recover: 'denied', close: 'closed' },
  closed: { recover: 'closed', reopen: 'investigating' },
};
const ACTIONS: ClaimAction[] = [
  ...(['investigate', 'assign', 'reserve', 'settle', 'approve', 'reject', 'pay', 'void', 'recover'] as const),
  ...(['deny', 'close', 'reopen'] as const),
];

test('every state allows its own moves and refuses all others, naming what it allows', (t) => {
  for (const from of CLAIM_STATUSES) {
    for (const action of ACTIONS) {
      const to = MOVES[from][action];
      if (to !== undefined) {
        t.is(nextClaimStatus(from, action), to);
        continue;
      }
      const error = t.throws(() => nextClaimStatus(from, action), { instanceOf: DomainError }) as DomainError;
      t.is(error.code, 'invalid_state_transition');
      t.deepEqual(error.details, { resource: 'claim', from, action, allowed: Object.keys(MOVES[from]) });
    }
    t.is(isOpenClaim(from), from !== 'closed');
  }
});

test('a claim closes after a decision with any outcome, and before one only without payment', (t) => {
  for (const from of ['reported', 'investigating'] as const) {
    t.is(closedClaimStatus(from, 'no_payment'), 'closed');
    for (const outcome of [null, 'paid']) {
      const error = t.throws(() => closedClaimStatus(from, outcome), { instanceOf: DomainError }) as DomainError;
      t.false((error.details.allowed as string[]).includes('close'));
    }
  }
  for (const from of ['settled', 'denied'] as const) {
    for (const outcome of [null, 'paid', 'no_payment']) t.is(closedClaimStatus(from, outcome), 'closed');
  }
  t.throws(() => closedClaimStatus('settlement_offered', 'no_payment'), { instanceOf: DomainError });
  t.throws(() => closedClaimStatus('closed', 'no_payment'), { instanceOf: DomainError });
});
