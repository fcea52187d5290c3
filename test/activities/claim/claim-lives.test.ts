// Claims on one term that live through drawn steps, each carried out by the activities on a real database: whatever
// comes after whatever, the row is what an independent model says, and no limit is passed.
import { ApplicationFailure } from '@temporalio/common';
import test, { type ExecutionContext } from 'ava';
import type { Claim } from '../../../db/entities/claim/claim.ts';
import { newId } from '../../../db/ids.ts';
import { keepNote, keepParticulars, keepPayee } from '../../../db/queries/claim/claim-words.ts';
import { claimEntries, findClaim } from '../../../db/queries/claim/claims.ts';
import { prepareSteps, type Steps } from '../steps.ts';
import { type ClaimModel, type Deed, newClaim, TermModel } from './claim-model.ts';

const CLAIMS = 50;
const DEEDS = 500;
const TERMS = { limit: 1_000_000_00, aggregate: 2_000_000_00, deductible: 1000_00 };

test('fifty claims on a term live through five hundred drawn steps and are what the model says; no limit is passed', async (t) => {
  const steps = await prepareSteps(t);
  const draw = drawing(7);
  const term = new TermModel(TERMS);
  const policyId = await bound(steps);
  const lives: { id: string; model: ClaimModel; done: number }[] = [];
  for (let n = 0; n < CLAIMS; n += 1) {
    const model = newClaim();
    term.claims.push(model);
    lives.push({ id: await filed(steps, policyId, n), model, done: 1 });
  }
  const outcomes = new Map<string, number>();
  for (let n = 0; n < DEEDS; n += 1) {
    const life = lives[draw(CLAIMS)] as (typeof lives)[0];
    const deed = drawn(draw, life.model);
    const expected = term.do(life.model, deed);
    const outcome = await carriedOut(steps, life.id, deed);
    t.is(outcome, expected, `${n}: ${JSON.stringify(deed)} on a claim that is ${life.model.status}`);
    if (outcome === null) life.done += deed.do === 'settle' && deed.isApproved ? 2 : 1;
    outcomes.set(`${deed.do} ${outcome ?? 'done'}`, (outcomes.get(`${deed.do} ${outcome ?? 'done'}`) ?? 0) + 1);
    await check(t, steps, life);
    t.true(term.paid <= TERMS.aggregate);
  }
  for (const met of ['settle done', 'settle limit_exhausted', 'settle reserve_too_low', 'approve done', 'reopen done'])
    t.true((outcomes.get(met) ?? 0) > 0, `${met} occurs`);
  for (const { id, done } of lives) {
    const entries = await steps.database.forOrg(steps.orgId, (em) => claimEntries(em, id));
    t.is(entries.length, done);
  }
});

async function check(
  t: ExecutionContext,
  { database, orgId }: Steps,
  { id, model }: { id: string; model: ClaimModel },
) {
  const claim = (await database.forOrg(orgId, (em) => findClaim(em, id))) as Claim;
  t.like(claim, {
    ...{ status: model.status, reserveIndemnityCents: model.indemnity, reserveExpenseCents: model.expense },
    ...{ paidIndemnityCents: model.paid, deductibleTakenCents: model.taken },
  });
}

async function bound({ activities, command, quoted, today }: Steps): Promise<string> {
  const submissionId = await quoted({ effectiveDate: today, deductibleCents: TERMS.deductible });
  const bind = { installmentPlan: 'PAY_IN_FULL', quoteId: null } as const;
  return (await activities.bindPolicy(command(submissionId, bind))).policyId;
}

async function filed({ activities, command, database, orgId, today }: Steps, policyId: string, n: number) {
  const claimId = newId('claim');
  const nothingElse = { reportedBy: null, lossLocation: null, claimantName: null, claimantEmail: null };
  await database.transaction(orgId, (em) =>
    keepParticulars(em, { claimId, description: 'A loss.', cause: `Cause ${n}`, ...nothingElse, claimantPhone: null }),
  );
  const notice = { policyId, lossDate: today, estimatedAmountCents: null, containsPhi: false };
  await activities.fileClaim(command(claimId, notice));
  return claimId;
}

/** Does a deed; answers the code of its refusal, or null. */
async function carriedOut(steps: Steps, claimId: string, deed: Deed): Promise<string | null> {
  try {
    await carryOut(steps, claimId, deed);
    return null;
  } catch (error) {
    if (error instanceof ApplicationFailure && error.nonRetryable) return error.type ?? '';
    throw error;
  }
}

async function carryOut(
  { activities, command, database, orgId }: Steps,
  claimId: string,
  deed: Deed,
): Promise<unknown> {
  const noteId = null;
  switch (deed.do) {
    case 'investigate':
      return activities.investigateClaim(command(claimId, { adjusterId: null, noteId }));
    case 'reserve': {
      const reserves = { indemnityCents: deed.indemnity, expenseCents: deed.expense };
      return activities.reserveClaim(command(claimId, { reserves, noteId }));
    }
    case 'settle': {
      const settlementId = newId('settlement');
      const payee = { id: settlementId, claimId, name: 'Ada Guest' };
      await database.transaction(orgId, (em) => keepPayee(em, payee));
      const { amount: amountCents, isApproved } = deed;
      return activities.settleClaim(command(claimId, { settlementId, amountCents, isApproved, noteId }));
    }
    case 'approve':
      return activities.approveSettlement(command(claimId, {}));
    case 'reject':
      return activities.rejectSettlement(command(claimId, { noteId }));
    case 'deny': {
      const id = newId('claimNote');
      await database.transaction(orgId, (em) => keepNote(em, { id, claimId, text: 'Excluded.' }));
      return activities.denyClaim(command(claimId, { noteId: id, policyProvision: null }));
    }
    case 'close':
      return activities.closeClaim(command(claimId, { outcome: deed.outcome, noteId }));
    case 'reopen':
      return activities.reopenClaim(command(claimId, { noteId }));
  }
}

/** Any deed, more often one that leads on. */
function drawn(draw: (below: number) => number, { status }: ClaimModel): Deed {
  const dollars = (most: number) => draw(most) * 100 + draw(100);
  const settle = (): Deed => ({ do: 'settle', amount: dollars(400_000) + 1, isApproved: draw(2) === 0 });
  const reserve = (): Deed => ({ do: 'reserve', indemnity: dollars(900_000), expense: dollars(20_000) });
  const close = (): Deed => ({ do: 'close', outcome: [null, 'no_payment', 'paid'][draw(3)] ?? null });
  const likely: Record<string, Deed[]> = {
    reported: [{ do: 'investigate' }, reserve()],
    investigating: [settle(), settle(), reserve()],
    settlement_offered: [{ do: 'approve' }, { do: 'approve' }, { do: 'reject' }, reserve()],
    settled: [close()],
    denied: [close()],
    closed: [{ do: 'reopen' }],
  };
  const any: Deed[] = [
    ...[settle(), reserve(), close(), { do: 'investigate' as const }, { do: 'approve' as const }],
    ...[{ do: 'reject' as const }, { do: 'deny' as const }, { do: 'reopen' as const }],
  ];
  const from = draw(4) === 0 ? any : (likely[status] ?? any);
  return from[draw(from.length)] as Deed;
}

function drawing(seed: number): (below: number) => number {
  let state = seed * 2_654_435_769;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_507) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * below);
  };
}
