// What stands in the fields of a fillable PDF that is a template. Spec 4.7.

/** The field, as the file names it → the Liquid text that stands in it. A box is ticked unless that says no. */
export type FieldMap = Readonly<Record<string, string>>;
