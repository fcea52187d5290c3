// The references under which money has left the trust account: check numbers and transfer names. The bank identifies a
// payment by nothing else. Contract 3.4 "Ledgers".
import type { EntityManager } from '@mikro-orm/postgresql';
import { ensureReferenceIsFree, type PaidOut } from '../../../domain/billing/paid-out.ts';
import { organizationOf } from '../../scope.ts';
import { holdUntilCommit } from '../holds.ts';
import { bound } from '../named-values.ts';

/**
 * Claims a reference for a payment: nothing else is paid under it until the commit.
 * @throws DomainError already_exists with the payment made under it, and the field that named it
 */
export async function takeReference(em: EntityManager, reference: string, field: string): Promise<void> {
  await holdUntilCommit(em, `reference ${reference.toLowerCase()}`, 'alone');
  ensureReferenceIsFree(await paidUnder(em, reference), field);
}

/**
 * Reads what has been paid under a reference, ignoring case, or null. The bank never pays a stopped check, so its
 * number is used up.
 */
export async function paidUnder(em: EntityManager, reference: string): Promise<PaidOut | null> {
  const sql = `
    select 'remittance' as resource, id from remittances where org_id = :org and lower(reference) = ${NAME}
    union all select 'disbursement', id from disbursements where org_id = :org and issues > 0
      and (lower(reference) = ${NAME}
        or exists (select from jsonb_each_text(issued_as) n where lower(n.value collate "C") = ${NAME}))
    limit 1`;
  const [found] = await em.execute<PaidOut[]>(...bound(sql, { org: organizationOf(em), reference }));
  return found ?? null;
}

const NAME = 'lower(cast(:reference as text) collate "C")';
