// Numbers without gaps. A series' row stays locked until the transaction ends, and a rollback returns the number, so
// take numbers last.
import type { EntityManager } from '@mikro-orm/postgresql';
import { preparedRows } from '../../prepared.ts';
import { organizationOf } from '../../scope.ts';

const DIGITS = 6;

const POLICY_NUMBER = {
  name: 'policy number',
  text: `insert into policy_number_counters as counter (key, value) values ($1, 1)
    on conflict (key) do update set value = counter.value + 1 returning value`,
};
const NUMBERS = {
  name: 'numbers of an organization',
  text: `insert into org_counters as counter (org_id, key, value) values ($1, $2, $3)
    on conflict (org_id, key) do update set value = counter.value + excluded.value returning value`,
};

/**
 * Takes the next policy number of a line, a state and the year of the effective date: `GL-TX-2026-000123`. The whole
 * installation shares the series, so a number alone identifies a policy.
 */
export async function nextPolicyNumber(
  em: EntityManager,
  { line, state, year }: { line: string; state: string; year: number },
): Promise<string> {
  const key = `${line}-${state}-${year}`;
  const [row] = await preparedRows<{ value: string }>(em, POLICY_NUMBER, [key]);
  return numbered(key, Number(row?.value));
}

/** Takes an organization's next invoice numbers in a year: `INV-2026-000321`, as many as requested, ascending. */
export function nextInvoiceNumbers(em: EntityManager, year: number, count: number): Promise<string[]> {
  return nextNumbers(em, `INV-${year}`, count);
}

/** Takes an organization's next claim number in a year: `CLM-2026-000045`. */
export async function nextClaimNumber(em: EntityManager, year: number): Promise<string> {
  const [number = ''] = await nextNumbers(em, `CLM-${year}`, 1);
  return number;
}

/** Takes an organization's next certificate number in a year: `COI-2026-000123`. */
export async function nextCertificateNumber(em: EntityManager, year: number): Promise<string> {
  const [number = ''] = await nextNumbers(em, `COI-${year}`, 1);
  return number;
}

async function nextNumbers(em: EntityManager, key: string, count: number): Promise<string[]> {
  const [row] = await preparedRows<{ value: string }>(em, NUMBERS, [organizationOf(em), key, count]);
  const last = Number(row?.value);
  return Array.from({ length: count }, (_, i) => numbered(key, last - count + 1 + i));
}

function numbered(series: string, value: number): string {
  return `${series}-${String(value).padStart(DIGITS, '0')}`;
}
