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

/** State → its allowed actions and the states they lead to, by hand from domain facts 2.4. */
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

const amounts = (indemnityCents: number, expenseCents = 0) => ({ indemnityCents, expenseCents });

test('a claim closes after a decision or a payment, or without payment; a claim with paid indemnity does not close as unpaid', (t) => {
  const close = (from: ClaimStatus, outcome: string | null, paid = amounts(0)) =>
    closedClaimStatus(from, outcome, paid);
  const isRefused = (from: ClaimStatus, outcome: string | null, paid = amounts(0)) => {
    const error = t.throws(() => close(from, outcome, paid), { instanceOf: DomainError }) as DomainError;
    t.is(error.code, 'invalid_state_transition');
    // Another outcome would work, and is required, unless no outcome closes this state.
    const isClosable = from !== 'settlement_offered' && from !== 'closed';
    t.is((error.details.allowed as string[]).includes('close'), isClosable);
    t.is(error.details.field, isClosable ? 'outcome' : undefined);
  };
  for (const from of ['reported', 'investigating'] as const) {
    t.is(close(from, 'no_payment'), 'closed');
    for (const outcome of [null, 'paid']) {
      isRefused(from, outcome);
      t.is(close(from, outcome, amounts(1)), 'closed');
      t.is(close(from, outcome, amounts(0, 1)), 'closed');
    }
  }
  for (const from of ['settled', 'denied'] as const) {
    for (const outcome of [null, 'paid', 'no_payment']) t.is(close(from, outcome), 'closed');
  }
  for (const from of ['investigating', 'settled', 'denied'] as const) {
    for (const outcome of [null, 'paid']) t.is(close(from, outcome, amounts(1)), 'closed');
    isRefused(from, 'no_payment', amounts(1));
    t.is(close(from, 'no_payment', amounts(0, 1)), 'closed', 'only the expense of handling it was paid');
  }
  const unsaid = t.throws(() => close('reported', null), { instanceOf: DomainError }) as DomainError;
  t.like(unsaid.details, { field: 'outcome', rule: 'required' });
  isRefused('settlement_offered', 'no_payment');
  isRefused('settlement_offered', null, amounts(1));
  isRefused('closed', 'no_payment');
});
