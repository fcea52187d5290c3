// Money that leaves the trust for its owner: commission, carrier premium, taxes, fees, our own part. The ledger lines
// it covers are in `remittance_lines`.
import { defineEntity, p } from '@mikro-orm/core';
import type { RemittanceKind, RemittancePart, RemittanceStatus } from '../../../domain/billing/remittance.ts';
import {
  businessDate,
  cents,
  code,
  createdAtColumn,
  idColumn,
  instant,
  json,
  orgIdColumn,
  updatedAtColumn,
  versionColumn,
} from '../../columns.ts';

const RemittanceSchema = defineEntity({
  name: 'Remittance',
  tableName: 'remittances',
  properties: {
    id: idColumn('remittance'),
    orgId: orgIdColumn(),
    kind: code<RemittanceKind>(),
    /** A producer id, carrier name or state code; empty for a transfer to operating cash. */
    payee: p.text(),
    /** The filing it pays. */
    filingId: p.text().strictNullable(),
    /** Covers what was owed up to this day. */
    through: businessDate(),
    /** What the payee gets. */
    amountCents: cents(),
    /** What the payee owed back, already deducted. */
    nettedCents: cents(),
    /** What leaves the trust account. */
    cashCents: cents(),
    parts: json<RemittancePart[]>(),
    status: code<RemittanceStatus>(),
    preparedBy: p.text(),
    decidedBy: p.text().strictNullable(),
    decidedAt: instant().strictNullable(),
    rejectionReason: p.text().strictNullable(),
    paidOn: businessDate().strictNullable(),
    /** The check number, or the bank's name for the transfer; null if the approver gave none. */
    reference: p.text().strictNullable(),
    version: versionColumn(),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
});

export class Remittance extends RemittanceSchema.class {}
RemittanceSchema.setClass(Remittance);
