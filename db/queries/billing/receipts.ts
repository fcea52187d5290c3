// The stored receipts of payments: where each should be, and its digest.
import type { EntityManager } from '@mikro-orm/postgresql';
import { preparedRows } from '../../prepared.ts';
import { organizationOf } from '../../scope.ts';
import { bound } from '../named-values.ts';

/** A stored receipt; it has no digest until the step that stores it has ended. */
export interface StoredReceipt {
  paymentId: string;
  invoiceNumber: string;
  recordedAt: Date;
  sha256: string | null;
  bytes: number | null;
}

const SAVE_DIGEST = {
  name: 'save the digest of a receipt',
  text: 'update payments set receipt_sha256 = $3, receipt_bytes = $4 where org_id = $1 and id = $2',
};

/** Keeps the digest of a payment's stored receipt. */
export async function saveReceiptDigest(
  em: EntityManager,
  { paymentId, sha256, bytes }: { paymentId: string; sha256: string; bytes: number },
): Promise<void> {
  await preparedRows(em, SAVE_DIGEST, [organizationOf(em), paymentId, sha256, bytes]);
}

/** Receipts recorded since `recentSince` are read every time; each older one is read once in this many days. */
const ROTATION_DAYS = 30;

/**
 * Reads which receipts to check on a day (days since 1970), by payment id: those of money whose steps are or should be
 * done.
 */
export async function receiptsToCheck(
  em: EntityManager,
  order: { since: Date | null; recentSince: Date; day: number; after: string; rows: number },
): Promise<StoredReceipt[]> {
  const values = {
    ...{ org: organizationOf(em), after: order.after, rows: order.rows, day: order.day, rotation: ROTATION_DAYS },
    since: order.since?.toISOString() ?? null,
    recentSince: order.recentSince.toISOString(),
  };
  const rows = await em.execute<Record<string, string>[]>(...bound(TO_CHECK, values));
  return rows.map((row) => ({
    paymentId: row.id ?? '',
    invoiceNumber: row.invoice_number ?? '',
    recordedAt: new Date(row.created_at ?? ''),
    sha256: row.receipt_sha256 ?? null,
    bytes: row.receipt_bytes == null ? null : Number(row.receipt_bytes),
  }));
}

const TO_CHECK = `
select p.id, i.invoice_number, p.created_at, p.receipt_sha256, p.receipt_bytes
  from payments p join invoices i on i.org_id = p.org_id and i.id = p.invoice_id
  where p.org_id = :org and p.id > :after and p.kind in ('card', 'manual')
    and not (p.saga_ended_at is null and coalesce(p.updated_at > cast(:since as timestamptz), false))
    and (p.created_at > cast(:recentSince as timestamptz)
      or (abs(hashtext(p.id)::bigint) + :day) % :rotation = 0)
  order by p.id limit :rows`;
