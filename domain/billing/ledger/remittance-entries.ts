// The ledger entries of remittances, and of what a payee owes back after being overpaid. Contract 3.4 "Ledgers",
// domain facts 4.2.
import { type Cents, sumCents } from '../../money.ts';
import {
  DUE_TO_TRUST,
  grossCents,
  nettedCents,
  type RemittanceKind,
  type RemittancePart,
  remittedCents,
} from '../remittance.ts';
import type { AccountNumber } from './chart.ts';
import { clawbackEntries, transferEntries } from './entries.ts';
import { type Amount, type Posting, posting } from './posting.ts';

/**
 * Pays what the trust owes. What an agent owes back goes to operating cash, which had replaced it in the trust; what a
 * carrier or a state owes back stays in the trust.
 */
export function remittanceEntries(kind: RemittanceKind, parts: readonly RemittancePart[]): Posting[] {
  if (kind === 'transfer') return transferEntries({ mgaCents: grossOn(parts, 2030), feeCents: grossOn(parts, 2090) });
  const debits = parts.map((part): Amount => [part.account, grossCents(part)]);
  const netted = nettedCents(kind, parts);
  const credits: Amount[] = [
    [1010, cashCents(kind, parts)],
    [1200, DUE_TO_TRUST.includes(kind) ? netted : 0],
  ];
  return [
    posting('fiduciary', 'remittance', { debits, credits }),
    kind === 'commission' ? recoveredEntry(netted) : null,
  ].filter(isPosted);
}

/** What leaves the trust account. */
export function cashCents(kind: RemittanceKind, parts: readonly RemittancePart[]): Cents {
  return DUE_TO_TRUST.includes(kind) ? remittedCents(kind, parts) : sumCents(parts.map(grossCents));
}

/** A payee was paid more than is now due: the trust is made whole, and the payee owes it. */
export function shortfallEntries(kind: RemittanceKind, account: AccountNumber, cents: Cents): Posting[] {
  if (kind === 'commission') return [...clawbackEntries(cents), restoredCommission(cents)].filter(isPosted);
  if (DUE_TO_TRUST.includes(kind)) return [dueEntry(kind, account, cents)].filter(isPosted);
  return [
    posting('fiduciary', 'transfer', { debits: [[1010, cents]], credits: [[account, cents]] }),
    posting('general', 'transfer_received', { debits: [[1120, cents]], credits: [[1030, cents]] }),
  ].filter(isPosted);
}

/** The invoice's return has debited it to 2020; what operating cash paid in for 2060 makes up for that. */
function restoredCommission(cents: Cents): Posting | null {
  return posting('fiduciary', 'commission_restored', { debits: [[2060, cents]], credits: [[2020, cents]] });
}

function recoveredEntry(cents: Cents): Posting | null {
  return posting('general', 'clawback_recovered', { debits: [[1030, cents]], credits: [[1130, cents]] });
}

function dueEntry(kind: RemittanceKind, account: AccountNumber, cents: Cents): Posting | null {
  const type = kind === 'carrier' ? 'due_from_carrier' : 'due_from_state';
  return posting('fiduciary', type, { debits: [[1200, cents]], credits: [[account, cents]] });
}

function grossOn(parts: readonly RemittancePart[], account: AccountNumber): Cents {
  return sumCents(parts.filter((part) => part.account === account).map(grossCents));
}

function isPosted(entry: Posting | null): entry is Posting {
  return entry !== null;
}
