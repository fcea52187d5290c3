// Two thousand lives under the product's rules, next to a slow and obvious model.
import test from 'ava';
import { invoiceBalance } from '../../../domain/billing/invoice.ts';
import { addDays, addYears } from '../../../domain/dates.ts';
import { sumCents } from '../../../domain/money.ts';
import { type AuditedSegment, auditPremium } from '../../../domain/policy/audit.ts';
import { moneyOn } from '../../../domain/policy/billing-change.ts';
import { premiumReturn } from '../../../domain/policy/cancellation.ts';
import { policySegments, projectPolicy } from '../../../domain/policy/segments.ts';
import {
  coverageGaps,
  effectiveTransactions,
  type StackedTransaction,
  standingCancellation,
  waitingCancellation,
} from '../../../domain/policy/stack.ts';
import { earnedPremium } from '../../../domain/policy/term.ts';
import { nextTerm } from '../../../domain/renewal/renewal.ts';
import { fc } from '../../support/fixed/chance.ts';
import { type Draw, Life } from './life.ts';
import { LifeModel, rate, type Terms } from './life-model.ts';
import { TEXAS } from './rows.ts';

const LIVES = 2000;
const STARTS = ['2025-01-01', '2024-02-29', '2027-08-31', '2023-03-01', '2025-12-15'];

function drawFrom(seed: number): Draw {
  let state = seed | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

function same(what: string, found: unknown, expected: unknown): void {
  const [left, right] = [JSON.stringify(found), JSON.stringify(expected)];
  if (left !== right) throw new Error(`${what}: ${left} instead of ${right}`);
}

function near(what: string, found: number, expected: number, byCents: number): void {
  if (Math.abs(found - expected) > byCents) throw new Error(`${what}: ${found} instead of about ${expected}`);
}

function play(seed: number): { life: Life; seen: string[] } {
  const draw = drawFrom(seed);
  const effectiveDate = STARTS[draw(STARTS.length)] ?? '2025-01-01';
  const life = new Life(draw, effectiveDate, addYears(effectiveDate, 1));
  const model = new LifeModel(effectiveDate, life.term.expirationDate, life.firstTerms);
  const payPercent = [100, 95, 80, 30][draw(4)] ?? 100;
  const seen: string[] = [];
  while (life.today < life.term.expirationDate) {
    const wait = 1 + draw(45);
    for (let day = 0; day < wait && life.today < life.term.expirationDate; day += 1) {
      const issued = life.stack.length;
      life.nextDay(payPercent);
      for (const each of life.stack.slice(issued)) seen.push(paint(model, life, each));
    }
    if (life.today >= life.term.expirationDate) break;
    seen.push(...act(draw, life, model));
    checkMoney(life);
  }
  checkDays(life, model, draw);
  checkAudit(life, model, draw);
  checkRenewal(life);
  return { life, seen };
}

/** Applies to the model a row that the clock or another row's change created. */
function paint(model: LifeModel, life: Life, each: StackedTransaction): string {
  if (each.type === 'reinstatement') model.rescind(life.today);
  if (each.type === 'cancellation') {
    model.end(life.today, each.effectiveDate, each.changes.lapse === true ? 'lapsed' : 'cancelled');
  }
  const { changes, type } = each;
  const isBehindNotice = type === 'cancellation' && changes.lapse === true && waitingCancellation(life.stack) !== null;
  return isBehindNotice ? 'notice before a scheduled cancellation' : `${type} by the clock`;
}

function act(draw: Draw, life: Life, model: LifeModel): string[] {
  const { today, term } = life;
  const kind = draw(10);
  if (kind < 5 && life.allows('endorse')) return [endorse(draw, life, model)];
  if (kind < 8 && life.allows('cancel')) {
    const isInsured = draw(2) === 0;
    const day = [addDays(today, draw(30) - 29), addDays(today, draw(60)), term.effectiveDate, today][draw(4)] ?? today;
    const method = ([undefined, undefined, 'flat', 'pro_rata', 'short_rate'] as const)[draw(5)];
    const reason = isInsured ? 'insured_request' : 'underwriting';
    const expected = Math.min(model.proRataReturn(day), life.writtenCents);
    const wasScheduled = life.status === 'pending_cancellation';
    const issued = life.cancel({ effectiveDate: day, reason, ...(method && { method }) });
    if (issued === null) return ['refused cancellation'];
    model.end(today, day, 'cancelled');
    if (issued.changes.method === 'pro_rata' && !isInsured) same('pro rata', -issued.premiumChangeCents, expected);
    const what = `${day <= today ? 'immediate' : 'scheduled'} ${issued.changes.method} cancellation`;
    return wasScheduled ? [what, 'another day for a cancellation'] : [what];
  }
  if (kind === 9 || draw(3) === 0 || !life.allows('reinstate')) return [];
  return [reinstate(draw, life, model)];
}

function endorse(draw: Draw, life: Life, model: LifeModel): string {
  const day = addDays(life.term.effectiveDate, draw(model.days.length));
  const { annualRevenueCents } = life.lastTerms;
  const byRevenue = { annualRevenueCents: Math.round((annualRevenueCents * (50 + draw(120))) / 100) };
  const changes = draw(3) === 0 ? { limitCents: (1 + draw(2)) * 100_000_000 } : byRevenue;
  const scheduled = standingCancellation(life.stack);
  const { ownPremiumChangeCents, reapplied } = life.endorse(day, changes);
  const dayOf = (id: string) => life.stack.find((each) => each.id === id)?.effectiveDate ?? '';
  const moved = reapplied.map((each) => ({ day: dayOf(each.transactionId), cents: each.premiumChangeCents }));
  model.endorse(day, changes, ownPremiumChangeCents, moved);
  if (scheduled !== null) {
    model.end(life.today, scheduled.effectiveDate, scheduled.changes.lapse === true ? 'lapsed' : 'cancelled');
  }
  return reapplied.length > 0 ? 'endorsement out of sequence' : 'endorsement in sequence';
}

function reinstate(draw: Draw, life: Life, model: LifeModel): string {
  const cancellation = standingCancellation(life.stack);
  if (cancellation === null) throw new Error('There is nothing to take back');
  const before = life.writtenCents;
  const hasEnded = life.status !== 'pending_cancellation';
  const hasRoom = hasEnded && cancellation.effectiveDate < life.today;
  const day = hasRoom && draw(2) === 0 ? life.today : undefined;
  const issued = life.reinstate(day);
  if (issued === null) throw new Error('It could not be taken back');
  model.restore(life.today, hasEnded ? (day ?? cancellation.effectiveDate) : life.today);
  if (!hasEnded) same('withdrawal', life.writtenCents, before);
  if (hasEnded && day === undefined) same('reinstatement', life.writtenCents, before - cancellation.premiumChangeCents);
  return hasEnded ? `reinstatement ${day ? 'with' : 'without'} a gap` : 'withdrawal';
}

/** Written premium is the sum of the transactions, and every cent due is paid, billed, or refundable. */
function checkMoney(life: Life): void {
  const { stack, term, today, invoices } = life;
  const rows = effectiveTransactions(stack, term, today);
  same('written', life.writtenCents, sumCents(rows.map((each) => each.premiumChangeCents)));
  same('fees', life.feeCents, sumCents(rows.map((each) => each.feeChangeCents)));
  const taxCents = sumCents(life.taxes.map((tax) => tax.amountCents));
  same('taxes', taxCents, sumCents(rows.map((each) => each.taxChangeCents)));
  const claimed = sumCents(invoices.map((each) => moneyOn(each) + invoiceBalance(each)));
  same('parts', partsBilled(life), {
    ...{ premiumCents: life.writtenCents, taxCents: taxOf(life, 'SL_TAX'), stampingCents: taxOf(life, 'STAMPING_FEE') },
    feeCents: life.feeCents,
  });
  same('due', claimed, life.totalDueCents + life.owedCents);
  for (const each of invoices) {
    same('lines', each.totalCents, sumCents(each.lines.map((one) => one.amountCents)));
    const parts = Map.groupBy(each.lines, ({ kind, code }) => (kind === 'credit' ? 'PREMIUM' : code));
    const least = Math.min(...[...parts.values()].map((lines) => sumCents(lines.map((one) => one.amountCents))));
    same('no part of an invoice below nothing', least < 0, false);
  }
  same('no premium below nothing', life.writtenCents < 0, false);
  const { status, grossPremiumCents, totalDueCents, terms } = projectPolicy(stack, {
    term,
    basis: TEXAS,
    renewalPolicyId: null,
    today,
  });
  const row = [life.status, life.writtenCents, life.totalDueCents, life.lastTerms];
  same('projection', [status, grossPremiumCents, totalDueCents, terms].slice(0, 3), row.slice(0, 3));
  same(
    'terms',
    [terms.annualRevenueCents, terms.limitCents],
    [life.lastTerms.annualRevenueCents, life.lastTerms.limitCents],
  );
}

/** What all valid invoices bill, line by line, less what was refunded. */
function partsBilled({ invoices, backParts }: Life) {
  const lines = invoices.filter(({ voided }) => !voided).flatMap((each) => each.lines);
  const sumOf = (...codes: string[]) =>
    sumCents(lines.filter(({ code }) => codes.includes(code)).map(({ amountCents }) => amountCents));
  return {
    premiumCents: sumOf('PREMIUM') - backParts.premiumCents,
    taxCents: sumOf('SL_TAX') - backParts.taxCents,
    stampingCents: sumOf('STAMPING_FEE') - backParts.stampingCents,
    feeCents: sumOf('POLICY_FEE') - backParts.feeCents,
  };
}

function taxOf({ taxes }: Life, code: string): number {
  return sumCents(taxes.filter((tax) => tax.code === code).map(({ amountCents }) => amountCents));
}

/** On every day, terms and status match the model; on some days, so does earned premium. */
function checkDays(life: Life, model: LifeModel, draw: Draw): void {
  const { stack, term, today } = life;
  const segments = policySegments(stack, { term, renewalPolicyId: null });
  let at = 0;
  model.days.forEach((day, index) => {
    if (day >= (segments[at]?.to ?? '')) at += 1;
    same(`status of ${day}`, segments[at]?.status, model.statusOn(index));
    if (index % 5 > 0) return;
    const { annualRevenueCents, limitCents } = model.termsOn(index);
    same(
      `terms of ${day}`,
      [segments[at]?.terms.annualRevenueCents, segments[at]?.terms.limitCents],
      [annualRevenueCents, limitCents],
    );
  });
  same('segments', at, segments.length - 1);
  const hasEnded = life.status === 'cancelled' || life.status === 'lapsed';
  for (const on of [0, draw(model.days.length), draw(model.days.length), model.days.length]) {
    const day = model.days[on] ?? term.expirationDate;
    const { writtenCents, earnedCents, unearnedCents } = earnedPremium(stack, term, { on: day, today });
    same('earned and unearned', earnedCents + unearnedCents, life.writtenCents);
    same('written', writtenCents, life.writtenCents);
    const returnedCents = premiumReturn(stack, { effectiveDate: day, method: 'pro_rata', source: 'carrier' }, life);
    const isAfterGaps = coverageGaps(stack).every(({ to }) => to <= day);
    if (!hasEnded && isAfterGaps) same('what is unearned is returned', returnedCents, Math.max(unearnedCents, 0));
    if (on === model.days.length) same('earned at the end', earnedCents, life.writtenCents);
    if (!hasEnded) checkEarned(life, { day, earnedCents, accrued: model.accrued(on) });
  }
}

/** Where a cancellation kept more than pro rata, a reinstatement with a gap keeps that too. */
function checkEarned(
  { stack }: Life,
  { day, earnedCents, accrued }: { day: string; earnedCents: number; accrued: number },
): void {
  const keptMore = stack.some(
    ({ type, changes, premiumChangeCents }) =>
      type === 'reinstatement' && changes.withdrawal !== true && premiumChangeCents === 0,
  );
  near(`earned by ${day}`, keptMore ? Math.min(earnedCents, accrued) : earnedCents, accrued, 2 * stack.length ** 2);
}

/** For each day in force the audit charges the difference that actual revenue makes, and nothing for other days. */
function checkAudit({ stack, term }: Life, model: LifeModel, draw: Draw): void {
  const annualRevenueCents = draw(300_000_000);
  const segments = policySegments(stack, { term, renewalPolicyId: null });
  const actual = (terms: Terms) => rate({ ...terms, annualRevenueCents });
  const found = auditPremium(term, segments as unknown as AuditedSegment<Terms>[], { charged: rate, actual });
  near('audit premium', found, model.accrued(model.days.length, actual) - model.accrued(model.days.length), 0.6);
}

function checkRenewal({ term }: Life): void {
  same('next term', nextTerm(term).effectiveDate, term.expirationDate);
}

test(`${LIVES} random lives keep written, billed and earned premium, projection and every day's terms as the model has them`, (t) => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const { life, seen: actions } = play(seed);
      for (const each of [...actions, ...life.steps.map(({ step }) => step.step)])
        seen.set(each, (seen.get(each) ?? 0) + 1);
    }),
    { numRuns: LIVES, includeErrorInReport: true },
  );
  t.log(Object.fromEntries(seen));
  for (const action of ACTIONS)
    t.true((seen.get(action) ?? 0) >= 20, `${action} happened ${seen.get(action) ?? 0} times`);
});

const ACTIONS = [
  'endorsement in sequence',
  'endorsement out of sequence',
  'immediate pro_rata cancellation',
  'immediate short_rate cancellation',
  'immediate flat cancellation',
  'scheduled pro_rata cancellation',
  'scheduled short_rate cancellation',
  'reinstatement with a gap',
  'reinstatement without a gap',
  'withdrawal',
  'another day for a cancellation',
  'notice before a scheduled cancellation',
  'past_due',
  'notice',
  'rescind',
  'lapse',
];
