// What an insured does, at random: one deed after another, sometimes two simultaneously, whether allowed or not.
import { cancelForReason, endorseTerms, keepRefund, withdrawNonRenewal, writeOff } from './deeds-of-desk.ts';
import {
  applyUnapplied,
  decideDispute,
  dispute,
  pay,
  payAhead,
  payByCard,
  retry,
  returnUnapplied,
  reverse,
} from './deeds-of-money.ts';
import {
  audit,
  cancel,
  cancelForDebt,
  changePlan,
  endorse,
  nonRenew,
  reinstate,
  renew,
  renewInTime,
  voidEndorsement,
} from './deeds-of-policies.ts';
import { decideRefund, moveDisbursement, refund, refundAtProcessor, voidInvoice } from './deeds-of-returns.ts';
import type { Insured } from './insured.ts';

type Deed = (insured: Insured) => Promise<void>;

/** As frequent as the number of times it appears here. */
const DEEDS: readonly Deed[] = [
  ...[pay, pay, pay, pay, pay, payByCard, payByCard, payByCard, retry],
  ...[refund, refund, refundAtProcessor, reverse, reverse, dispute, dispute, decideDispute, decideDispute],
  ...[applyUnapplied, applyUnapplied, returnUnapplied, voidInvoice, voidInvoice, decideRefund],
  ...[moveDisbursement, moveDisbursement],
  ...[endorse, endorse, endorse, voidEndorsement, cancel, cancel, cancelForDebt, reinstate, reinstate],
  ...[renew, renew, nonRenew, audit, audit, changePlan, changePlan],
  ...[endorseTerms, endorseTerms, cancelForReason, withdrawNonRenewal, writeOff, writeOff, keepRefund, keepRefund],
];
const SIMULTANEOUS_OF_100 = 12;
const MOST_DEEDS_A_DAY = 2;

/** Lives a day. @throws Error for an answer that no one should get */
export async function liveOn(insured: Insured): Promise<void> {
  const { dice } = insured;
  if (insured.isPrompt) await payAhead(insured);
  if (insured.isPrompt && dice.percent(60)) await renewInTime(insured);
  const deeds = 1 + dice.below(MOST_DEEDS_A_DAY);
  for (let count = 0; count < deeds; count += 1) {
    const deed = dice.pick(DEEDS);
    if (dice.percent(SIMULTANEOUS_OF_100)) await Promise.all([deed(insured), dice.pick(DEEDS)(insured)]);
    else await deed(insured);
  }
}
