// What may be done to a claim, at random: any deed, more often one that leads further.
import type { Dice } from '../chaos/dice.ts';
import type { ClaimModel, Deed } from './claim-model.ts';

const LIKELY_OF_100 = 75;

/** Draws a claim's next deed; it need not be allowed. */
export function drawDeed(dice: Dice, claim: ClaimModel): Deed {
  const any = Object.values(DEEDS);
  const likely = LIKELY[claim.status];
  const from = likely !== undefined && dice.percent(LIKELY_OF_100) ? likely : any;
  return dice.pick(from)(dice, claim);
}

type Drawn = (dice: Dice, claim: ClaimModel) => Deed;

const DEEDS = {
  investigate: () => ({ do: 'investigate' }),
  approve: () => ({ do: 'approve' }),
  reject: () => ({ do: 'reject' }),
  deny: () => ({ do: 'deny' }),
  reopen: () => ({ do: 'reopen' }),
  close: (dice) => ({ do: 'close', outcome: dice.pick([null, 'no_payment', 'paid']) }),
  reserve: (dice) => ({ do: 'reserve', indemnity: cents(dice, 900_000), expense: cents(dice, 20_000) }),
  settle: (dice) => ({
    ...{ do: 'settle', amount: cents(dice, 400_000) + 1, isApproved: dice.percent(50), isListed: dice.percent(20) },
  }),
  // Without a hold there is nothing to clear.
  clear: (_dice, { held }) => (held === 0 ? { do: 'approve' } : { do: 'clear' }),
  part: (dice) => ({ do: 'pay', kind: 'indemnity', amount: cents(dice, 60_000) + 1 }),
  expense: (dice) => ({ do: 'pay', kind: 'expense', amount: cents(dice, 8_000) + 1 }),
  // Without a payment there is none to name.
  void: (dice, { payments }) =>
    payments.length === 0 ? { do: 'reject' } : { do: 'void', payment: dice.below(payments.length) },
  recover: (dice) => ({ do: 'recover', amount: cents(dice, 30_000) + 1 }),
} satisfies Record<string, Drawn>;

const { investigate, approve, reject, deny, reopen, close, reserve, settle, part, expense, recover } = DEEDS;

const LIKELY: Readonly<Record<string, readonly Drawn[]>> = {
  reported: [investigate, investigate, reserve],
  investigating: [settle, settle, reserve, part, expense, DEEDS.void],
  settlement_offered: [approve, approve, DEEDS.clear, reject, reserve, part, expense, deny],
  settled: [close, expense, DEEDS.void, recover],
  denied: [close, DEEDS.void, recover],
  closed: [reopen, recover],
};

/** Less than this many dollars, to the cent. */
function cents(dice: Dice, dollars: number): number {
  return dice.below(dollars * 100);
}
