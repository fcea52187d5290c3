// The wording of the e-mails about autopay. Decision 0165.
import type { SuspensionReason } from '../billing/autopay.ts';
import { type BusinessDate, dayText } from '../dates.ts';
import { type Cents, dollarText } from '../money.ts';

/** The bill and the card of a charge. */
export interface ChargeNoticeFacts {
  invoiceNumber: string;
  dueDate: BusinessDate;
  balanceCents: Cents;
  /** The brand and the last four digits. */
  card: { brand: string; last4: string };
  /** When it is charged next; null if it is not. */
  nextOn: BusinessDate | null;
  /** Why autopay was suspended; null while it is not. */
  reason: SuspensionReason | null;
}

type Text = (facts: { organization: string; charge?: ChargeNoticeFacts }) => { subject: string; paragraphs: string[] };

const about =
  (subject: string, paragraphs: (charge: ChargeNoticeFacts, organization: string) => string[]): Text =>
  ({ charge, organization }) => ({ subject, paragraphs: charge === undefined ? [] : paragraphs(charge, organization) });

export const AUTOPAY_TEXTS = {
  autopay_upcoming: about('Automatic payment scheduled', (charge) => [
    `We will charge ${dollarText(charge.balanceCents)} to ${cardText(charge)} on ${dayText(charge.dueDate)}.`,
    billText(charge),
    'You do not need to do anything. You can pay the bill another way before that day, or switch off autopay.',
  ]),
  autopay_failed: about('Automatic payment failed', (charge) => [
    `We tried to charge ${dollarText(charge.balanceCents)} to ${cardText(charge)}, and the payment did not go through.`,
    billText(charge),
    charge.nextOn === null
      ? 'Please pay the bill yourself, or give us another card.'
      : `We will try again on ${dayText(charge.nextOn)}. You can pay the bill yourself before then, or give us another card.`,
  ]),
  autopay_suspended: about('Automatic payments stopped', (charge, organization) => [
    `We could not charge ${dollarText(charge.balanceCents)} to ${cardText(charge)}. ${reasonText(charge.reason)}`,
    billText(charge),
    [
      'We will not charge the card again. Please pay this bill yourself, and set up autopay again for future bills.',
      `If you have a question, contact your agent or ${organization}.`,
    ].join(' '),
  ]),
} as const;

function cardText({ card }: ChargeNoticeFacts): string {
  return `your ${card.brand} card ending in ${card.last4}`;
}

function billText({ invoiceNumber, dueDate, balanceCents }: ChargeNoticeFacts): string {
  return `  ${invoiceNumber}, due ${dayText(dueDate)}: ${dollarText(balanceCents)}`;
}

function reasonText(reason: SuspensionReason | null): string {
  if (reason === 'authentication_required') return 'Your bank requires you to confirm the payment yourself.';
  return reason === 'card_unusable' ? 'The card can no longer be used.' : 'Your bank declined each attempt.';
}
