// The contents that samples of a document type are made of.

export interface TypePhrases {
  phrases: readonly string[];
  names: readonly string[];
  /** Fields of a fillable form. */
  fields?: readonly string[];
}
