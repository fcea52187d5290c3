// Tables as comma-separated values, for callers who prefer them to JSON. RFC 4180.
import type { IncomingHttpHeaders } from 'node:http';
import { csvLine } from '../../domain/csv.ts';
import { prefers } from './preference.ts';
import { type Reply, reply } from './reply.ts';

/** Whether a caller prefers CSV: it names `text/csv` before JSON and any other type. */
export function prefersCsv({ accept }: IncomingHttpHeaders): boolean {
  return prefers(accept, 'text/csv');
}

/** Responds with a table; the columns are those given, or those of the first row. */
export function csvReply(columns: readonly string[], rows: readonly Record<string, unknown>[]): Reply {
  const body = [columns, ...rows.map((row) => columns.map((column) => row[column]))].map(csvLine).join('');
  return reply({ body, headers: { 'Content-Type': 'text/csv; charset=utf-8', Vary: 'Accept' } });
}
