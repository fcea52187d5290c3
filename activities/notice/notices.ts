/**
 * E-mails to the insured about unpaid premium, cancellation and non-renewal. Each is recorded as sent under its own
 * id, so a retry does not send it twice. If an attempt dies between sending and recording, both copies carry the same
 * Message-ID. One that cannot go out is kept with its outcome, and raises an alert if the law requires the notice.
 * Contract 3.2 "Delinquency".
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Notice } from '../../contracts/notice.ts';
import { Payment } from '../../db/entities/billing/payment.ts';
import { Organization } from '../../db/entities/platform/organization.ts';
import type { Policy } from '../../db/entities/policy/policy.ts';
import { countsAgainstPolicy, invoiceAmounts, invoicesOfPolicy } from '../../db/queries/billing/invoices.ts';
import { isUndeliverable } from '../../db/queries/delivery/sent-mails.ts';
import { writeAudit } from '../../db/queries/platform/audit.ts';
import { commandResult, saveCommand } from '../../db/queries/platform/commands.ts';
import { findPolicy, holdPolicy, policyTransactions } from '../../db/queries/policy/policies.ts';
import { invoiceBalance, isFullyPaid } from '../../domain/billing/invoice.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { type Cents, sumCents } from '../../domain/money.ts';
import { groundsText } from '../../domain/notice/grounds.ts';
import type { NoticeOutcome } from '../../domain/notice/notice-outcome.ts';
import { type NoticeFacts, noticeText } from '../../domain/notice/notice-texts.ts';
import { noticePageFacts } from '../../plans/document/notice-facts.ts';
import { chargeFacts, isAboutAutopay } from '../../plans/notice/charge-facts.ts';
import { businessDay } from '../../plans/platform/business-day.ts';
import type { Mail } from '../../providers/mail-port.ts';
import { auditOf, SYSTEM } from '../audit.ts';
import { type Deps, transaction } from '../context.ts';
import { messageIdOf, noticeDone } from './due-notices.ts';
import { handOver, NOT_SENT, rememberRefusal } from './hand-over.ts';
import { alertNoticeNotDelivered } from './notice-alerts.ts';
import { keepMail } from './sent-mails.ts';

/** `nothing_due`: the reason for the notice had gone before it was sent. */
export type NoticeResult = NoticeOutcome | 'nothing_due';

interface NoticeOrder extends Notice {
  orgId: string;
  policyId: string;
}

/** Sends a notice once. An insured without a deliverable address gets none, and the notice shows why. */
export const sendNotice =
  (deps: Deps) =>
  async (order: NoticeOrder): Promise<NoticeResult> => {
    const { orgId } = order;
    const step = { kind: 'sendNotice', orgId };
    const messageId = messageIdOf(order);
    const found = await transaction(deps, step, async (em) => {
      const earlier = (await commandResult(em, messageId)) as { result: NoticeResult } | null;
      if (earlier === null) return mailOf(em, deps, order);
      await noticeDone(em, order);
      return earlier;
    });
    if (typeof found === 'object' && 'result' in found) return found.result;
    const mail = typeof found === 'string' ? null : { ...found, messageId };
    const { providerId, refusal } = mail === null ? NOT_SENT : await handOver(deps, mail);
    const result = typeof found === 'string' ? found : refusal === null ? 'sent' : 'undeliverable';
    await transaction(deps, step, async (em) => {
      // Before the alert takes the events' counter: a change of the policy takes the two in this order.
      await holdPolicy(em, order.policyId);
      await noticeDone(em, order);
      if ((await commandResult(em, messageId)) !== null) return;
      saveCommand(em, messageId, 'sendNotice', { result });
      if (mail !== null) await rememberRefusal(em, mail, refusal);
      const kept = { messageId, providerId, isRefused: refusal !== null };
      if (result !== 'nothing_due') await keepNotice(em, deps, order, { outcome: result, ...kept });
      const origin = { actor: SYSTEM, requestId: null, entityId: order.policyId };
      const changes = { kind: order.kind, on: order.on, result, messageId };
      writeAudit(em, auditOf(origin, 'policy:send_notice', 'policy', changes));
      await em.flush();
    });
    return result;
  };

async function keepNotice(
  em: EntityManager,
  deps: Deps,
  { policyId, kind, on }: NoticeOrder,
  { isRefused, ...sent }: { outcome: NoticeOutcome; messageId: string; providerId: string | null; isRefused: boolean },
): Promise<void> {
  keepMail(em, deps, { policyId, kind, onDate: on, ...sent });
  if (sent.outcome === 'sent') return;
  await alertNoticeNotDelivered(em, deps, { policyId, kind, outcome: isRefused ? 'refused' : sent.outcome });
}

async function mailOf(em: EntityManager, deps: Deps, order: NoticeOrder): Promise<Mail | NoticeResult> {
  const policy = await findPolicy(em, order.policyId);
  if (policy === null || policy.insuredEmail === null) return 'no_address';
  if (await isUndeliverable(em, policy.insuredEmail)) return 'undeliverable';
  const charge = isAboutAutopay(order) ? await chargeFacts(em, order, policy) : null;
  if (isAboutAutopay(order) && charge === null) return 'nothing_due';
  const { today } = await businessDay(em, order.orgId, deps.now());
  const invoices = await invoicesOfPolicy(em, policy.id);
  const unpaid = invoices.filter(
    (invoice) =>
      countsAgainstPolicy(invoice) &&
      invoice.voidedAt === null &&
      invoice.uncollectibleAt === null &&
      !isFullyPaid(invoiceAmounts(invoice)),
  );
  // Amounts that cannot end the policy are not needed to keep it: returned payment fees, and amounts in dispute.
  const pastDue = unpaid.filter(({ dueDate }) => dueDate < today);
  // Paid or withdrawn before the notice was sent: it would only alarm the insured.
  if (order.kind === 'past_due' && pastDue.length === 0) return 'nothing_due';
  if (order.kind === 'cancellation' && policy.cancellation === null) return 'nothing_due';
  const organization = await em.findOneOrFail(Organization, { id: order.orgId });
  const facts: NoticeFacts = {
    organization: organization.name,
    payTo: organization.paymentInstructions,
    insuredName: policy.insuredName,
    policyNumber: policy.policyNumber,
    state: policy.state,
    lineOfBusiness: policy.lineOfBusiness,
    ...(await announcedFacts(em, order)),
    endsOn: announcedDay(policy, order),
    expiresOn: policy.expirationDate,
    ...(charge === null ? {} : { charge }),
    ...(order.kind === 'lapse' ? { refundCents: await refundAfterLapse(em, policy.id) } : {}),
    pastDue: pastDue.map((invoice) => ({
      invoiceNumber: invoice.invoiceNumber,
      dueDate: invoice.dueDate,
      balanceCents: invoiceBalance(invoiceAmounts(invoice)),
    })),
  };
  return { to: policy.insuredEmail, ...noticeText(order.kind, facts) };
}

/** The lapse's return premium; failed refunds are not promised. */
async function refundAfterLapse(em: EntityManager, policyId: string): Promise<Cents> {
  const lapse = (await policyTransactions(em, policyId)).findLast(({ type }) => type === 'cancellation');
  if (lapse === undefined) return 0;
  const of = { policyId, kind: 'refund', policyTransactionId: lapse.id, status: { $ne: 'failed' } } as const;
  return sumCents((await em.find(Payment, of)).map(({ amountCents }) => -amountCents));
}

/** The grounds given by the announced transaction, and the days it leaves without coverage. */
async function announcedFacts(
  em: EntityManager,
  { policyId, transactionId }: NoticeOrder,
): Promise<Pick<NoticeFacts, 'reason' | 'restored'>> {
  const stack = transactionId === undefined ? [] : await policyTransactions(em, policyId);
  const place = stack.findIndex(({ id }) => id === transactionId);
  const announced = stack[place];
  if (announced === undefined) return { reason: null };
  const { gap, withdrawnNotice } = noticePageFacts(stack.slice(0, place + 1));
  const restored = { gap, withdrawnNotice, effectiveDate: announced.effectiveDate };
  return { reason: groundsText(announced), ...(announced.type === 'reinstatement' && { restored }) };
}

/** A cancellation may wait behind a non-payment notice with an earlier day. */
function announcedDay({ cancellation, delinquency }: Readonly<Policy>, { kind }: NoticeOrder): BusinessDate | null {
  const waitsUntil = kind === 'cancellation' ? delinquency?.endsAnywayOn : null;
  return waitsUntil ?? cancellation?.effectiveDate ?? null;
}
