// What the card processor's own list of a day consists of.

/** A `dispute` takes money back from us, a `dispute_reversal` returns it. */
export type CardStatementLineKind = 'charge' | 'refund' | 'dispute' | 'dispute_reversal';
