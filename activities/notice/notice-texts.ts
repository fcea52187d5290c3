/** The wording of the notices e-mailed to the insured. Pure. */

import type { NoticeKind } from '../../contracts/notice.ts';
import type { BusinessDate } from '../../domain/dates.ts';
import { type Cents, dollarText, sumCents } from '../../domain/money.ts';
import { nonPaymentNoticeDays } from '../../domain/notice/notice.ts';

/** The facts that a notice states. */
export interface NoticeFacts {
  organization: string;
  insuredName: string;
  policyNumber: string;
  state: string;
  /** The first day without coverage; null when no cancellation is pending or in effect. */
  endsOn: BusinessDate | null;
  /** The day the term ends, which is itself no longer covered. */
  expiresOn: BusinessDate;
  pastDue: { invoiceNumber: string; dueDate: BusinessDate; balanceCents: Cents }[];
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
  past_due: (facts) => ({
    subject: 'Payment past due',
    paragraphs: [
      `A payment for your policy ${facts.policyNumber} is past due.`,
      pastDueList(facts),
      'Please pay the past-due amount to keep your policy in force.',
    ],
  }),
  notice: (facts) => ({
    subject: 'Notice of cancellation for non-payment',
    paragraphs: [
      [
        `We will cancel your policy ${facts.policyNumber} for non-payment of premium on ${facts.endsOn},`,
        `${noticeDays(facts)} days from the date of this notice, as required in ${facts.state}.`,
        endOfCoverage(facts.endsOn),
      ].join(' '),
      pastDueList(facts),
      `If you pay the full past-due amount before ${facts.endsOn}, your policy stays in force and this notice is void.`,
    ],
  }),
  move: (facts) => ({
    subject: 'Cancellation for non-payment postponed',
    paragraphs: [
      [
        `The cancellation of your policy ${facts.policyNumber} for non-payment of premium has been postponed.`,
        `It now takes effect on ${facts.endsOn}. ${endOfCoverage(facts.endsOn)}`,
      ].join(' '),
      pastDueList(facts),
    ],
  }),
  withdraw: (facts) => ({
    subject: 'Notice of cancellation withdrawn',
    paragraphs: [
      [
        `We have withdrawn the notice of cancellation for non-payment of premium on your policy ${facts.policyNumber}.`,
        facts.endsOn === null ? 'Your coverage continues.' : standsAgain(facts.endsOn),
      ].join(' '),
      ...(facts.pastDue.length > 0 ? [pastDueList(facts)] : []),
    ],
  }),
  rescind: ({ policyNumber, endsOn }) => ({
    subject: 'Notice of cancellation withdrawn',
    paragraphs: [
      [
        'We have received your past-due payment.',
        endsOn === null
          ? `Your policy ${policyNumber} continues without a lapse in coverage.`
          : `Your policy ${policyNumber} will not be cancelled for non-payment. ${standsAgain(endsOn)}`,
      ].join(' '),
    ],
  }),
  cancellation: (facts) => ({
    subject: 'Notice of cancellation',
    paragraphs: [
      `Your policy ${facts.policyNumber} is cancelled effective ${facts.endsOn}. ${endOfCoverage(facts.endsOn)}`,
    ],
  }),
  non_renewal: ({ policyNumber, expiresOn }) => ({
    subject: 'Notice of non-renewal',
    paragraphs: [
      `We will not renew your policy ${policyNumber}. It expires on ${expiresOn}. ${endOfCoverage(expiresOn)}`,
    ],
  }),
  non_renewal_withdrawal: ({ policyNumber, expiresOn }) => ({
    subject: 'Notice of non-renewal withdrawn',
    paragraphs: [
      `We have withdrawn our notice that your policy ${policyNumber}, which expires on ${expiresOn}, will not be renewed.`,
    ],
  }),
  lapse: (facts) => ({
    subject: 'Policy cancelled for non-payment',
    paragraphs: [
      `Your policy ${facts.policyNumber} was cancelled for non-payment of premium. Coverage ended on ${facts.endsOn}.`,
      ...(facts.pastDue.length > 0 ? [pastDueList(facts)] : []),
    ],
  }),
  not_taken: (facts) => ({
    subject: 'Renewal not taken',
    paragraphs: [
      [
        `We have not received the first payment for your renewal policy ${facts.policyNumber}.`,
        `The renewal has been cancelled as of its first day, ${facts.endsOn}; no loss on or after that date is covered.`,
        'You owe nothing for it, and we will refund anything you have paid toward it.',
      ].join(' '),
    ],
  }),
};

function endOfCoverage(day: BusinessDate | null): string {
  return `Coverage ends at the start of ${day}; no loss on or after that date is covered.`;
}

/** A cancellation that the notice for non-payment went before. */
function standsAgain(day: BusinessDate): string {
  return `The cancellation on ${day} that was already announced still stands. ${endOfCoverage(day)}`;
}

function noticeDays({ state }: NoticeFacts): number {
  return nonPaymentNoticeDays(state);
}

function pastDueList({ pastDue }: NoticeFacts): string {
  const lines = pastDue.map((bill) => `  ${bill.invoiceNumber}, due ${bill.dueDate}: ${dollarText(bill.balanceCents)}`);
  const total = sumCents(pastDue.map(({ balanceCents }) => balanceCents));
  return [`Past due: ${dollarText(total)}`, ...lines].join('\n');
}
