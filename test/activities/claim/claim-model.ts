// Claims on one term once more, slowly and apart from domain/: what each step may do, and what it leaves. Amounts in
// cents; the limits are those of the term, the deductible is taken once from a claim.

export interface TermTerms {
  limit: number;
  aggregate: number;
  deductible: number;
}

export interface ClaimModel {
  status: string;
  indemnity: number;
  expense: number;
  paid: number;
  taken: number;
  offered: number;
}

export type Deed =
  | { do: 'investigate' | 'approve' | 'reject' | 'deny' | 'reopen' }
  | { do: 'reserve'; indemnity: number; expense: number }
  | { do: 'settle'; amount: number; isApproved: boolean }
  | { do: 'close'; outcome: string | null };

const WRONG_STATE = 'invalid_state_transition';
const OPEN = ['reported', 'investigating', 'settlement_offered'];

export const newClaim = (): ClaimModel => ({
  ...{ status: 'reported', indemnity: 0, expense: 0, paid: 0, taken: 0, offered: 0 },
});

/** All claims of a term. */
export class TermModel {
  readonly #terms: TermTerms;
  readonly claims: ClaimModel[] = [];

  constructor(terms: TermTerms) {
    this.#terms = terms;
  }

  get paid(): number {
    return this.claims.reduce((sum, { paid }) => sum + paid, 0);
  }

  /** Does a deed; answers the code of its refusal, or null. */
  do(claim: ClaimModel, deed: Deed): string | null {
    switch (deed.do) {
      case 'investigate':
        return this.#move(claim, ['reported'], 'investigating');
      case 'reject':
        return this.#move(claim, ['settlement_offered'], 'investigating');
      case 'reopen':
        return this.#move(claim, ['closed'], 'investigating');
      case 'deny':
        return this.#move(claim, OPEN, 'denied') ?? takeDown(claim);
      case 'close':
        return this.#close(claim, deed.outcome);
      case 'reserve':
        return this.#reserve(claim, deed);
      case 'settle':
        return this.#settle(claim, deed);
      case 'approve':
        if (claim.status !== 'settlement_offered') return WRONG_STATE;
        return this.#pay(claim);
    }
  }

  #move(claim: ClaimModel, from: readonly string[], to: string): string | null {
    if (!from.includes(claim.status)) return WRONG_STATE;
    claim.status = to;
    return null;
  }

  #close(claim: ClaimModel, outcome: string | null): string | null {
    const isDecided = claim.status === 'settled' || claim.status === 'denied';
    const isGivenUp = (claim.status === 'reported' || claim.status === 'investigating') && outcome === 'no_payment';
    if (!isDecided && !isGivenUp) return WRONG_STATE;
    claim.status = 'closed';
    return takeDown(claim);
  }

  #reserve(claim: ClaimModel, { indemnity, expense }: { indemnity: number; expense: number }): string | null {
    if (!OPEN.includes(claim.status)) return WRONG_STATE;
    if (indemnity < claim.paid) return 'reserve_too_low';
    Object.assign(claim, { indemnity, expense });
    return null;
  }

  #settle(claim: ClaimModel, { amount, isApproved }: { amount: number; isApproved: boolean }): string | null {
    if (claim.status !== 'investigating') return WRONG_STATE;
    const refusal = this.#refusal(claim, amount);
    if (refusal !== null) return refusal;
    Object.assign(claim, { status: 'settlement_offered', offered: amount });
    return isApproved ? this.#pay(claim) : null;
  }

  #pay(claim: ClaimModel): string | null {
    const refusal = this.#refusal(claim, claim.offered);
    if (refusal !== null) return refusal;
    const borne = Math.min(claim.offered, this.#terms.deductible - claim.taken);
    claim.taken += borne;
    claim.paid += claim.offered - borne;
    claim.status = 'settled';
    return null;
  }

  #refusal(claim: ClaimModel, amount: number): string | null {
    if (amount > claim.indemnity - claim.paid) return 'reserve_too_low';
    const { limit, aggregate } = this.#terms;
    return amount > limit - claim.paid || amount > aggregate - this.paid ? 'limit_exhausted' : null;
  }
}

function takeDown(claim: ClaimModel): null {
  Object.assign(claim, { indemnity: claim.paid, expense: 0 });
  return null;
}
