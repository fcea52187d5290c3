// The wording of e-mail notices to insureds.

import { type BusinessDate, dayText } from '../dates.ts';
import { isClaimsMade } from '../lines.ts';
import { type Cents, dollarText, sumCents } from '../money.ts';
import { AUTOPAY_TEXTS, type ChargeNoticeFacts } from './autopay-texts.ts';
import { nonPaymentNoticeDays } from './notice.ts';
import type { NoticeKind } from './notice-kind.ts';

/** The facts that a notice states. */
export interface NoticeFacts {
  organization: string;
  insuredName: string;
  policyNumber: string;
  state: string;
  lineOfBusiness: string;
  /** The grounds of a cancellation or a non-renewal; null in a notice of anything else. */
  reason: string | null;
  /** The first day without coverage; null when no cancellation is pending or in effect. */
  endsOn: BusinessDate | null;
  /** The day the term ends, which is itself no longer covered. */
  expiresOn: BusinessDate;
  pastDue: { invoiceNumber: string; dueDate: BusinessDate; balanceCents: Cents }[];
  /** Where to pay, line by line; none until the organization has recorded it. */
  payTo: readonly string[];
  /** What is returned to the insured after a lapse; only in an e-mail about one. */
  refundCents?: Cents;
  /** The bill that autopay charges; only in an e-mail about autopay. */
  charge?: ChargeNoticeFacts;
  /** Only in an e-mail about a reinstatement. */
  restored?: RestoredFacts;
}

/** A reinstatement: its day, the days without coverage before it, and the notice that it rescinds. */
interface RestoredFacts {
  effectiveDate: BusinessDate;
  gap: { from: BusinessDate; to: BusinessDate } | null;
  withdrawnNotice: BusinessDate | null;
}

export interface NoticeText {
  subject: string;
  /** Plain text; lines end in `\n`. */
  text: string;
}

/** The subject and the text of a notice. */
export function noticeText(kind: NoticeKind, facts: NoticeFacts): NoticeText {
  const { subject, paragraphs } = TEXTS[kind](facts);
  const { organization, insuredName, policyNumber } = facts;
  const text = [`${insuredName},`, ...paragraphs, organization].join('\n\n');
  return { subject: `${subject}: policy ${policyNumber}`, text: `${text}\n` };
}

type Text = (facts: NoticeFacts) => { subject: string; paragraphs: string[] };

const TEXTS: Record<NoticeKind, Text> = {
  ...AUTOPAY_TEXTS,
  past_due: (facts) => ({
    subject: 'Payment past due',
    paragraphs: [
      `A payment for your policy ${facts.policyNumber} is past due.`,
      ...toPay(facts),
      [
        'Please pay the past-due amount now to keep your policy in force.',
        `If you have already paid or have a question, contact your agent or ${facts.organization}.`,
      ].join(' '),
    ],
  }),
  notice: (facts) => ({
    subject: 'Notice of cancellation for non-payment',
    paragraphs: [
      [
        `We will cancel your policy ${facts.policyNumber} on ${day(facts.endsOn)} for non-payment of premium.`,
        `That is ${noticeDays(facts)} days from the date of this notice, as state law requires.`,
        endOfCoverage(facts, facts.endsOn),
      ].join(' '),
      ...toPay(facts),
      [
        `If you pay the full past-due amount before ${day(facts.endsOn)}, your policy will stay in force`,
        'and this notice will no longer apply.',
      ].join(' '),
    ],
  }),
  move: (facts) => ({
    subject: 'Cancellation for non-payment postponed',
    paragraphs: [
      [
        `The cancellation of your policy ${facts.policyNumber} for non-payment of premium has been postponed.`,
        `It now takes effect on ${day(facts.endsOn)}. ${endOfCoverage(facts, facts.endsOn)}`,
      ].join(' '),
      ...toPay(facts),
      `If you pay the full past-due amount before ${day(facts.endsOn)}, your policy will stay in force.`,
    ],
  }),
  withdraw: (facts) => ({
    subject: 'Notice of cancellation withdrawn',
    paragraphs: [
      [
        `We have withdrawn the notice of cancellation for non-payment of premium on your policy ${facts.policyNumber}.`,
        facts.endsOn === null ? 'Your coverage continues.' : standsAgain(facts, facts.endsOn),
      ].join(' '),
      ...(facts.pastDue.length > 0 ? [pastDueList(facts)] : []),
    ],
  }),
  rescind: (facts) => ({
    subject: 'Notice of cancellation withdrawn',
    paragraphs: [
      [
        'We have received your past-due payment.',
        facts.endsOn === null
          ? `Your policy ${facts.policyNumber} continues without a lapse in coverage.`
          : `Your policy ${facts.policyNumber} will not be cancelled for non-payment. ${standsAgain(facts, facts.endsOn)}`,
      ].join(' '),
    ],
  }),
  cancellation: (facts) => ({
    subject: 'Notice of cancellation',
    paragraphs: [
      [
        `We are cancelling your policy ${facts.policyNumber}, effective ${day(facts.endsOn)}.`,
        endOfCoverage(facts, facts.endsOn),
      ].join(' '),
      ...reasonOf(facts),
      questions(facts),
    ],
  }),
  cancellation_withdrawal: (facts) => ({
    subject: 'Notice of cancellation withdrawn',
    paragraphs: [
      [
        `We have withdrawn our notice of cancellation of ${day(facts.restored?.withdrawnNotice ?? null)}`,
        `for your policy ${facts.policyNumber}. Your coverage continues without interruption.`,
      ].join(' '),
      questions(facts),
    ],
  }),
  reinstatement: (facts) => ({
    subject: 'Policy reinstated',
    paragraphs: [
      [
        `We have reinstated your policy ${facts.policyNumber},`,
        `effective ${day(facts.restored?.effectiveDate ?? null)}. ${daysWithoutCoverage(facts)}`,
      ].join(' '),
      questions(facts),
    ],
  }),
  non_renewal: (facts) => ({
    subject: 'Notice of non-renewal',
    paragraphs: [
      [
        `We will not renew your policy ${facts.policyNumber}. It expires on ${day(facts.expiresOn)}.`,
        endOfCoverage(facts, facts.expiresOn),
      ].join(' '),
      ...reasonOf(facts),
      questions(facts),
    ],
  }),
  non_renewal_withdrawal: (facts) => ({
    subject: 'Notice of non-renewal withdrawn',
    paragraphs: [
      [
        `We have withdrawn our notice of non-renewal for your policy ${facts.policyNumber},`,
        `which expires on ${day(facts.expiresOn)}. Contact your agent or ${facts.organization} about your renewal.`,
      ].join(' '),
    ],
  }),
  lapse: (facts) => ({
    subject: 'Policy cancelled for non-payment',
    paragraphs: [
      [
        `Your policy ${facts.policyNumber} was cancelled for non-payment of premium.`,
        `Coverage ended on ${day(facts.endsOn)}.`,
        `To ask whether it can be reinstated, contact your agent or ${facts.organization}.`,
      ].join(' '),
      ...(facts.pastDue.length > 0 ? [pastDueList(facts)] : []),
      ...(facts.refundCents ? [`A refund of ${dollarText(facts.refundCents)} for this policy is due to you.`] : []),
    ],
  }),
  not_taken: (facts) => ({
    subject: 'Renewal cancelled: first payment not received',
    paragraphs: [
      [
        `We have not received the first payment for your renewal policy ${facts.policyNumber}.`,
        `We have cancelled the renewal as of its first day, ${day(facts.endsOn)}. ${notCovered(facts)}`,
        'You owe nothing for the renewal, and we will refund anything that you have paid toward it.',
      ].join(' '),
    ],
  }),
};

function day(date: BusinessDate | null): string {
  return date === null ? '' : dayText(date);
}

function endOfCoverage(facts: NoticeFacts, date: BusinessDate | null): string {
  return `Coverage ends at 12:01 a.m. on ${day(date)}. ${notCovered(facts)}`;
}

/** What is not covered depends on the coverage trigger: a loss occurring, or a claim first made. */
function notCovered({ lineOfBusiness }: NoticeFacts): string {
  return isClaimsMade(lineOfBusiness)
    ? 'We will not cover any claim first made on or after that date, unless an extended reporting period applies.'
    : 'We will not cover any loss that occurs on or after that date.';
}

function daysWithoutCoverage({ restored, lineOfBusiness }: NoticeFacts): string {
  const gap = restored?.gap ?? null;
  if (gap === null) return 'Your coverage continues without interruption.';
  const what = isClaimsMade(lineOfBusiness) ? 'claim first made' : 'loss that occurred';
  return [
    `There was no coverage from 12:01 a.m. on ${day(gap.from)} to 12:01 a.m. on ${day(gap.to)}.`,
    `We will not cover any ${what} during that time.`,
  ].join(' ');
}

/** A cancellation that the notice for non-payment preceded. */
function standsAgain(facts: NoticeFacts, date: BusinessDate): string {
  return `The cancellation that we announced earlier still takes effect on ${day(date)}. ${endOfCoverage(facts, date)}`;
}

function reasonOf({ reason }: NoticeFacts): string[] {
  return reason === null ? [] : [`Reason: ${reason}`];
}

function questions({ organization }: NoticeFacts): string {
  return `If you have questions about this notice, contact your agent or ${organization}.`;
}

function noticeDays({ state }: NoticeFacts): number {
  return nonPaymentNoticeDays(state);
}

/** What is past due, and where to pay it. */
function toPay(facts: NoticeFacts): string[] {
  const where = ['Where to pay:', ...facts.payTo.map((line) => `  ${line}`)].join('\n');
  return [pastDueList(facts), ...(facts.payTo.length > 0 ? [where] : [])];
}

function pastDueList({ pastDue }: NoticeFacts): string {
  const lines = pastDue.map(
    (bill) => `  ${bill.invoiceNumber}, due ${dayText(bill.dueDate)}: ${dollarText(bill.balanceCents)}`,
  );
  const total = sumCents(pastDue.map(({ balanceCents }) => balanceCents));
  return [`Past due: ${dollarText(total)}`, ...lines].join('\n');
}
