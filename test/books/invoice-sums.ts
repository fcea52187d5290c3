// The rule for every invoice shown to anyone: its amounts add up. Needs no test runner, so a trial can use it.
/** Checks every invoice in an answer against Contract 3.4. @throws Error for one whose amounts do not add up */
export function ensureInvoicesAddUp(body: unknown): void {
  if (typeof body !== 'object' || body === null) return;
  if ('refundedAmount' in body && 'lines' in body) ensureAddsUp(body as unknown as ShownInvoice);
  for (const part of Object.values(body)) ensureInvoicesAddUp(part);
}

interface ShownInvoice extends Record<'total' | 'paidAmount' | 'refundedAmount' | 'balance', number> {
  status: string;
  lines: { amount: number }[];
}

const SETTLED = ['void', 'paid', 'refunded', 'partially_refunded'];

/** The balance is 0 once an invoice is fully paid or void, otherwise total − paidAmount + refundedAmount. */
function ensureAddsUp({ status, lines, total, paidAmount, refundedAmount, balance }: ShownInvoice): void {
  const owed = SETTLED.includes(status) ? 0 : total - paidAmount + refundedAmount;
  const billed = lines.reduce((sum, { amount }) => sum + amount, 0);
  const differs = (a: number, b: number) => Math.abs(a - b) > 0.001;
  if (!differs(balance, owed) && !differs(total, billed)) return;
  const amounts = { status, total, billed, paidAmount, refundedAmount, balance };
  throw new Error(`An invoice does not add up: ${JSON.stringify(amounts)}`);
}
