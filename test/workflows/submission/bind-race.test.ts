// Two hundred callers bind simultaneously into an authority that has room for forty.
import test from 'ava';
import { DaContract } from '../../../db/entities/authority/da-contract.ts';
import { DaUsage } from '../../../db/entities/authority/da-usage.ts';
import { Invoice } from '../../../db/entities/billing/invoice.ts';
import { Event } from '../../../db/entities/platform/event.ts';
import { Policy } from '../../../db/entities/policy/policy.ts';
import { DomainError } from '../../../domain/errors.ts';
import { STORY_MS } from '../../support/patience.ts';
import { type Engine, startEngine } from '../engine.ts';

const CALLERS = 200;
const ROOM = 40;
/** GL, TX, NAICS 722511, revenue and limit 1,000,000, one loss. Contract 3.1 */
const PREMIUM_CENTS = 399_000;
/** Room for forty, and just short of a forty-first. */
const VOLUME_CENTS = (ROOM + 1) * PREMIUM_CENTS - 1;
const PREPARED_AT_A_TIME = 16;
/** The first number of bound policies above 85 percent of the volume: 0.85 × 163,589.99 ÷ 3,990.00 = 34.85. */
const CROSSED_BY = 35;

let engine: Engine;

test.before(async (t) => {
  engine = await startEngine(t, { poolSize: 20 });
  await engine.database.transaction(engine.orgId, async (em) => {
    await em.nativeUpdate(DaContract, {}, { maxAnnualPremiumVolumeCents: VOLUME_CENTS });
  });
});

async function manyQuoted(): Promise<string[]> {
  const ids: string[] = [];
  const turns = Array.from({ length: CALLERS }, (_, i) => i).values();
  const takeTurns = async () => {
    for (const _ of turns) ids.push(await engine.quoted());
  };
  await Promise.all(Array.from({ length: PREPARED_AT_A_TIME }, takeTurns));
  return ids;
}

test('exactly 40 of 200 binds into an authority with room for 40 are bound, numbered without a gap, and 85 percent raises one event', async (t) => {
  t.timeout(STORY_MS);
  const ids = await manyQuoted();
  const results = await Promise.allSettled(
    ids.map((id) =>
      engine.lifecycle.bindSubmission(engine.command(id, { installmentPlan: 'MONTHLY_10' as const, quoteId: null })),
    ),
  );
  const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  t.is(results.length - refusals.length, ROOM);
  for (const refusal of refusals) {
    if (!(refusal instanceof DomainError)) throw refusal;
    t.is(refusal.code, 'delegated_authority_exceeded');
    const flags = refusal.details.daFlags as { code: string }[];
    t.true(flags.some(({ code }) => code === 'DA_AGGREGATE_EXCEEDED'));
  }

  await engine.database.forOrg(engine.orgId, async (em) => {
    const policies = await em.find(Policy, {});
    const year = policies[0]!.effectiveDate.slice(0, 4);
    const serial = (i: number) => String(i + 1).padStart(6, '0');
    t.deepEqual(
      policies.map(({ policyNumber }) => policyNumber).sort(),
      Array.from({ length: ROOM }, (_, i) => `GL-TX-${year}-${serial(i)}`),
    );
    const usage = await em.find(DaUsage, {});
    t.deepEqual(
      usage.map(({ usedCents }) => usedCents),
      [ROOM * PREMIUM_CENTS],
    );
    const invoices = await em.find(Invoice, {});
    const issued = engine.today.slice(0, 4);
    t.deepEqual(
      invoices.map(({ invoiceNumber }) => invoiceNumber).sort(),
      Array.from({ length: ROOM * 10 }, (_, i) => `INV-${issued}-${serial(i)}`),
    );
    const crossings = await em.find(Event, { type: 'da.limit_approaching' });
    t.deepEqual(
      crossings.map(({ data }) => data.used),
      [(CROSSED_BY * PREMIUM_CENTS) / 100],
    );
    t.is(await em.count(Event, { type: 'policy.bound' }), ROOM);
  });
});
