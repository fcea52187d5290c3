// Which documents are an insured's own: only those generated for them. Anything sent to us about a risk, or made for a
// claim, is internal, whatever its kind. Contract 3.7 "Portal".

/** Kinds of generated documents that an insured sees on their policies and invoices. */
export const INSURED_KINDS: readonly string[] = [
  ...['declarations', 'endorsement', 'cancellation_notice', 'reinstatement_notice', 'non_renewal_notice'],
  ...['binder', 'certificate', 'mcs90', 'invoice', 'receipt'],
];
