// What must be true once all deliveries have ended: each receiver's log has every event once, nothing arrived twice,
// everything the log does not call unknown arrived, and each delivery ended as its receiver made it end.
import type { OddReceiver, ReceiverKind } from './receivers.ts';

/** A line of the log. */
export interface LogLine {
  eventId: string;
  status: string;
  error: string | null;
}

export interface Logged extends OddReceiver {
  log: LogLine[];
}

/** `delivered`, or the error of a failed delivery. */
const ENDS: Readonly<Record<ReceiverKind, readonly string[]>> = {
  ...{ quick: ['delivered'], slow: ['delivered'], hanging: ['delivered', 'timeout'], gone: ['http_status'] },
  ...{ redirecting: ['redirect'], closing: ['connection_closed'], flooding: ['delivered'] },
  refusing: ['connection_refused'],
};

/** A sentence for each thing wrong with the deliveries of these events to a receiver. */
export function findingsAt({ kind, arrivals, log }: Logged, eventIds: ReadonlySet<string>, mostUnknown: number) {
  const arrived = new Set(arrivals);
  const logged = new Set(log.map(({ eventId }) => eventId));
  const known = log.filter(({ status }) => status !== 'unknown');
  const ended = (line: LogLine) => (line.status === 'delivered' ? 'delivered' : (line.error ?? line.status));
  const counts: Record<string, number> = {
    'arrived more than once': arrivals.length - arrived.size,
    'arrived and are none of ours': arrivals.filter((id) => !eventIds.has(id)).length,
    'are missing from the log': [...eventIds].filter((id) => !logged.has(id)).length,
    'are in the log more than once': log.length - logged.size,
    'ended in another way than they must': known.filter((line) => !ENDS[kind].includes(ended(line))).length,
    'were logged and did not arrive':
      kind === 'refusing' ? 0 : known.filter((line) => !arrived.has(line.eventId)).length,
    'are unknown beyond those that were under way': Math.max(0, log.length - known.length - mostUnknown),
  };
  return Object.entries(counts).flatMap(([what, count]) => (count === 0 ? [] : [`${kind}: ${count} events ${what}`]));
}

/** How a receiver's deliveries ended: the number for each outcome. */
export function endsOf({ kind, log }: Logged): string {
  const counts = Map.groupBy(log, ({ status, error }) => error ?? status);
  return `${kind}: ${[...counts].map(([end, lines]) => `${lines.length} ${end}`).join(', ')}`;
}
