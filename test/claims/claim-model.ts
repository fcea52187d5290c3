// A second, slow version of the claims on one term, independent of domain/: what each deed may do, and what it leaves.
// Amounts in cents; limits are the term's; the deductible is taken once from a claim that is paid.

export interface TermTerms {
  limit: number;
  aggregate: number;
  deductible: number;
}

export type Kind = 'indemnity' | 'expense';

export interface PaymentModel {
  kind: Kind;
  amount: number;
  /** The part of the deductible that its settlement took. */
  borne: number;
  isVoid: boolean;
  /** It has left the loss fund. */
  hasLeft: boolean;
}

export interface ClaimModel {
  status: string;
  /** Reserves, including paid amounts. */
  indemnity: number;
  expense: number;
  paid: number;
  expensePaid: number;
  recovered: number;
  /** The part of the deductible taken so far. */
  taken: number;
  offered: number;
  /** The offer is to a name on the sanctions list. */
  isListed: boolean;
  /** That name was cleared on this claim. */
  isCleared: boolean;
  /** Holds on that name that have not been cleared. */
  held: number;
  /** In the order of decision. */
  payments: PaymentModel[];
  /** Entries in its history. */
  entries: number;
}

export type Deed =
  | { do: 'investigate' | 'approve' | 'reject' | 'deny' | 'reopen' | 'clear' }
  | { do: 'reserve'; indemnity: number; expense: number }
  | { do: 'settle'; amount: number; isApproved: boolean; isListed: boolean }
  | { do: 'pay'; kind: Kind; amount: number }
  | { do: 'void'; payment: number }
  | { do: 'recover'; amount: number }
  | { do: 'close'; outcome: string | null };

const WRONG_STATE = 'invalid_state_transition';
const OPEN = ['reported', 'investigating', 'settlement_offered'];
const PAYABLE = ['investigating', 'settlement_offered', 'settled'];

export const newClaim = (): ClaimModel => ({
  ...{ status: 'reported', indemnity: 0, expense: 0, paid: 0, expensePaid: 0, recovered: 0, taken: 0, offered: 0 },
  ...{ isListed: false, isCleared: false, held: 0, payments: [], entries: 1 },
});

/** All of a term's claims. */
export class TermModel {
  readonly #terms: TermTerms;
  readonly claims: ClaimModel[] = [];

  constructor(terms: TermTerms) {
    this.#terms = terms;
  }

  get paid(): number {
    return this.claims.reduce((sum, { paid }) => sum + paid, 0);
  }

  /** Does a deed; returns the code of its refusal, or null. */
  do(claim: ClaimModel, deed: Deed): string | null {
    const refusal = this.#do(claim, deed);
    // The offer is followed by either its approval or a hold on the payee.
    if (refusal === null) claim.entries += deed.do === 'settle' && (deed.isApproved || isHeld(claim)) ? 2 : 1;
    return refusal;
  }

  #do(claim: ClaimModel, deed: Deed): string | null {
    switch (deed.do) {
      case 'investigate':
        return move(claim, ['reported'], 'investigating');
      case 'reject':
        return move(claim, ['settlement_offered'], 'investigating');
      case 'reopen':
        return move(claim, ['closed'], 'investigating');
      case 'deny':
        return move(claim, OPEN, 'denied') ?? takeDown(claim);
      case 'clear':
        return clear(claim);
      case 'close':
        return close(claim, deed.outcome);
      case 'reserve':
        return reserve(claim, deed);
      case 'settle':
        return this.#settle(claim, deed);
      case 'approve':
        if (claim.status !== 'settlement_offered') return WRONG_STATE;
        return isHeld(claim) ? 'not_ready' : this.#approve(claim);
      case 'pay':
        return this.#pay(claim, deed);
      case 'void':
        return voidPayment(claim, claim.payments[deed.payment]);
      case 'recover':
        return recover(claim, deed.amount);
    }
  }

  #settle(claim: ClaimModel, { amount, isApproved, isListed }: Extract<Deed, { do: 'settle' }>): string | null {
    if (claim.status !== 'investigating') return WRONG_STATE;
    const refusal = this.#refusal(claim, amount);
    if (refusal !== null) return refusal;
    Object.assign(claim, { status: 'settlement_offered', offered: amount, isListed });
    if (isHeld(claim)) claim.held += 1;
    return isApproved && !isHeld(claim) ? this.#approve(claim) : null;
  }

  #approve(claim: ClaimModel): string | null {
    const refusal = this.#refusal(claim, claim.offered);
    if (refusal !== null) return refusal;
    const borne = Math.min(claim.offered, this.#terms.deductible - claim.taken);
    claim.taken += borne;
    claim.indemnity -= borne;
    const amount = claim.offered - borne;
    claim.paid += amount;
    if (amount > 0) claim.payments.push({ kind: 'indemnity', amount, borne, isVoid: false, hasLeft: false });
    claim.status = 'settled';
    return null;
  }

  #pay(claim: ClaimModel, { kind, amount }: { kind: Kind; amount: number }): string | null {
    if (!PAYABLE.includes(claim.status)) return WRONG_STATE;
    if (kind === 'expense' && amount > claim.expense - claim.expensePaid) return 'reserve_too_low';
    const unborne = this.#terms.deductible - claim.taken;
    if (kind === 'indemnity' && amount + unborne > claim.indemnity - claim.paid) return 'reserve_too_low';
    const refusal = kind === 'indemnity' ? this.#refusal(claim, amount) : null;
    if (refusal !== null) return refusal;
    claim[kind === 'indemnity' ? 'paid' : 'expensePaid'] += amount;
    claim.payments.push({ kind, amount, borne: 0, isVoid: false, hasLeft: false });
    return null;
  }

  #refusal(claim: ClaimModel, amount: number): string | null {
    if (amount > claim.indemnity - claim.paid) return 'reserve_too_low';
    const { limit, aggregate } = this.#terms;
    return amount > limit - claim.paid || amount > aggregate - this.paid ? 'limit_exhausted' : null;
  }
}

function move(claim: ClaimModel, from: readonly string[], to: string): string | null {
  if (!from.includes(claim.status)) return WRONG_STATE;
  claim.status = to;
  return null;
}

function close(claim: ClaimModel, outcome: string | null): string | null {
  const isWithout = outcome === 'no_payment';
  if (isWithout && claim.paid > 0) return WRONG_STATE;
  const isDecided = claim.status === 'denied' || claim.status === 'settled';
  const isPaid = claim.paid + claim.expensePaid > 0;
  const isUnderWay = claim.status === 'reported' || claim.status === 'investigating';
  if (!isDecided && !(isUnderWay && (isWithout || isPaid))) return WRONG_STATE;
  claim.status = 'closed';
  return takeDown(claim);
}

function reserve(claim: ClaimModel, { indemnity, expense }: { indemnity: number; expense: number }): string | null {
  if (!OPEN.includes(claim.status)) return WRONG_STATE;
  if (indemnity < claim.paid || expense < claim.expensePaid) return 'reserve_too_low';
  Object.assign(claim, { indemnity, expense });
  return null;
}

/** On a closed claim, only waiting payments can be voided. */
function voidPayment(claim: ClaimModel, payment: PaymentModel | undefined): string | null {
  if (![...PAYABLE, 'denied', 'closed'].includes(claim.status) || payment === undefined || payment.isVoid)
    return WRONG_STATE;
  if (claim.status === 'closed' && payment.hasLeft) return WRONG_STATE;
  if (payment.hasLeft && left(claim) - payment.amount < claim.recovered) return 'amount_exceeds_balance';
  payment.isVoid = true;
  claim.taken -= payment.borne;
  claim.indemnity += payment.borne;
  claim[payment.kind === 'indemnity' ? 'paid' : 'expensePaid'] -= payment.amount;
  return claim.status === 'denied' || claim.status === 'closed' ? takeDown(claim) : null;
}

function recover(claim: ClaimModel, amount: number): string | null {
  if (![...PAYABLE, 'denied', 'closed'].includes(claim.status)) return WRONG_STATE;
  if (amount > left(claim) - claim.recovered) return 'amount_exceeds_balance';
  claim.recovered += amount;
  return null;
}

/** Money that has left the fund and was not voided. */
function left({ payments }: ClaimModel): number {
  return payments.reduce((sum, { amount, isVoid, hasLeft }) => (hasLeft && !isVoid ? sum + amount : sum), 0);
}

function isHeld({ isListed, isCleared }: ClaimModel): boolean {
  return isListed && !isCleared;
}

/** A caller clears only what is held. */
function clear(claim: ClaimModel): null {
  Object.assign(claim, { isCleared: true, held: 0 });
  return null;
}

function takeDown(claim: ClaimModel): null {
  Object.assign(claim, { indemnity: claim.paid, expense: claim.expensePaid });
  return null;
}
