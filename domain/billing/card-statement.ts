// The movement types in the card processor's own list for a day.

/** A `dispute` takes money back from us, a `dispute_reversal` returns it. */
export type CardStatementLineKind = 'charge' | 'refund' | 'dispute' | 'dispute_reversal';
