// The input of the bare workflow of a bind.

export interface FloorBind {
  submissionId: string;
  quoteId: string;
}
