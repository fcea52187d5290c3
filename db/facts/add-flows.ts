// Adds what rows changed to the daily sums of a portfolio, by day and month, for the whole and each line, state and
// producer. Decision 0140.
import { setImmediate } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { premiumFlows as flowsOfHistory } from '../../domain/insight/portfolio.ts';
import { preparedRows } from '../prepared.ts';
import { INVOLVED } from '../queries/insight/premium.ts';
import { type SeenEntities, type SeenRows, seenRows, sightValues } from '../queries/insight/seen-rows.ts';
import { stacksOf } from '../queries/insight/stacks.ts';
import { organizationOf } from '../scope.ts';
import {
  AMOUNTS,
  type Flows,
  givenFlows,
  lossFlows,
  premiumFlowStatements,
  quoteFlows,
  quoteLags,
} from './flow-statements.ts';

/** Some entities as seen when last added, and as seen now. */
export interface Sights {
  before: SeenEntities | null;
  after: SeenEntities;
}

const DIMENSION = `case when grouping(line) = 0 then 'line' when grouping(state) = 0 then 'state' else 'producer' end`;
const KEY = 'case when grouping(line) = 0 then line when grouping(state) = 0 then state else producer end';
const NAMES = AMOUNTS.join(', ');
const SUMS = AMOUNTS.map((name) => `sum(${name})::bigint as ${name}`).join(', ');

function addition({ before, query }: Flows): string {
  return `with ${before === '' ? '' : `${before},`}
flows as (${query}),
keyed as (
  select day, ${DIMENSION} as dimension, ${KEY} as key, ${SUMS} from flows
  group by grouping sets ((day, line), (day, state), (day, producer))
),
daily as (
  select * from keyed
  union all select day, 'none', null, ${SUMS} from keyed where dimension = 'line' group by day
),
dated as (
  select 'day' as unit, * from daily
  union all
  select 'month', date_trunc('month', day)::date as day, dimension, key, ${SUMS} from daily group by 2, 3, 4
)
insert into portfolio_facts (org_id, unit, starts_on, dimension, key, ${NAMES})
select $1, unit, day, dimension, key, ${NAMES} from dated
where ${AMOUNTS.map((name) => `${name} <> 0`).join(' or ')}
on conflict (org_id, dimension, unit, starts_on, key) do update
set ${AMOUNTS.map((name) => `${name} = portfolio_facts.${name} + excluded.${name}`).join(', ')}`;
}

function lagAddition(lags: string): string {
  const sums = 'sum(quotes)::bigint as quotes, sum(bound)::bigint as bound';
  return `with lags as (${lags}),
keyed as (
  select origin, event, ${DIMENSION} as dimension, ${KEY} as key, ${sums} from lags
  group by grouping sets ((origin, event, line), (origin, event, state), (origin, event, producer))
),
all_keys as (
  select * from keyed
  union all select origin, event, 'none', null, ${sums} from keyed where dimension = 'line' group by 1, 2
)
insert into quote_lags (org_id, origin_on, event_on, dimension, key, quote_count, quoted_and_bound_count)
select $1, origin, event, dimension, key, quotes, bound from all_keys where quotes <> 0 or bound <> 0
on conflict (org_id, dimension, event_on, origin_on, key) do update
set quote_count = quote_lags.quote_count + excluded.quote_count,
  quoted_and_bound_count = quote_lags.quoted_and_bound_count + excluded.quoted_and_bound_count`;
}

/** Adds what changed in the entities between two sights. */
export async function addFlows(em: EntityManager, sights: Sights): Promise<void> {
  const { before, after } = sights;
  const values = [organizationOf(em), ...sightValues(after), ...(before ? sightValues(before) : [])];
  const run = (name: string, text: string) =>
    preparedRows(em, { name: `add ${name} ${before ? 'changed' : 'built'}`, text }, values);
  for (const [name, flowsOf] of Object.entries({
    premium: premiumFlowStatements,
    losses: lossFlows,
    quotes: quoteFlows,
  })) {
    await run(name, addition(between(flowsOf, before !== null)));
  }
  await run(
    'lags',
    lagAddition(between((...given) => ({ before: '', query: quoteLags(...given) }), before !== null).query),
  );
  await addHistories(em, sights);
}

/** The flows of the rows as seen now, less those of the rows as seen before. */
function between(flowsOf: (seen: SeenRows, sign: 1 | -1) => Flows, isChange: boolean): Flows {
  const after = flowsOf(seenRows(2), 1);
  if (!isChange) return after;
  const before = flowsOf(seenRows(5), -1);
  const both = [after.before, before.before].filter((text) => text !== '').join(',');
  return { before: both, query: `${after.query} union all ${before.query}` };
}

interface InvolvedTerm {
  id: string;
  effectiveDate: string;
  expirationDate: string;
  line: string;
  state: string;
  producer: string | null;
}

const INVOLVED_TERMS = {
  name: 'involved policies to add',
  text: `select p.id, p.effective_date::text as "effectiveDate", p.expiration_date::text as "expirationDate",
  p.line_of_business as line, p.state, p.producer_id as producer
from ${seenRows(2).policies} p
where p.id in (select policy_id from ${seenRows(2).transactions} known where org_id = $1 and (${INVOLVED}))`,
};

/** Policies whose histories are read, computed and sent together; the connection is silent meanwhile. */
const HISTORIES = 200;

const HISTORY_ADDITION = { name: 'add histories', text: addition(givenFlows) };

/** Policies whose premium is not simply a sum of their transactions: computed day by day, by the rules. */
async function addHistories(em: EntityManager, { before, after }: Sights): Promise<void> {
  await addHistoriesOf(em, after, 1);
  if (before) await addHistoriesOf(em, before, -1);
}

async function addHistoriesOf(em: EntityManager, sight: SeenEntities, sign: 1 | -1): Promise<void> {
  const terms = await preparedRows<InvolvedTerm>(em, INVOLVED_TERMS, [organizationOf(em), ...sightValues(sight)]);
  const hidden = new Set(sight.hidden);
  for (let start = 0; start < terms.length; start += HISTORIES) {
    const flows = await flowsOfHistories(em, terms.slice(start, start + HISTORIES), { hidden, sign });
    await preparedRows(em, HISTORY_ADDITION, [organizationOf(em), JSON.stringify(flows)]);
  }
}

/** What a day adds, as `givenFlows` reads it. */
interface GivenFlow {
  day: string;
  line: string;
  state: string;
  producer: string | null;
  earned: number;
  unearned: number;
  in_force: number;
  policies: number;
}

async function flowsOfHistories(
  em: EntityManager,
  terms: readonly InvolvedTerm[],
  { hidden, sign }: { hidden: ReadonlySet<string>; sign: 1 | -1 },
): Promise<GivenFlow[]> {
  const stacks = await stacksOf(
    em,
    terms.map(({ id }) => id),
    hidden,
  );
  const flows = new Map<string, GivenFlow>();
  for (const { id, line, state, producer, ...term } of terms) {
    for (const { day, ...added } of flowsOfHistory(stacks.get(id) ?? [], term)) {
      const place = JSON.stringify([day, line, state, producer]);
      const sums = flows.get(place) ?? { day, line, state, producer, earned: 0, unearned: 0, in_force: 0, policies: 0 };
      sums.earned += sign * added.earnedCents;
      sums.unearned += sign * added.unearnedCents;
      sums.in_force += sign * added.inForceCents;
      sums.policies += sign * added.policyCount;
      flows.set(place, sums);
    }
    // A history takes milliseconds; let other work of the process run.
    await setImmediate();
  }
  return [...flows.values()];
}
