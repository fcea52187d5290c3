// Maps journals from and to the wire. Pure.
import type { Journal } from '../../../db/entities/billing/journal.ts';
import type { EnteredLine } from '../../../domain/billing/ledger/journal.ts';
import { fromDollars, toDollars } from '../../../domain/money.ts';
import { instantToWire } from './charges.wire.ts';
import type { JournalWire, JournalWrite } from './journals.schemas.ts';

/** Returns the lines as entered, in cents. */
export function linesFromWire(lines: JournalWrite['lines']): EnteredLine[] {
  return lines.map(({ account, debit, credit }, index) => ({
    account,
    debitCents: debit === undefined ? null : fromDollars(debit, `lines.${index}.debit`),
    creditCents: credit === undefined ? null : fromDollars(credit, `lines.${index}.credit`),
  }));
}

/** Returns a journal; amounts in dollars. */
export function journalToWire(journal: Journal): JournalWire {
  const { id, orgId, status, ledger, date, description, policyId, invoiceId } = journal;
  const { completesPaymentId, completesStep, madeBy, decidedBy, decidedAt, entryId, createdAt, updatedAt } = journal;
  return {
    ...{ id, orgId, status, ledger, date, description, policyId, invoiceId, madeBy, decidedBy, entryId },
    lines: journal.lines.map(({ account, debitCents, creditCents }) => ({
      account,
      debit: toDollars(debitCents),
      credit: toDollars(creditCents),
    })),
    completesStep:
      completesPaymentId === null || completesStep === null
        ? null
        : { paymentId: completesPaymentId, step: completesStep },
    decidedAt: decidedAt === null ? null : instantToWire(decidedAt),
    reason: journal.rejectionReason,
    createdAt: instantToWire(createdAt),
    updatedAt: instantToWire(updatedAt),
  };
}
