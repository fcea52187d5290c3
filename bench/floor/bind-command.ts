// What the bare workflow of a bind is given.

export interface FloorBind {
  submissionId: string;
  quoteId: string;
}
