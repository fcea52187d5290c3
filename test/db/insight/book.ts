// A book of business written row by row in random order: policies with every kind of change, submissions that are
// requoted, bound or moved to another state, claims. Rows come late: something issued long ago is written after
// something issued since. Part of portfolio-facts.test.ts.
import type { EntityManager } from '@mikro-orm/postgresql';
import { PolicyTransaction } from '../../../db/entities/policy/policy-transaction.ts';
import { Quote } from '../../../db/entities/submission/quote.ts';
import { newId } from '../../../db/ids.ts';
import { addDays, addYears, maxDate } from '../../../domain/dates.ts';
import { effectiveTransactions, type StackedTransaction } from '../../../domain/policy/stack.ts';
import { type Draw, Life } from '../../domain/policy/life.ts';
import { aPolicy, aSubmission } from '../rows.ts';

/** Writes a row, or a few that belong together. */
export type Write = (em: EntityManager) => Promise<unknown>;

const STARTS = ['2025-01-01', '2024-02-29', '2023-03-01', '2024-12-15'];
const STATES = ['TX', 'FL', 'CA'];
const LINES = ['GL', 'CP'];

/** Draws the same numbers for the same seed. */
export function drawFrom(seed: number): Draw {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
}

/** One history per life: each life's writes come in order, those of different lives in any order. */
export function histories(lives: number, orgId: string): Write[][] {
  return Array.from({ length: lives }, (_, n) => {
    const draw = drawFrom(n * 7919 + 1);
    return [quoted, policy, claim].flatMap((writes) => writes(draw, orgId, n));
  });
}

/** Merges the histories into one order. */
export function shuffled(all: readonly Write[][], draw: Draw): Write[] {
  const waiting = all.map((writes) => [...writes]).filter((writes) => writes.length > 0);
  const order: Write[] = [];
  while (waiting.length > 0) {
    const place = draw(waiting.length);
    const next = waiting[place]?.shift();
    if (next) order.push(next);
    if (waiting[place]?.length === 0) waiting.splice(place, 1);
  }
  return order;
}

const place = (n: number) => ({ state: STATES[n % 3] ?? 'TX', lineOfBusiness: LINES[n % 2] ?? 'GL' });

/** A term with changes of every kind, lived day by day. */
function lived(draw: Draw): Life {
  const effectiveDate = STARTS[draw(STARTS.length)] ?? '2025-01-01';
  const life = new Life(draw, effectiveDate, addYears(effectiveDate, 1));
  const pays = draw(3) > 0 ? 100 : 60;
  while (life.today < life.term.expirationDate) {
    for (let wait = 25 + draw(60); wait > 0 && life.today < life.term.expirationDate; wait -= 1) life.nextDay(pays);
    if (life.today < life.term.expirationDate) change(draw, life);
  }
  return life;
}

function change(draw: Draw, life: Life): void {
  const { today, term, status } = life;
  const kind = draw(6);
  if (kind < 2 && life.allows('endorse')) {
    life.endorse(addDays(term.effectiveDate, draw(365)), { annualRevenueCents: 50_000_000 + draw(90_000_000) });
  } else if (kind < 5 && life.allows('cancel')) {
    const effectiveDate = [addDays(today, -draw(20)), addDays(today, 40), today, term.effectiveDate][draw(4)] ?? today;
    life.cancel({ effectiveDate, reason: draw(2) === 0 ? 'insured_request' : 'underwriting' });
  } else if (life.allows('reinstate')) {
    life.reinstate(status !== 'pending_cancellation' && draw(2) === 0 ? today : undefined);
  }
}

/** A submission that is quoted once or more, and may change state along the way; it is never bound. */
function quoted(draw: Draw, _orgId: string, n: number): Write[] {
  const id = newId('submission');
  const day = addDays('2024-11-01', draw(400));
  const writes: Write[] = [async (em) => void aSubmission(em, { id, ...place(n) })];
  for (let version = 1; version <= 1 + draw(3); version += 1) {
    const issuedOn = addDays(day, (version - 1) * draw(40));
    writes.push(async (em) => void aQuote(em, id, version, issuedOn));
    if (draw(3) === 0) {
      const state = STATES[draw(3)] ?? 'TX';
      writes.push((em) => em.execute('update submissions set state = ? where id = ?', [state, id]));
    }
  }
  return writes;
}

/** The sums of facts do not read them. */
const NO_INPUTS = {} as Quote['inputs'];

function aQuote(em: EntityManager, submissionId: string, quoteVersion: number, issuedOn: string): void {
  const money = { grossPremiumCents: 399_000, fees: [], taxes: [], totalDueCents: 399_000 };
  const rest = {
    daFlags: [],
    worksheet: [],
    installmentOptions: [],
    expiresOn: addDays(issuedOn, 30),
    inputs: NO_INPUTS,
  };
  const row = { submissionId, quoteVersion, status: 'quoted' as const, issuedOn, ...money, ...rest };
  em.create(Quote, row, { persist: true });
}

/** A policy from its submission on; its row, each change, and each cancellation once its money has moved. */
function policy(draw: Draw, orgId: string, n: number): Write[] {
  const life = lived(draw);
  const [policyId, submissionId] = [newId('policy'), newId('submission')];
  const [first] = life.stack;
  const writes: Write[] = [
    async (em) => void aSubmission(em, { id: submissionId, ...place(n) }),
    async (em) => void aQuote(em, submissionId, 1, addDays(first?.issuedOn ?? '', -draw(60))),
  ];
  if (draw(3) === 0) writes.push(async (em) => void aQuote(em, submissionId, 2, addDays(first?.issuedOn ?? '', -2)));
  const moved = effectiveTransactions(life.stack, life.term, life.today);
  for (const [index, each] of life.stack.entries()) {
    writes.push(async (em) => {
      if (index === 0) aPolicy(em, { id: policyId, submissionId, ...life.term, ...place(n) });
      em.create(PolicyTransaction, rowOf(each, policyId), { persist: true });
    });
    if (each.type === 'cancellation' && moved.includes(each)) {
      const bookedOn =
        each.effectiveDate > life.term.effectiveDate ? maxDate(each.issuedOn, each.effectiveDate) : each.issuedOn;
      writes.push((em) =>
        em.execute(
          `insert into transaction_billings (org_id, transaction_id, invoices, credits, booked_on)
           values (?, ?, '[]', '[]', ?)`,
          [orgId, `${policyId}/${each.id}`, bookedOn],
        ),
      );
    }
  }
  return writes;
}

function rowOf(each: StackedTransaction, policyId: string) {
  const { sequence, type, effectiveDate, issuedOn, premiumChangeCents, changes, reapplied, reverses } = each;
  return {
    ...{ id: `${policyId}/${each.id}`, policyId, sequence, type, effectiveDate, issuedOn, premiumChangeCents, changes },
    ...{ feeChangeCents: 0, taxChangeCents: 0, totalChangeCents: premiumChangeCents, grossPremiumAfterCents: 0 },
    ...{ issuedAt: new Date(`${issuedOn}T12:00:00Z`), before: null, after: null },
    reverses: reverses ? `${policyId}/${reverses}` : null,
    reapplied: reapplied.map((one) => ({ ...one, transactionId: `${policyId}/${one.transactionId}` })),
    actor: { kind: 'user' as const, id: 'usr_test', role: 'underwriter' as const },
  };
}

/** A claim with changing reserves and payments. */
function claim(draw: Draw, orgId: string, n: number): Write[] {
  const [id, policyId] = [newId('claim'), newId('policy')];
  const day = addDays('2024-03-01', draw(500));
  const { state, lineOfBusiness } = place(n);
  const writes: Write[] = [
    async (em) => {
      await em.flush();
      aPolicy(em, { id: policyId, ...place(n) });
      await em.flush();
      await em.execute('insert into claim_particulars (claim_id, org_id, description) values (?, ?, ?)', [
        id,
        orgId,
        'A fall.',
      ]);
      await em.execute(
        `insert into claims (id, org_id, claim_number, status, policy_id, policy_number, insured_name, state,
           line_of_business, loss_date, reported_on, contains_phi, coverage, coverage_flags, clocks, created_by)
         values (?, ?, ?, 'reported', ?, 'GL-1', 'Diner', ?, ?, ?, ?, false, '{}', '[]', '{}', 'usr_test')`,
        [id, orgId, `CLM-${id}`, policyId, state, lineOfBusiness, day, day],
      );
    },
  ];
  let reserved = 0;
  for (let sequence = 1; sequence <= 1 + draw(3); sequence += 1) {
    const after = 100_000 + draw(400_000);
    const changes = {
      reserveIndemnityCents: { before: reserved, after },
      paidIndemnityCents: { before: 0, after: 1_000 },
    };
    const on = addDays(day, sequence * draw(50));
    writes.push((em) =>
      em.execute(
        `insert into claim_entries (id, org_id, claim_id, sequence, action, actor, happened_on, changes)
         values (?, ?, ?, ?, 'reserve', '{}', ?, ?::jsonb)`,
        [newId('claimEntry'), orgId, id, sequence, on, JSON.stringify(changes)],
      ),
    );
    reserved = after;
  }
  return writes;
}
