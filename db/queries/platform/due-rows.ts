// The rows for which something happens automatically on a stored date: the same dates their workflows wait for.
import type { EntityManager } from '@mikro-orm/postgresql';
import { OPEN_REFERRAL_STATUSES } from '../../../domain/authority/referral.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { ENVELOPE_STATUSES, hasEnvelopeEnded } from '../../../domain/signing/envelope.ts';
import { isOpen, SUBMISSION_STATUSES } from '../../../domain/submission/submission.ts';
import { preparedRows } from '../../prepared.ts';
import { organizationOf } from '../../scope.ts';
import { quoted } from '../quoted.ts';

/** A row whose workflow must be woken. */
export interface DueRow {
  kind: 'submission' | 'policy' | 'claim' | 'appointment' | 'envelope';
  id: string;
}

/** Where a table stores a date, and which of its rows still wait for it. */
interface Due {
  /** Absent if no workflow waits: the calendar itself does what is due. */
  kind?: DueRow['kind'];
  table: string;
  date: string;
  where: string;
}

const OPEN_ENVELOPES = ENVELOPE_STATUSES.filter((status) => !hasEnvelopeEnded(status));

const DUE: readonly Due[] = [
  {
    ...{ kind: 'submission', table: 'submissions', date: 'expires_on' },
    where: `status in (${quoted(SUBMISSION_STATUSES.filter(isOpen))})`,
  },
  { kind: 'policy', table: 'policies', date: 'effective_date', where: "status = 'pending'" },
  { kind: 'policy', table: 'policies', date: 'expiration_date', where: "status = 'active'" },
  {
    ...{ kind: 'policy', table: 'policies', date: "(cancellation ->> 'effectiveDate')::date" },
    where: "status = 'pending_cancellation'",
  },
  { kind: 'claim', table: 'claims', date: 'next_step_on', where: "status <> 'closed'" },
  { kind: 'appointment', table: 'appointments', date: 'expiration_date', where: "status in ('active', 'suspended')" },
  { kind: 'envelope', table: 'signing_envelopes', date: 'next_step_on', where: 'true' },
  // One whose reminder was skipped keeps the day of that step, but still expires.
  { kind: 'envelope', table: 'signing_envelopes', date: 'expires_on', where: `status in (${quoted(OPEN_ENVELOPES)})` },
  { table: 'filings', date: 'next_step_on', where: "status = 'open'" },
  { table: 'referrals', date: 'next_step_on', where: `status in (${quoted(OPEN_REFERRAL_STATUSES)})` },
];

const earliest = ({ table, date, where }: Due) =>
  `select min(${date}) as date from ${table} where org_id = $1 and ${where} and ${date} between $2 and $3`;

const EARLIEST = {
  name: 'earliest due',
  text: `select min(date)::text as date from (${DUE.map(earliest).join(' union all ')}) each`,
};

const names = ({ kind, table, date, where }: Due, place: number) =>
  `select ${place} as place, '${kind}' as kind, id from ${table} where org_id = $1 and ${where} and ${date} <= $2`;

const NAMES = {
  name: 'due rows',
  text: `select kind, id from (${DUE.filter(({ kind }) => kind)
    .map(names)
    .join(' union all ')}) each group by kind, id order by min(place), id`,
};

/** Reads the earliest date that a row waits for, up to `until` and, if given, from `from`; null if there is none. */
export async function earliestDueRow(
  em: EntityManager,
  { from = '-infinity', until }: { from?: BusinessDate; until: BusinessDate },
): Promise<BusinessDate | null> {
  const [row] = await preparedRows<{ date: BusinessDate | null }>(em, EARLIEST, [organizationOf(em), from, until]);
  return row?.date ?? null;
}

/** Reads the rows whose date has come by a day: submissions first, then policies, and by id within a kind. */
export function dueRows(em: EntityManager, date: BusinessDate): Promise<DueRow[]> {
  return preparedRows<DueRow>(em, NAMES, [organizationOf(em), date]);
}
