// The contents of the fields of a fillable PDF used as a template. Spec 4.7.

/** More fields than any form of the trade has. */
export const FORM_FIELDS_MAX = 2_000;

/** Field name in the file → the Liquid text for it. A checkbox is checked unless the text says no. */
export type FieldMap = Readonly<Record<string, string>>;
