// One term of a policy in the model of a year.
import type { Day, Days } from './premium.ts';

export type Ending = 'pending' | 'active' | 'pending_cancellation' | 'cancelled' | 'lapsed' | 'expired' | 'renewed';

export interface Term extends Days {
  /** When each bill is due, in the order in which they were made; never, for one that is void. */
  dueDays: Day[];
  /** The bills that are paid. */
  paid: Set<number>;
  status: Ending;
  /** For a year of the risk as it is. */
  annualCents: number;
  writtenCents: number;
  notices: number;
  lapsesOn: Day | null;
  noticedOn: Day | null;
  isUnwanted: boolean;
  /** Owed to the insured by check. */
  owedBack: number;
  /** Of that, what no change of the policy gave back. */
  refunded: number;
  hasGivenUp: boolean;
}

/** What is so of every term when it is issued. */
export const NEW_TERM: Omit<Term, keyof Days | 'dueDays' | 'paid' | 'annualCents' | 'writtenCents'> = {
  ...{ status: 'pending' as const, notices: 0, lapsesOn: null, noticedOn: null, isUnwanted: false },
  ...{ owedBack: 0, refunded: 0, hasGivenUp: false },
};
