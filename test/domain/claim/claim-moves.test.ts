// Which moves of a claim would succeed: checked against the arithmetic of each, written out a second time.
import test from 'ava';
import { CLAIM_STATUSES, type ClaimAction, type ClaimStatus } from '../../../domain/claim/claim.ts';
import { type ClaimStanding, claimMoves } from '../../../domain/claim/claim-moves.ts';
import { fc } from '../../support/fixed/chance.ts';

const LIMIT = 20;
const AGGREGATE = 30;
const DEDUCTIBLE = 3;
const BEFORE_DECISION: readonly ClaimStatus[] = ['reported', 'investigating', 'settlement_offered'];
const PAYABLE: readonly ClaimStatus[] = ['investigating', 'settlement_offered', 'settled'];
const WITH_MONEY: readonly ClaimStatus[] = [...PAYABLE, 'denied', 'closed'];

interface Drawn {
  status: ClaimStatus;
  payments: { kind: 'indemnity' | 'expense'; status: 'pending' | 'paid' | 'void'; amountCents: number }[];
  outstanding: { indemnity: number; expense: number };
  paidToOthers: number;
  recovered: number;
  taken: number;
  offer: number | null;
  isHeld: boolean;
  isInForce: boolean;
}

const cents = (max: number) => fc.integer({ min: 0, max });

const drawn: fc.Arbitrary<Drawn> = fc.record({
  status: fc.constantFrom(...CLAIM_STATUSES),
  payments: fc.array(
    fc.record({
      kind: fc.constantFrom('indemnity' as const, 'expense' as const),
      status: fc.constantFrom('pending' as const, 'paid' as const, 'void' as const),
      amountCents: fc.integer({ min: 1, max: 8 }),
    }),
    { maxLength: 3 },
  ),
  outstanding: fc.record({ indemnity: cents(8), expense: cents(2) }),
  paidToOthers: cents(AGGREGATE),
  recovered: cents(8),
  taken: cents(DEDUCTIBLE),
  offer: fc.option(fc.integer({ min: 1, max: 8 })),
  isHeld: fc.boolean(),
  isInForce: fc.boolean(),
});

const sum = (payments: Drawn['payments']) => payments.reduce((total, { amountCents }) => total + amountCents, 0);
const paidOf = ({ payments }: Drawn, kind: string) =>
  sum(payments.filter((payment) => payment.kind === kind && payment.status !== 'void'));

function standingOf(claim: Drawn): ClaimStanding {
  const { status, payments, outstanding, recovered, taken, offer, isHeld, isInForce, paidToOthers } = claim;
  const [indemnityCents, expenseCents] = [paidOf(claim, 'indemnity'), paidOf(claim, 'expense')];
  const reserves = {
    indemnityCents: indemnityCents + outstanding.indemnity,
    expenseCents: expenseCents + outstanding.expense,
  };
  return {
    ...{ status, payments },
    settlement: offer === null ? null : { amountCents: offer, blockers: isHeld ? ['SANCTIONS_REVIEW'] : [] },
    bounds: {
      figures: { reserves, paid: { indemnityCents, expenseCents }, recoveredCents: recovered },
      coverage: {
        status: isInForce ? 'active' : 'cancelled',
        ...{ limitCents: LIMIT, aggregateLimitCents: AGGREGATE, deductibleCents: DEDUCTIBLE },
      },
      ...{ paidOfTermCents: indemnityCents + paidToOthers, deductibleTakenCents: taken },
    },
  };
}

/** What would succeed, by hand from the contract: the most that can be settled and paid, and what can be recovered. */
function expectedOf(claim: Drawn): ClaimAction[] {
  const { status, payments, outstanding, recovered, taken, offer, isHeld, isInForce, paidToOthers } = claim;
  const paid = paidOf(claim, 'indemnity');
  const limits = isInForce ? Math.min(LIMIT - paid, AGGREGATE - paid - paidToOthers) : 0;
  const settleable = Math.min(outstanding.indemnity, limits);
  const payable = Math.min(outstanding.indemnity - (DEDUCTIBLE - taken), limits);
  const back = sum(payments.filter((payment) => payment.status === 'paid')) - recovered;
  const isVoidable = payments.some(
    (payment) =>
      payment.status === 'pending' || (payment.status === 'paid' && status !== 'closed' && payment.amountCents <= back),
  );
  const succeeds: Record<ClaimAction, boolean> = {
    investigate: status === 'reported',
    assign: status !== 'closed',
    reserve: BEFORE_DECISION.includes(status),
    settle: status === 'investigating' && settleable > 0,
    approve: status === 'settlement_offered' && offer !== null && !isHeld && offer <= settleable,
    reject: status === 'settlement_offered',
    pay: PAYABLE.includes(status) && (outstanding.expense > 0 || payable > 0),
    void: WITH_MONEY.includes(status) && isVoidable,
    recover: WITH_MONEY.includes(status) && back > 0,
    deny: BEFORE_DECISION.includes(status),
    close: status !== 'settlement_offered' && status !== 'closed',
    reopen: status === 'closed',
  };
  return (Object.keys(succeeds) as ClaimAction[]).filter((action) => succeeds[action]);
}

test('the moves of a claim are those that would succeed with the reserves, limits, offers and payments that it has', (t) => {
  fc.assert(
    fc.property(drawn, (claim) => {
      t.deepEqual(new Set(claimMoves(standingOf(claim))), new Set(expectedOf(claim)));
    }),
    { numRuns: 2000 },
  );
});
