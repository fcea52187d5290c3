/** The wording of e-mails that carry a claim letter. Pure. */
import { dayText } from '../../domain/dates.ts';
import type { ClaimLetterKind } from '../../domain/document/kinds.ts';
import { dollarText } from '../../domain/money.ts';
import type { ClaimLetter } from './claim-letter-facts.ts';

interface Addressed {
  organization: string;
  addressee: string;
  claimNumber: string;
  isProtected: boolean;
}

const SUBJECTS: Readonly<Record<ClaimLetterKind, string>> = {
  claim_acknowledgement: 'We have received your claim',
  claim_status: 'Status of your claim',
  claim_denial: 'Decision on your claim',
  claim_settlement: 'Settlement of your claim',
};

/** An e-mail's subject and text; for a protected claim it says only that a letter follows. */
export function claimLetterText(
  { kind, facts }: { kind: ClaimLetterKind; facts: ClaimLetter },
  { organization, addressee, claimNumber, isProtected }: Addressed,
): { subject: string; text: string } {
  const words = isProtected ? [PROTECTED] : TEXTS[kind](facts);
  const paragraphs = [`${addressee},`, ...words, `Your claim number is ${claimNumber}.`, organization];
  return {
    subject: `${isProtected ? HIDDEN : SUBJECTS[kind]}: ${claimNumber}`,
    text: `${paragraphs.join('\n\n')}\n`,
  };
}

/**
 * Subject and text of the insured's copy of a letter to someone else without an e-mail address. None for a protected
 * claim.
 */
export function letterCopyText(
  letter: { kind: ClaimLetterKind; facts: ClaimLetter },
  { organization, claimNumber, insured }: Pick<Addressed, 'organization' | 'claimNumber'> & { insured: string },
): { subject: string; text: string } {
  const { facts } = letter;
  const addressee = facts.addressee.name;
  const { text } = claimLetterText(letter, { organization, addressee, claimNumber, isProtected: false });
  const note = `This is a copy of our letter to ${addressee} about their claim under your policy ${facts.policy.number}.`;
  return { subject: `Copy of our letter to ${addressee}: ${claimNumber}`, text: `${insured},\n\n${note}\n\n${text}` };
}

const HIDDEN = 'A letter about your claim';
const PROTECTED = 'We have written you a letter about your claim. To protect your privacy, we are sending it by post.';

const TEXTS: Readonly<Record<ClaimLetterKind, (facts: ClaimLetter) => string[]>> = {
  claim_acknowledgement: ({ claim }) => [
    `We have received notice of your claim for a loss on ${dayText(claim.lossDate)}.`,
    promise(claim),
  ],
  claim_status: ({ claim }) => [
    `We are still reviewing your claim for a loss on ${dayText(claim.lossDate)} and need more time.`,
    promise(claim),
  ],
  claim_denial: ({ claim }) => [
    `We are denying your claim for a loss on ${dayText(claim.lossDate)}.`,
    `Reason: ${claim.reason ?? ''}`,
    ...(claim.provision === null ? [] : [`Policy provision: ${claim.provision}`]),
    "If you disagree, write to us. You may also ask your state's department of insurance to review our decision.",
  ],
  claim_settlement: ({ settlement }) =>
    settlement === null
      ? []
      : [
          `We have settled your claim for ${dollarText(settlement.amount)}.`,
          [
            ...(settlement.deductible > 0 ? [`A deductible of ${dollarText(settlement.deductible)} applies.`] : []),
            `We will pay ${dollarText(settlement.payable)}.`,
          ].join(' '),
        ],
};

function promise({ decisionBy }: ClaimLetter['claim']): string {
  return decisionBy === null
    ? 'We will keep writing to you until we have made a decision.'
    : `We will give you our decision by ${dayText(decisionBy)} or let you know why we need more time.`;
}
