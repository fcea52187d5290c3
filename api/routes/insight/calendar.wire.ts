// Filings as a calendar: an all-day entry for each open one, by RFC 5545. The same filings give the same bytes.
import ical, { ICalAlarmType, ICalCalendarMethod, ICalEventTransparency } from 'ical-generator';
import type { DueEntry } from '../../../db/queries/insight/calendar-feeds.ts';

const ALARM_SECONDS = 7 * 86_400;

/** Writes an organization's calendar. Its readers are unknown, so it names rows by id and no people. */
export function calendarOf(organization: string, filings: readonly Readonly<DueEntry>[]): string {
  const calendar = ical({
    name: `Compliance: ${organization}`,
    method: ICalCalendarMethod.PUBLISH,
    prodId: { company: 'Bindery', product: 'Compliance', language: 'EN' },
    ttl: 6 * 3_600,
  });
  for (const filing of filings) {
    const start = new Date(`${filing.dueDate}T00:00:00Z`);
    const event = calendar.createEvent({
      ...{ id: nameOf(filing), start, end: new Date(start.getTime() + 86_400_000), allDay: true },
      ...{ summary: titleOf(filing), description: detailsOf(filing) },
      // Stamped with the row's time: an unchanged entry is identical in every response.
      ...{ stamp: filing.updatedAt, transparency: ICalEventTransparency.TRANSPARENT },
    });
    event.createAlarm({ type: ICalAlarmType.display, trigger: ALARM_SECONDS, description: titleOf(filing) });
  }
  return calendar.toString();
}

/** Kinds whose codes say too little. */
const WORDS: Readonly<Record<string, string>> = {
  claim_ack: 'acknowledge a claim',
  claim_decision: 'decide a claim',
  bordereau_due: 'bordereaux due',
  fmcsa_notice: 'notice to FMCSA',
  mga_audit: 'audit by the carrier',
  nonrenewal_notice: 'last day for notice of non-renewal',
};

/** `TX: surplus lines tax payment`, derived from the kind's code. */
function titleOf({ kind, state, carrier, period, count }: DueEntry): string {
  const words = (WORDS[kind] ?? kind).replace(/^sl_/, 'surplus_lines_').replaceAll('_', ' ');
  const month = period === null ? '' : ` (${period})`;
  const many = count === 1 ? '' : `, ${count} filings`;
  return `${state ?? carrier ?? 'Compliance'}: ${words}${month}${many}`;
}

/** Several filings that share an entry keep the same entry as their number shrinks. */
function nameOf({ id, kind, state, carrier, period, dueDate, count }: DueEntry): string {
  return count === 1 ? id : [kind, state ?? carrier, period, dueDate].filter((part) => part !== null).join('/');
}

function detailsOf({ id, policyId, producerId, claimId, kind, dueDate, count }: DueEntry): string {
  if (count > 1) return `List them: /v1/compliance/filings?kind=${kind}&dueFrom=${dueDate}&dueTo=${dueDate}`;
  const about = Object.entries({ Policy: policyId, Producer: producerId, Claim: claimId });
  const known = about.flatMap(([name, of]) => (of === null ? [] : [`${name} ${of}`]));
  return [`Filing ${id}`, ...known].join('\n');
}
