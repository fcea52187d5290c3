// The claims on one policy, which go through random deeds over HTTP: each answer must match the model's, and so must
// each claim in the end.

import { type Dice, dice } from '../chaos/dice.ts';
import type { PatientClient } from '../chaos/patient-client.ts';
import { drawDeed } from './claim-deeds.ts';
import { type ClaimModel, type Deed, newClaim, TermModel } from './claim-model.ts';

const TERMS = { limit: 1_000_000_00, aggregate: 2_000_000_00, deductible: 1000_00 };
/** On the seed data's sanctions list. */
const LISTED = 'Sanctioned Test Company';
const DEEDS_OF_A_LIFE = 10;

interface Life {
  id: string;
  model: ClaimModel;
  /** Every command and its answer: printed when something is wrong. */
  story: string[];
}

/** Lets that many claims live on a policy of their own. @throws Error with the story of the claim that differs */
export async function liveOnTerm(admin: PatientClient, seed: number, claims: number): Promise<ClaimModel[]> {
  const chance = dice(seed);
  const term = new TermModel(TERMS);
  const { policyId, today } = await bind(admin, `Insured ${seed}`);
  const lives: Life[] = [];
  for (let n = 0; n < claims; n += 1) {
    const notice = { policyId, lossDate: today, description: 'A loss.', cause: `Cause ${n}` };
    const { id } = await admin.command('/v1/claims', notice);
    const life = { id, model: newClaim(), story: [] };
    term.claims.push(life.model);
    lives.push(life);
  }
  for (let n = 0; n < claims * DEEDS_OF_A_LIFE; n += 1) await liveOn(admin, chance, term, chance.pick(lives));
  for (const life of lives) await compare(admin, life);
  if (term.paid > TERMS.aggregate) throw new Error(`The aggregate limit of ${policyId} is passed: ${term.paid}`);
  return term.claims;
}

async function bind(admin: PatientClient, insuredName: string): Promise<{ policyId: string; today: string }> {
  const { date: today } = await admin.read('/v1/test-clock');
  const submission = await admin.command('/v1/submissions', {
    ...{ insuredName, naicsCode: '722511', state: 'TX', lineOfBusiness: 'GL', effectiveDate: today },
    ...{ annualRevenue: 1_000_000, requestedLimit: TERMS.limit / 100, deductible: TERMS.deductible / 100 },
    lossesLast5Years: 1,
  });
  const path = `/v1/submissions/${submission.id}`;
  await admin.command(`${path}/quote`, undefined);
  const { policyId } = await admin.command(`${path}/bind`, { installmentPlan: 'PAY_IN_FULL' });
  return { policyId, today };
}

async function liveOn(admin: PatientClient, chance: Dice, term: TermModel, { id, model, story }: Life) {
  const deed = drawDeed(chance, model);
  const was = model.status;
  // Whether a closed claim's payment still waits depends on how fast its saga is.
  if (deed.do === 'void' && was === 'closed') return;
  const named = await namedBy(admin, id, deed);
  if (deed.do === 'void' || deed.do === 'recover') await noteLeft(admin, id, model);
  let expected = term.do(model, deed) ?? 'done';
  const [path, body] = commandOf(deed, named);
  const { status, body: answer } = await admin.send(`/v1/claims/${id}/${path}`, body);
  const outcome = status < 300 ? 'done' : `${answer?.error}`;
  story.push(`${JSON.stringify(deed)} on a claim that is ${was} → ${status} ${outcome}`);
  // A payment may have left the fund in the meantime.
  const mayHaveLeft = expected === 'amount_exceeds_balance' && outcome === 'done';
  if (mayHaveLeft && (await noteLeft(admin, id, model))) expected = term.do(model, deed) ?? 'done';
  if (outcome !== expected) throw new Error(`Claim ${id}, ${expected} expected: ${story.join('\n    ')}`);
}

/** The id of the payment or hold that a deed names. */
async function namedBy(admin: PatientClient, claimId: string, deed: Deed): Promise<string> {
  if (deed.do === 'void') return (await admin.read(`/v1/claims/${claimId}/payments?limit=100`)).data[deed.payment].id;
  if (deed.do === 'clear') return (await admin.read(`/v1/claims/${claimId}`)).heldPayees[0].id;
  return '';
}

/**
 * Notes which payments have left the fund by now, which depends on how fast their sagas are. Returns whether any were
 * new.
 */
async function noteLeft(admin: PatientClient, claimId: string, model: ClaimModel): Promise<boolean> {
  const { data } = await admin.read(`/v1/claims/${claimId}/payments?limit=100`);
  const news = model.payments.filter(({ hasLeft }, index) => !hasLeft && data[index].status === 'paid');
  for (const payment of news) payment.hasLeft = true;
  return news.length > 0;
}

function commandOf(deed: Deed, named: string): [path: string, body?: object] {
  switch (deed.do) {
    case 'approve':
      return ['settle/approve'];
    case 'reject':
      return ['settle/reject', {}];
    case 'investigate':
      return ['investigate', {}];
    case 'deny':
      return ['deny', { reason: 'Excluded.' }];
    case 'reopen':
      return ['reopen', { reason: 'New facts.' }];
    case 'reserve':
      return ['reserves', { indemnity: deed.indemnity / 100, expense: deed.expense / 100, reason: 'Estimate.' }];
    case 'settle':
      return [
        'settle',
        { amount: deed.amount / 100, payee: deed.isListed ? LISTED : 'Ada Guest', approve: deed.isApproved },
      ];
    case 'clear':
      return [`payee-holds/${named}/clear`, { reason: 'Another date of birth.' }];
    case 'pay':
      return ['payments', { kind: deed.kind, amount: deed.amount / 100, payee: 'Ada Guest' }];
    case 'void':
      return [`payments/${named}/void`, { reason: 'Lost in the mail.' }];
    case 'recover':
      return ['recoveries', { kind: 'salvage', amount: deed.amount / 100 }];
    case 'close':
      return ['close', deed.outcome === null ? {} : { outcome: deed.outcome }];
  }
}

async function compare(admin: PatientClient, { id, model, story }: Life): Promise<void> {
  const claim = await admin.read(`/v1/claims/${id}`);
  const { data: timeline } = await admin.read(`/v1/claims/${id}/timeline?limit=100`);
  const { data: payments } = await admin.read(`/v1/claims/${id}/payments?limit=100`);
  const found = {
    ...{ status: claim.status, reserves: claim.reserves, paid: claim.paid, recovered: claim.recovered },
    ...{ incurred: claim.incurred, entries: timeline.length, held: claim.heldPayees.length },
    payments: payments.map(({ kind, amount, status }: Record<string, unknown>) => [kind, amount, status === 'void']),
  };
  const { indemnity, expense, paid, expensePaid, recovered } = model;
  const expected = {
    status: model.status,
    reserves: amounts(indemnity - paid, expense - expensePaid),
    paid: amounts(paid, expensePaid),
    recovered: recovered / 100,
    incurred: (indemnity + expense - recovered) / 100,
    entries: model.entries,
    held: model.held,
    payments: model.payments.map(({ kind, amount, isVoid }) => [kind, amount / 100, isVoid]),
  };
  const [is, must] = [JSON.stringify(found), JSON.stringify(expected)];
  if (is !== must) throw new Error(`Claim ${id} is ${is}, and must be ${must}: ${story.join('\n    ')}`);
}

function amounts(indemnity: number, expense: number) {
  return { indemnity: indemnity / 100, expense: expense / 100, total: (indemnity + expense) / 100 };
}
