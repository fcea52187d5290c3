// Maps remittances from rows to the wire and to tables. Pure.
import type { Remittance } from '../../../../db/entities/billing/remittance.ts';
import type { CoveredInvoice } from '../../../../db/queries/billing/remittances/remittances.ts';
import { toDollars } from '../../../../domain/money.ts';
import { csvReply } from '../../../spine/csv.ts';
import type { Reply } from '../../../spine/reply.ts';
import { instantToWire } from '../charges.wire.ts';
import type { RemittanceDetailWire, RemittanceWire } from './remittances.schemas.ts';

/** Returns a remittance; amounts in dollars. */
export function remittanceToWire(row: Readonly<Remittance>): RemittanceWire {
  const { id, orgId, kind, payee, filingId, through, status, preparedBy, decidedBy, decidedAt, paidOn, version } = row;
  return {
    ...{ id, orgId, kind },
    producerId: kind === 'commission' ? payee : null,
    carrier: kind === 'carrier' ? payee : null,
    state: kind === 'tax' || kind === 'stamping' ? payee : null,
    ...{ filingId, through, amount: toDollars(row.amountCents), netted: toDollars(row.nettedCents), status },
    ...{ preparedBy, decidedBy, decidedAt: decidedAt === null ? null : instantToWire(decidedAt) },
    ...{ reason: row.rejectionReason, paidOn, reference: row.reference, version },
    createdAt: instantToWire(row.createdAt),
    updatedAt: instantToWire(row.updatedAt),
  };
}

/** Returns a remittance with what it covers and, while it waits, the available cash. */
export function detailToWire(
  row: Readonly<Remittance>,
  { covered, trustCashCents }: { covered: readonly CoveredInvoice[]; trustCashCents: number | null },
): RemittanceDetailWire {
  const trustCash = trustCashCents === null ? null : toDollars(trustCashCents);
  const invoices = covered.map(({ amountCents, ...invoice }) => ({ ...invoice, amount: toDollars(amountCents) }));
  return { ...remittanceToWire(row), trustCash, invoices };
}

/** A payee's name in the payment file. */
interface PayeeName {
  name: string;
  npn: string | null;
}

const FILE_COLUMNS = ['id', 'kind', 'payee', 'npn', 'amount', 'currency', 'through', 'status', 'paidOn', 'reference'];

/** The payment file: one row per payment. `names` are the producers' names by id. */
export function paymentFile(rows: readonly RemittanceWire[], names: ReadonlyMap<string, PayeeName>): Reply {
  // A remittance netted in full is settled and needs no payment.
  const paid = rows.filter(({ amount }) => amount > 0);
  const payments = paid.map((row) => {
    const { name, npn } = names.get(row.producerId ?? '') ?? { name: row.carrier ?? row.state, npn: null };
    return { ...row, payee: name, npn, currency: 'USD' };
  });
  return csvReply(FILE_COLUMNS, payments);
}

/** What a remittance covers, as a table: one row per invoice and account. */
export function coveredTable({ invoices }: RemittanceDetailWire): Reply {
  return csvReply(['invoiceId', 'invoiceNumber', 'policyId', 'account', 'amount'], invoices);
}
