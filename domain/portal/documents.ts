// Which documents are an insured's own: those that are made for them, and no other kind. What somebody sent us about a
// risk, or made for a claim, is internal, whatever its kind. Contract 3.7 "Portal".

/** Kinds of documents that an insured sees, on their policies and invoices, of those that we have made. */
export const INSURED_KINDS: readonly string[] = [
  ...['declarations', 'endorsement', 'cancellation_notice', 'reinstatement_notice', 'non_renewal_notice'],
  ...['binder', 'certificate', 'mcs90', 'invoice', 'receipt'],
];
