// The documents that the platform generates, and the files they become.

/** Documents of policy transactions, which order them automatically (db/migrations/0061). */
const OF_TRANSACTIONS = [
  'declarations',
  'endorsement',
  'cancellation_notice',
  'reinstatement_notice',
  'non_renewal_notice',
] as const;

/** Letters about a claim. */
const CLAIM_LETTERS = ['claim_acknowledgement', 'claim_status', 'claim_denial', 'claim_settlement'] as const;
export type ClaimLetterKind = (typeof CLAIM_LETTERS)[number];

/** An e-mail to the insured quoting a letter that the claimant gets by post. */
export const LETTER_COPY = 'claim_letter_copy';

/** Documents with a template. */
export const TEMPLATE_KINDS = [
  ...OF_TRANSACTIONS,
  'certificate',
  'mcs90',
  'binder',
  'invoice',
  'receipt',
  ...CLAIM_LETTERS,
] as const;
export type TemplateKind = (typeof TEMPLATE_KINDS)[number];

/** What can be ordered: a document from a template, or a page supplied by a caller. */
export type DocumentKind = TemplateKind | 'rendered';

/** Documents generated automatically: if one fails, only an operator is notified. Letters raise an alert. */
export const COME_BY_THEMSELVES: readonly TemplateKind[] = [...OF_TRANSACTIONS, 'receipt'];

/** Whether a word names a kind of document with a template. */
export function isTemplateKind(word: string): word is TemplateKind {
  return TEMPLATE_KINDS.some((each) => each === word);
}

/** Whether a document belongs to a policy transaction. */
export function isOfTransaction(kind: DocumentKind): kind is (typeof OF_TRANSACTIONS)[number] {
  return OF_TRANSACTIONS.some((each) => each === kind);
}

/** Whether a word names a letter about a claim. */
export function isClaimLetter(word: string): word is ClaimLetterKind {
  return CLAIM_LETTERS.some((each) => each === word);
}
