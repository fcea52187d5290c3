// The documents that the platform makes, and the files they become.

/** Documents of a policy's transactions, which order them by themselves (db/migrations/0061). */
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

/** An e-mail to the insured that quotes a letter which the claimant gets by post. */
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

/** What can be ordered: a document of a template's kind, or a page that a caller brings. */
export type DocumentKind = TemplateKind | 'rendered';

/** Documents that come by themselves: of one that cannot be made only an operator hears. Letters raise an alert. */
export const COME_BY_THEMSELVES: readonly TemplateKind[] = [...OF_TRANSACTIONS, 'receipt'];

/** Says whether a word names a kind of document with a template. */
export function isTemplateKind(word: string): word is TemplateKind {
  return TEMPLATE_KINDS.some((each) => each === word);
}

/** Says whether a document is that of a policy's transaction. */
export function isOfTransaction(kind: DocumentKind): kind is (typeof OF_TRANSACTIONS)[number] {
  return OF_TRANSACTIONS.some((each) => each === kind);
}

/** Says whether a word names a letter about a claim. */
export function isClaimLetter(word: string): word is ClaimLetterKind {
  return CLAIM_LETTERS.some((each) => each === word);
}
