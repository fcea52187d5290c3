/** What the mails to the insured say. Pure. */
import type { BusinessDate } from '../domain/dates.ts';
import { type Cents, sumCents } from '../domain/money.ts';
import { nonPaymentNoticeDays } from '../domain/policy-life/notice.ts';
import type { NoticeKind } from './messages-policy.ts';

/** What a mail is about. */
export interface NoticeFacts {
  organization: string;
  insuredName: string;
  policyNumber: string;
  state: string;
  /** The day of the cancellation; null where none stands any more. */
  endsOn: BusinessDate | null;
  /** The last day of the term, which is not covered any more. */
  expiresOn: BusinessDate;
  pastDue: { invoiceNumber: string; dueDate: BusinessDate; balanceCents: Cents }[];
}

export interface NoticeText {
  subject: string;
  /** Plain text; lines end in `\n`. */
  text: string;
}

/** Gives subject and text of a mail. */
export function noticeText(kind: NoticeKind, facts: NoticeFacts): NoticeText {
  const { subject, paragraphs } = TEXTS[kind](facts);
  const { organization, insuredName, policyNumber } = facts;
  const text = [`${insuredName},`, ...paragraphs, organization].join('\n\n');
  return { subject: `${subject}: policy ${policyNumber}`, text: `${text}\n` };
}

type Text = (facts: NoticeFacts) => { subject: string; paragraphs: string[] };

const TEXTS: Record<NoticeKind, Text> = {
  past_due: (facts) => ({
    subject: 'Payment past due',
    paragraphs: [
      `A payment for your policy ${facts.policyNumber} is past due.`,
      billsOf(facts),
      'Please pay what is past due to keep your policy in force.',
    ],
  }),
  notice: (facts) => ({
    subject: 'Notice of cancellation for non-payment',
    paragraphs: [
      `Your policy ${facts.policyNumber} will be cancelled for non-payment of premium on ${facts.endsOn}: ${daysOf(facts)} days from this notice, as required in ${facts.state}. There is no cover from the beginning of that day.`,
      billsOf(facts),
      `If all that is past due is paid before ${facts.endsOn}, the notice is taken back and your policy goes on.`,
    ],
  }),
  move: (facts) => ({
    subject: 'Cancellation for non-payment postponed',
    paragraphs: [
      `The cancellation of your policy ${facts.policyNumber} for non-payment of premium now takes effect on ${facts.endsOn}. There is no cover from the beginning of that day.`,
      billsOf(facts),
    ],
  }),
  withdraw: (facts) => ({
    subject: 'Notice of cancellation taken back',
    paragraphs: [
      `The notice of cancellation of your policy ${facts.policyNumber} for non-payment of premium is taken back; its cover goes on.`,
      ...(facts.pastDue.length > 0 ? [billsOf(facts)] : []),
    ],
  }),
  rescind: ({ policyNumber }) => ({
    subject: 'Notice of cancellation taken back',
    paragraphs: [`What was past due has been paid. Your policy ${policyNumber} goes on without a gap.`],
  }),
  cancellation: (facts) => ({
    subject: 'Notice of cancellation',
    paragraphs: [
      `Your policy ${facts.policyNumber} is cancelled as of ${facts.endsOn}. There is no cover from the beginning of that day.`,
    ],
  }),
  non_renewal: ({ policyNumber, expiresOn }) => ({
    subject: 'Notice of non-renewal',
    paragraphs: [
      `Your policy ${policyNumber} will not be renewed. It expires on ${expiresOn}, and there is no cover from the beginning of that day.`,
    ],
  }),
  lapse: (facts) => ({
    subject: 'Policy cancelled for non-payment',
    paragraphs: [
      `Your policy ${facts.policyNumber} was cancelled for non-payment of premium. Its cover ended on ${facts.endsOn}.`,
      ...(facts.pastDue.length > 0 ? [billsOf(facts)] : []),
    ],
  }),
};

function daysOf({ state }: NoticeFacts): number {
  return nonPaymentNoticeDays(state);
}

function billsOf({ pastDue }: NoticeFacts): string {
  const lines = pastDue.map((bill) => `  ${bill.invoiceNumber}, due ${bill.dueDate}: ${money(bill.balanceCents)}`);
  const total = sumCents(pastDue.map(({ balanceCents }) => balanceCents));
  return [`Past due: ${money(total)}`, ...lines].join('\n');
}

function money(cents: Cents): string {
  const [dollars, rest] = [Math.trunc(cents / 100), String(cents % 100).padStart(2, '0')];
  return `$${dollars.toLocaleString('en-US')}.${rest}`;
}
