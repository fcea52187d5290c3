// What a type of document is made of.

export interface TypePhrases {
  phrases: readonly string[];
  names: readonly string[];
  /** Fields of a form that can be filled in. */
  fields?: readonly string[];
}
