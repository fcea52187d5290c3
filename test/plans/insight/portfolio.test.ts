// The database's sums next to the rules for one policy at a time, over a book of lives with every kind of change.
import anyTest, { type TestFn } from 'ava';
import { PolicyTransaction } from '../../../db/entities/policy/policy-transaction.ts';
import { newId } from '../../../db/ids.ts';
import { addDays, addYears, maxDate } from '../../../domain/dates.ts';
import { monthsOf, type Period, type PremiumFigures, premiumOf } from '../../../domain/insight/portfolio.ts';
import { sumCents } from '../../../domain/money.ts';
import { effectiveTransactions, type StackedTransaction } from '../../../domain/policy/stack.ts';
import { portfolioGroups } from '../../../plans/insight/portfolio.ts';
import { addOrganization, aPolicy, type DatabaseContext, withDatabase } from '../../db/rows.ts';
import { type Draw, Life } from '../../domain/policy/life.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test, 2);

const LIVES = 80;
const STARTS = ['2025-01-01', '2024-02-29', '2023-03-01', '2024-12-15'];
const STATES = ['TX', 'FL', 'CA'];
const TODAY = '2026-03-10';

function drawFrom(seed: number): Draw {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
}

/** A term with changes of every kind, up to today. */
function play(seed: number): Life {
  const draw = drawFrom(seed * 7919 + 1);
  const effectiveDate = STARTS[draw(STARTS.length)] ?? TODAY;
  const life = new Life(draw, effectiveDate, addYears(effectiveDate, 1));
  const isPunctual = draw(3) > 0;
  while (life.today < life.term.expirationDate) {
    for (let wait = 20 + draw(60); wait > 0 && life.today < life.term.expirationDate; wait -= 1) {
      life.nextDay(isPunctual ? 100 : 60);
    }
    if (life.today < life.term.expirationDate) act(draw, life);
  }
  return life;
}

function act(draw: Draw, life: Life): void {
  const { today, term } = life;
  const kind = draw(6);
  if (kind < 2 && life.allows('endorse')) {
    life.endorse(addDays(term.effectiveDate, draw(365)), { annualRevenueCents: 50_000_000 + draw(90_000_000) });
  } else if (kind < 5 && life.allows('cancel')) {
    const effectiveDate = [addDays(today, -draw(20)), addDays(today, 40), today, term.effectiveDate][draw(4)] ?? today;
    life.cancel({ effectiveDate, reason: draw(2) === 0 ? 'insured_request' : 'underwriting' });
  } else if (life.allows('reinstate')) {
    life.reinstate(life.status !== 'pending_cancellation' && draw(2) === 0 ? today : undefined);
  }
}

interface Written {
  state: string;
  life: Life;
}

async function writeBook({ database }: DatabaseContext, orgId: string): Promise<Written[]> {
  const book = Array.from({ length: LIVES }, (_, n) => ({ state: STATES[n % STATES.length] ?? 'TX', life: play(n) }));
  await database.transaction(orgId, async (em) => {
    for (const { state, life } of book) {
      const { id: policyId } = aPolicy(em, { ...life.term, state, grossPremiumCents: life.writtenCents });
      for (const each of life.stack) em.create(PolicyTransaction, rowOf(each, policyId), { persist: true });
      await em.flush();
      for (const each of effectiveTransactions(life.stack, life.term, life.today)) {
        if (each.type !== 'cancellation') continue;
        await em.execute(
          `insert into transaction_billings (org_id, transaction_id, invoices, credits, booked_on)
           values (?, ?, '[]', '[]', ?)`,
          [orgId, idOf(policyId, each.id), bookedOn(life, each)],
        );
      }
    }
  });
  return book;
}

/** A life's ids number its rows; stored ids must be unique. */
const idOf = (policyId: string, id: string) => `${policyId}/${id}`;

function rowOf(each: StackedTransaction, policyId: string) {
  const { sequence, type, effectiveDate, issuedOn, premiumChangeCents, changes, reapplied } = each;
  const money = {
    feeChangeCents: 0,
    taxChangeCents: 0,
    totalChangeCents: premiumChangeCents,
    grossPremiumAfterCents: 0,
  };
  return {
    ...{ id: idOf(policyId, each.id), policyId, sequence, type, effectiveDate, issuedOn, premiumChangeCents, ...money },
    ...{ issuedAt: new Date(`${issuedOn}T12:00:00Z`), before: null, after: null, changes },
    reapplied: reapplied.map((one) => ({ ...one, transactionId: idOf(policyId, one.transactionId) })),
    actor: { kind: 'user' as const, id: newId('user'), role: 'underwriter' as const },
  };
}

function bookedOn({ term }: Life, { type, issuedOn, effectiveDate }: StackedTransaction): string {
  const waits = type === 'cancellation' && effectiveDate > term.effectiveDate;
  return waits ? maxDate(issuedOn, effectiveDate) : issuedOn;
}

/** One policy after another, from its stack as known at each end of the period. */
function slowly(book: readonly Written[], period: Period): PremiumFigures {
  const figures = {
    writtenCents: 0,
    earnedCents: 0,
    unearnedCents: 0,
    inForceCents: 0,
    policyCount: 0,
    bindingCount: 0,
  };
  for (const { life } of book) {
    const moved = effectiveTransactions(life.stack, life.term, life.today);
    const booked = moved.filter((each) => {
      const on = bookedOn(life, each);
      return period.first <= on && on <= period.last;
    });
    figures.writtenCents += sumCents(booked.map(({ premiumChangeCents }) => premiumChangeCents));
    figures.bindingCount += booked.filter(({ type }) => type === 'new_business').length;
    const { earnedCents, unearnedCents, inForceCents, policyCount } = premiumOf(life.stack, life.term, period);
    figures.earnedCents += earnedCents;
    figures.unearnedCents += unearnedCents;
    figures.inForceCents += inForceCents;
    figures.policyCount += policyCount;
  }
  return figures;
}

const premiumIn = ({
  writtenCents,
  earnedCents,
  unearnedCents,
  inForceCents,
  policyCount,
  bindingCount,
}: PremiumFigures) => ({
  ...{ writtenCents, earnedCents, unearnedCents, inForceCents, policyCount, bindingCount },
});

test('sums by month and state are, to the cent, those of each policy by itself', async (t) => {
  const orgId = await addOrganization(t.context.database);
  const book = await writeBook(t.context, orgId);
  const kinds = new Set(book.flatMap(({ life }) => life.stack.map(({ type }) => type)));
  t.deepEqual([...kinds].sort(), ['cancellation', 'endorsement', 'new_business', 'reinstatement']);
  t.true(book.some(({ life }) => life.stack.some(({ reapplied }) => reapplied.length > 0)));
  const read = (dimension: 'none' | 'state', periods: Period[], today = TODAY) =>
    t.context.database.forOrg(orgId, (em) => portfolioGroups(em, { dimension, periods, today }));

  const months = monthsOf('2023-02-01', TODAY);
  const byMonth = await read('none', months);
  for (const month of months) {
    const found = byMonth.find(({ label }) => label === month.label);
    t.deepEqual(found && premiumIn(found.figures), slowly(book, month), month.label);
  }
  const whole = { label: 'whole', first: '2023-01-01', last: TODAY };
  const byState = await read('state', [whole]);
  for (const state of STATES) {
    const ofState = book.filter((each) => each.state === state);
    const found = byState.find(({ key }) => key === state);
    t.deepEqual(found && premiumIn(found.figures), slowly(ofState, whole), state);
  }

  const writtenCents = sumCents(book.map(({ life }) => life.writtenCents));
  t.is(sumCents(byState.map(({ figures }) => figures.writtenCents)), writtenCents);
  t.is(sumCents(byMonth.map(({ figures }) => figures.writtenCents)), writtenCents);
  const earned = (groups: typeof byMonth) => sumCents(groups.map(({ figures }) => figures.earnedCents));
  t.is(earned(byMonth), earned(byState));
  t.is(earned(byState) + sumCents(byState.map(({ figures }) => figures.unearnedCents)), writtenCents);

  const day = '2025-06-01';
  const [ahead] = await read('none', [{ label: 'ahead', first: addDays(day, 1), last: addDays(day, 90) }], day);
  t.like(ahead?.figures, { writtenCents: 0, earnedCents: 0 });
});

test('a year of 10,000.00 that is cancelled after 146 of 365 days has earned 4,000.00', async (t) => {
  const orgId = await addOrganization(t.context.database);
  await t.context.database.transaction(orgId, async (em) => {
    const term = { effectiveDate: '2025-01-01', expirationDate: '2026-01-01' };
    const { id: policyId } = aPolicy(em, { ...term, grossPremiumCents: 400_000 });
    const given = {
      policyId,
      feeChangeCents: 0,
      taxChangeCents: 0,
      grossPremiumAfterCents: 0,
      before: null,
      after: null,
    };
    const actor = { kind: 'user' as const, id: 'usr_test', role: 'underwriter' as const };
    const add = (row: Pick<PolicyTransaction, 'sequence' | 'type' | 'effectiveDate' | 'premiumChangeCents'>) => {
      const { effectiveDate, premiumChangeCents } = row;
      const issued = { issuedAt: new Date(), issuedOn: effectiveDate, totalChangeCents: premiumChangeCents, actor };
      return em.create(PolicyTransaction, { ...given, ...issued, ...row }, { persist: true });
    };
    add({ sequence: 1, type: 'new_business', effectiveDate: '2025-01-01', premiumChangeCents: 1_000_000 });
    const end = add({ sequence: 2, type: 'cancellation', effectiveDate: '2025-05-27', premiumChangeCents: -600_000 });
    await em.flush();
    await em.execute(
      `insert into transaction_billings (org_id, transaction_id, invoices, credits, booked_on)
       values (?, ?, '[]', '[]', '2025-05-27')`,
      [orgId, end.id],
    );
  });
  const periods = [
    { label: 'a day', first: '2025-01-01', last: '2025-01-02' },
    { label: 'until the end', first: '2025-01-01', last: '2025-05-26' },
    { label: 'the day of the end', first: '2025-05-27', last: '2025-05-27' },
    { label: 'a year', first: '2025-01-01', last: '2025-12-31' },
  ];
  const groups = await t.context.database.forOrg(orgId, (em) =>
    portfolioGroups(em, { dimension: 'none', periods, today: TODAY }),
  );
  const figuresOf = (name: string) => groups.find(({ label }) => label === name)?.figures;
  t.like(figuresOf('a day'), { writtenCents: 1_000_000, earnedCents: 2_740, unearnedCents: 997_260, policyCount: 1 });
  // 145 of 365 days have passed.
  t.like(figuresOf('until the end'), { earnedCents: 397_260, unearnedCents: 602_740, inForceCents: 1_000_000 });
  t.like(figuresOf('the day of the end'), {
    writtenCents: -600_000,
    earnedCents: 2_740,
    unearnedCents: 0,
    policyCount: 0,
  });
  t.like(figuresOf('a year'), { writtenCents: 400_000, earnedCents: 400_000, unearnedCents: 0, bindingCount: 1 });
});
