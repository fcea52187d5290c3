// The month close: afterwards no entry is dated in the month, and its balances no longer change.
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { LedgerPeriod } from '../../../../db/entities/billing/ledger-period.ts';
import {
  balancesAt,
  findPeriod,
  holdPostings,
  keepBalances,
  lastClosedMonth,
  listPeriods,
  lockPeriod,
  persistClosed,
} from '../../../../db/queries/billing/periods/ledger-periods.ts';
import { writeAudit } from '../../../../db/queries/platform/audit.ts';
import { auditedChanges } from '../../../../domain/audit.ts';
import { ensureClosable, ensureReopenable } from '../../../../domain/billing/ledger/period.ts';
import { lastDayOf } from '../../../../domain/dates.ts';
import { toDollars } from '../../../../domain/money.ts';
import { allow } from '../../../spine/access.ts';
import { route } from '../../../spine/route.ts';
import { pageQuery, pageToWire } from '../../../spine/schemas.ts';
import { present } from '../../rows.ts';
import { instantToWire } from '../charges.wire.ts';
import {
  LedgerPeriodPageSchema,
  LedgerPeriodSchema,
  type LedgerPeriodWire,
  PeriodParams,
  ReopenPeriodSchema,
} from './ledger-periods.schemas.ts';

const facts = { tag: 'Billing', spec: 'Domain 4.3' } as const;
const entityType = 'ledger_period';

const closePeriod = route({
  ...facts,
  method: 'post',
  path: '/ledger/periods/:month/close',
  operationId: 'closeLedgerPeriod',
  summary: 'Close a month of the ledgers',
  description:
    'A month can be closed once it is over. Months close in order; the first can be any month, and it also closes everything before it. No further entry is dated in a closed month: an entry that belongs there is dated on the first open day and keeps its intended date in `originalDate`. A manual entry is refused.',
  access: allow('ledger:close'),
  params: PeriodParams,
  response: { status: 200, body: LedgerPeriodSchema },
  errors: ['invalid_state_transition'],
  handler: async ({ params: { month }, actor, org, requestId, db, deps }) => {
    const closed = await db.transaction(async (em) => {
      await holdPostings(em);
      ensureClosable(month, await lastClosedMonth(em), org.today);
      const closing = { month, lastDay: lastDayOf(month), by: actor.id, at: new Date(deps.now()) };
      const period = await persistClosed(em, closing);
      const changes = auditedChanges({ status: 'open' }, { status: 'closed', month });
      const entityId = period.id;
      writeAudit(em, { actor, action: 'ledger:close', entityType, entityId, requestId, changes });
      return period;
    });
    // Postings waited for the close; they do not wait for the sums.
    await db.transaction((em) => keepBalances(em, closed));
    return db.read(async (em) => periodToWire(await withBalances(em, present(await findPeriod(em, month)))));
  },
});

const reopenPeriod = route({
  ...facts,
  method: 'post',
  path: '/ledger/periods/:month/reopen',
  operationId: 'reopenLedgerPeriod',
  summary: 'Reopen the last closed month',
  description:
    'Entries that were dated later because the month was closed stay as they are. An earlier month can be reopened only after every later one.',
  access: allow('ledger:reopen'),
  params: PeriodParams,
  body: ReopenPeriodSchema,
  response: { status: 200, body: LedgerPeriodSchema },
  errors: ['invalid_state_transition'],
  handler: ({ params: { month }, body: { reason }, actor, requestId, db, deps }) =>
    db.answer(async (em) => {
      await holdPostings(em);
      ensureReopenable(month, await lastClosedMonth(em));
      const period = present(await lockPeriod(em, month));
      const reopened = { reopenedBy: actor.id, reopenedAt: new Date(deps.now()), reopenReason: reason };
      Object.assign(period, { status: 'reopened', ...reopened });
      await em.flush();
      const changes = { ...auditedChanges({ status: 'closed' }, { status: 'reopened' }), reason };
      const entityId = period.id;
      writeAudit(em, { actor, action: 'ledger:reopen', entityType, entityId, requestId, changes });
      return periodToWire({ period, balances: period.balances });
    }),
});

const listPeriodsRoute = route({
  ...facts,
  method: 'get',
  path: '/ledger/periods',
  operationId: 'listLedgerPeriods',
  summary: 'List the months that were closed',
  description:
    'Each month shows the balances with which it was closed. A month that was reopened says so and takes entries again.',
  access: allow('ledger:read'),
  query: z.strictObject(pageQuery),
  response: { status: 200, body: LedgerPeriodPageSchema },
  errors: [],
  handler: ({ query, db }) =>
    db.read(async (em) => {
      const { data, nextCursor } = await listPeriods(em, query);
      const shown = [];
      for (const period of data) shown.push(await withBalances(em, period));
      return pageToWire({ data: shown, nextCursor }, periodToWire);
    }),
});

export const ledgerPeriodRoutes = [closePeriod, reopenPeriod, listPeriodsRoute];

interface ShownPeriod {
  period: LedgerPeriod;
  balances: LedgerPeriod['balances'];
}

/** A close that ended between its two steps stored no balances; they have not changed since. */
async function withBalances(em: EntityManager, period: LedgerPeriod): Promise<ShownPeriod> {
  const isMissing = period.balances === null && period.status === 'closed';
  return { period, balances: isMissing ? await balancesAt(em, period.lastDay) : period.balances };
}

function periodToWire({ period, balances }: ShownPeriod): LedgerPeriodWire {
  const { id, orgId, month, lastDay, status, closedBy, closedAt, reopenedBy, reopenedAt } = period;
  return {
    ...{ id, orgId, month, lastDay, status, closedBy, reopenedBy, reopenReason: period.reopenReason },
    balances: balances?.map(({ account, cents }) => ({ account, balance: toDollars(cents) })) ?? null,
    closedAt: instantToWire(closedAt),
    reopenedAt: reopenedAt && instantToWire(reopenedAt),
    version: period.version,
    createdAt: instantToWire(period.createdAt),
    updatedAt: instantToWire(period.updatedAt),
  };
}
