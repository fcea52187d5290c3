// Movements of trust cash in the ledger: the lines of account 1010, each with the names a bank may use for it.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { BusinessDate } from '../../../../domain/dates.ts';
import type { Cents } from '../../../../domain/money.ts';
import { organizationOf } from '../../../scope.ts';
import { bound } from '../../named-values.ts';
import { cursorOf, type Page, type PageRequest, readCursor } from '../../pages.ts';

/** A movement; `bankLineId` is the booking it is matched with. */
export interface Movement {
  id: string;
  entryId: string;
  entryType: string;
  sourceType: string;
  sourceId: string;
  description: string;
  date: BusinessDate;
  amountCents: Cents;
  references: string[];
  bankLineId: string | null;
}

interface MovementFilter {
  isMatched?: boolean | undefined;
  from?: BusinessDate | undefined;
  to?: BusinessDate | undefined;
}

const NAMES = `array[e.source_id, p.reference,
  coalesce(d.issued_as ->> split_part(e.source_id, ':', 2), d.reference), r.reference, c.processor_payout_id, c.trace]`;

const MOVEMENTS = `
select l.id, e.id as "entryId", e.entry_type as "entryType", e.source_type as "sourceType", e.source_id as "sourceId",
    e.description, e.date::text as date, l.debit_cents - l.credit_cents as cents, b.bank_line_id as "bankLineId",
    array_remove(${NAMES}, null) as references
  from ledger_lines l join ledger_entries e on e.org_id = l.org_id and e.id = l.entry_id
  left join bank_matches b on b.org_id = l.org_id and b.ledger_line_id = l.id and not b.released
  left join payments p on p.org_id = e.org_id and e.source_type in ('payment', 'refund') and p.id = e.source_id
  left join disbursements d on d.org_id = e.org_id and e.source_type = 'disbursement'
    and d.id = split_part(e.source_id, ':', 1)
  left join remittances r on r.org_id = e.org_id and e.source_type = 'remittance' and r.id = e.source_id
  left join card_payouts c on c.org_id = e.org_id and e.source_type = 'card_payout' and c.id = e.source_id
    and e.entry_type in ('card_payout', 'card_payout_failed')
  where l.org_id = :org and l.account = 1010`;

type Row = Omit<Movement, 'amountCents'> & { cents: string };

const movementOf = ({ cents, ...row }: Row): Movement => ({ ...row, amountCents: Number(cents) });

/** Movements of these amounts between two days; an amount with more than `mostOfAmount` of them is left out. */
interface OpenFilter {
  amounts: readonly Cents[];
  from: BusinessDate;
  to: BusinessDate;
  mostOfAmount: number;
}

/** Reads the unmatched movements, oldest first. */
export async function openMovements(
  em: EntityManager,
  { amounts, from, to, mostOfAmount }: OpenFilter,
): Promise<Movement[]> {
  const values = { org: organizationOf(em), amounts: JSON.stringify(amounts), from, to, most: mostOfAmount };
  const sql = `select * from (
    select open.*, count(*) over (partition by cents) as "sameCount" from (
      ${MOVEMENTS} and b.id is null and e.date between cast(:from as date) and cast(:to as date)
        and l.debit_cents - l.credit_cents in (
          select value::bigint from jsonb_array_elements_text(cast(:amounts as jsonb)) value)
    ) open
  ) counted where "sameCount" <= :most order by id`;
  const rows = await em.execute<(Row & { sameCount: string })[]>(...bound(sql, values));
  return rows.map(({ sameCount: _sameCount, ...row }) => movementOf(row));
}

/** Reads the movements between two days that carry one of these names as whole words, matched or not, of any amount. */
export async function movementsNamed(
  em: EntityManager,
  { names, from, to }: { names: readonly string[]; from: BusinessDate; to: BusinessDate },
): Promise<Movement[]> {
  if (names.length === 0) return [];
  const values = { org: organizationOf(em), names: JSON.stringify(names), from, to };
  const sql = `${MOVEMENTS} and e.date between cast(:from as date) and cast(:to as date) and exists (
      select from unnest(${NAMES}) name
      where upper(trim(regexp_replace(name, '[^[:alnum:]]+', ' ', 'g'))) in (
        select jsonb_array_elements_text(cast(:names as jsonb))))`;
  const rows = await em.execute<Row[]>(...bound(sql, values));
  return rows.map(movementOf);
}

/** Reads movements by id, matched or not. */
export async function movementsOf(em: EntityManager, ids: readonly string[]): Promise<Movement[]> {
  const values = { org: organizationOf(em), ids: JSON.stringify(ids) };
  const sql = `${MOVEMENTS} and l.id in (select jsonb_array_elements_text(cast(:ids as jsonb))) order by l.id`;
  const rows = await em.execute<Row[]>(...bound(sql, values));
  return rows.map(movementOf);
}

/** Reads a page of movements, newest first. @throws DomainError validation_failed for a bad cursor */
export async function listMovements(
  em: EntityManager,
  { isMatched, from, to }: MovementFilter,
  { limit, cursor }: PageRequest,
): Promise<Page<Movement>> {
  const values = {
    ...{ org: organizationOf(em), from: from ?? null, to: to ?? null, more: limit + 1 },
    before: cursor ? readCursor(cursor) : null,
  };
  const matched = isMatched === undefined ? '' : `and b.id is ${isMatched ? 'not ' : ''}null`;
  const sql = `${MOVEMENTS} ${matched}
    and (cast(:from as date) is null or e.date >= cast(:from as date))
    and (cast(:to as date) is null or e.date <= cast(:to as date))
    and (cast(:before as text) is null or l.id < cast(:before as text) collate "C") order by l.id desc limit :more`;
  const rows = (await em.execute<Row[]>(...bound(sql, values))).map(movementOf);
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  return { data, nextCursor: rows.length > limit && last !== undefined ? cursorOf(last.id) : null };
}
