// The status of an invoice's refunds, as printed: a refund is paid once it has gone back to a card, or its check is
// issued. Until then the insured is owed it. decisions/0320
import type { EntityManager } from '@mikro-orm/postgresql';
import { Disbursement } from '../../db/entities/billing/disbursement.ts';
import { notOwed } from '../../db/queries/billing/disbursements.ts';
import { type Cents, sumCents } from '../../domain/money.ts';

const NAMES = {
  owedCents: 'Refund to be paid out',
  keptCents: 'Refund kept in your account',
  withdrawnCents: 'Refund not owed, as the payment was returned',
} as const;

/** Splits an invoice's refunds into the amount paid out and, by name, the amounts not paid out. */
export async function refundParts(em: EntityManager, invoiceId: string, refundedCents: Cents) {
  const checks: Record<keyof typeof NAMES, Cents>[] = [];
  for (const row of await checksOf(em, invoiceId)) {
    const { amountCents, cancelledCents, keptCents } = row;
    const isOpen = row.status === 'pending' || row.status === 'stopped';
    const blockedCents = isOpen ? (await notOwed(em, row)).cents : 0;
    const owedCents = isOpen ? amountCents - cancelledCents - blockedCents : 0;
    checks.push({ owedCents, keptCents, withdrawnCents: cancelledCents - keptCents + blockedCents });
  }
  let refunded = refundedCents;
  const others = (['owedCents', 'keptCents', 'withdrawnCents'] as const).map((part) => {
    const cents = Math.min(sumCents(checks.map((check) => check[part])), refunded);
    refunded -= cents;
    return { name: NAMES[part], cents };
  });
  return { refunded, others: others.filter(({ cents }) => cents > 0) };
}

/** Names the status of an invoice's checks; empty without any. */
export async function refundMark(em: EntityManager, invoiceId: string): Promise<string> {
  const checks = await checksOf(em, invoiceId);
  return checks.map(({ id, version }) => `/${id}@${version}`).join('');
}

function checksOf(em: EntityManager, invoiceId: string): Promise<Disbursement[]> {
  return em.find(Disbursement, { invoiceId }, { orderBy: { id: 'asc' } });
}
