// Claims on one term that go through random steps, each carried out by the activities on a real database: in any
// order, the row matches an independent model, and no limit is exceeded.
import test, { type ExecutionContext } from 'ava';
import type { Claim } from '../../../db/entities/claim/claim.ts';
import { newId } from '../../../db/ids.ts';
import { claimEntries, findClaim } from '../../../db/queries/claim/claims.ts';
import { lockLossFund, paymentsOfClaim } from '../../../db/queries/claim/loss-funds.ts';
import { holdsOf } from '../../../db/queries/claim/payee-holds.ts';
import { dice } from '../../chaos/dice.ts';
import { drawDeed } from '../../claims/claim-deeds.ts';
import { type ClaimModel, type Deed, newClaim, TermModel } from '../../claims/claim-model.ts';
import { prepareSteps, type Steps } from '../steps.ts';
import { bound, filed, noted, paidTo, refusalOf } from './claim-calls.ts';

const CLAIMS = 50;
const DEEDS = 600;
/** Without these outcomes the lives would prove little. */
const MET = [
  ...['settle done', 'settle limit_exhausted', 'settle reserve_too_low', 'approve done', 'reopen done', 'pay done'],
  ...[
    'approve not_ready',
    'clear done',
    'pay reserve_too_low',
    'void done',
    'void amount_exceeds_balance',
    'recover done',
    'close done',
  ],
];
/** On the seed data's sanctions list. */
const LISTED = 'Sanctioned Test Company';
const TERMS = { limit: 1_000_000_00, aggregate: 2_000_000_00, deductible: 1000_00 };

test('fifty claims on one term match the model through six hundred random actions, and no limit is exceeded', async (t) => {
  const steps = await prepareSteps(t);
  const chance = dice(7);
  const term = new TermModel(TERMS);
  const policyId = await bound(steps, TERMS.deductible);
  await steps.database.transaction(steps.orgId, async (em) => {
    (await lockLossFund(em, 'Default Carrier')).balanceCents = TERMS.aggregate * CLAIMS;
  });
  const lives: { id: string; model: ClaimModel }[] = [];
  for (let n = 0; n < CLAIMS; n += 1) {
    const model = newClaim();
    term.claims.push(model);
    lives.push({ id: await filed(steps, policyId, `Cause ${n}`), model });
  }
  const outcomes = new Map<string, number>();
  for (let n = 0; n < DEEDS; n += 1) {
    const life = chance.pick(lives);
    const deed = drawDeed(chance, life.model);
    const { status } = life.model;
    const expected = term.do(life.model, deed);
    const outcome = await refusalOf(() => carryOut(steps, life.id, deed));
    t.is(outcome, expected, `${n}: ${JSON.stringify(deed)} on a claim that is ${status}`);
    if (chance.percent(60)) await payOut(steps, life);
    outcomes.set(`${deed.do} ${outcome ?? 'done'}`, (outcomes.get(`${deed.do} ${outcome ?? 'done'}`) ?? 0) + 1);
    await check(t, steps, life);
    t.true(term.paid <= TERMS.aggregate);
  }
  for (const met of MET) t.true((outcomes.get(met) ?? 0) > 0, `${met} occurs`);
  for (const { id, model } of lives) {
    const entries = await steps.database.forOrg(steps.orgId, (em) => claimEntries(em, id));
    t.is(entries.length, model.entries);
  }
});

/** Lets the latest payment leave the fund. */
async function payOut({ activities, database, orgId }: Steps, { id, model }: { id: string; model: ClaimModel }) {
  const [payment, latest] = [
    (await database.forOrg(orgId, (em) => paymentsOfClaim(em, id))).at(-1),
    model.payments.at(-1),
  ];
  if (payment === undefined || latest === undefined || latest.isVoid) return;
  await activities.payFromLossFund({ orgId, entityId: payment.id });
  latest.hasLeft = true;
}

async function check(
  t: ExecutionContext,
  { database, orgId }: Steps,
  { id, model }: { id: string; model: ClaimModel },
) {
  const claim = (await database.forOrg(orgId, (em) => findClaim(em, id))) as Claim;
  t.like(claim, {
    ...{ status: model.status, reserveIndemnityCents: model.indemnity, reserveExpenseCents: model.expense },
    ...{ paidIndemnityCents: model.paid, paidExpenseCents: model.expensePaid, recoveredCents: model.recovered },
    deductibleTakenCents: model.taken,
  });
}

async function carryOut(steps: Steps, claimId: string, deed: Deed): Promise<unknown> {
  const { activities, command } = steps;
  const noteId = null;
  switch (deed.do) {
    case 'investigate':
      return activities.investigateClaim(command(claimId, { adjusterId: null, noteId }));
    case 'reserve': {
      const reserves = { indemnityCents: deed.indemnity, expenseCents: deed.expense };
      return activities.reserveClaim(command(claimId, { reserves, noteId }));
    }
    case 'settle': {
      const name = deed.isListed ? LISTED : 'Ada Guest';
      const settlementId = await paidTo(steps, claimId, 'settlement', name);
      const { amount: amountCents, isApproved } = deed;
      return activities.settleClaim(command(claimId, { settlementId, amountCents, isApproved, noteId }));
    }
    case 'approve':
      return activities.approveSettlement(command(claimId, {}));
    case 'reject':
      return activities.rejectSettlement(command(claimId, { noteId }));
    case 'deny': {
      const reason = await noted(steps, claimId, 'Excluded.');
      return activities.denyClaim(command(claimId, { noteId: reason }));
    }
    case 'pay': {
      const paymentId = await paidTo(steps, claimId, 'claimPayment');
      const { kind, amount: amountCents } = deed;
      return activities.payClaim(command(claimId, { paymentId, kind, amountCents }));
    }
    case 'void': {
      const payments = await steps.database.forOrg(steps.orgId, (em) => paymentsOfClaim(em, claimId));
      const paymentId = payments[deed.payment]?.id ?? '';
      const reason = await noted(steps, claimId, 'Lost in the mail.');
      return activities.voidClaimPayment(command(claimId, { paymentId, noteId: reason }));
    }
    case 'recover': {
      const facts = { kind: 'salvage', amountCents: deed.amount } as const;
      return activities.recoverClaim(command(claimId, { recoveryId: newId('claimRecovery'), ...facts }));
    }
    case 'clear': {
      const holds = await steps.database.forOrg(steps.orgId, (em) => holdsOf(em, claimId));
      const holdId = holds.find(({ hold }) => hold.clearedOn === null)?.hold.id ?? '';
      const reason = await noted(steps, claimId, 'Another date of birth.');
      return activities.clearPayee(command(claimId, { holdId, noteId: reason }));
    }
    case 'close':
      return activities.closeClaim(command(claimId, { outcome: deed.outcome, noteId }));
    case 'reopen':
      return activities.reopenClaim(command(claimId, { noteId }));
  }
}
