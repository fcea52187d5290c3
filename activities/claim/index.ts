// The activities of this slice, by name.
import type { Deps } from '../context.ts';
import { payClaim, payFromLossFund, readClaimPayment, recoverClaim, voidClaimPayment } from './claim-payments.ts';
import { recordStatusLetter, turnClaimClocks } from './deadlines.ts';
import { fileClaim, readClaim } from './first-notices.ts';
import { assignClaim, closeClaim, denyClaim, investigateClaim, reopenClaim } from './handling.ts';
import { clearPayee } from './payee-holds.ts';
import { reserveClaim } from './reserves.ts';
import { approveSettlement, rejectSettlement, settleClaim } from './settlements.ts';

export const claimActivities = (deps: Deps) => ({
  fileClaim: fileClaim(deps),
  readClaim: readClaim(deps),
  investigateClaim: investigateClaim(deps),
  assignClaim: assignClaim(deps),
  reserveClaim: reserveClaim(deps),
  payClaim: payClaim(deps),
  voidClaimPayment: voidClaimPayment(deps),
  recoverClaim: recoverClaim(deps),
  readClaimPayment: readClaimPayment(deps),
  payFromLossFund: payFromLossFund(deps),
  settleClaim: settleClaim(deps),
  approveSettlement: approveSettlement(deps),
  rejectSettlement: rejectSettlement(deps),
  clearPayee: clearPayee(deps),
  denyClaim: denyClaim(deps),
  closeClaim: closeClaim(deps),
  reopenClaim: reopenClaim(deps),
  recordStatusLetter: recordStatusLetter(deps),
  turnClaimClocks: turnClaimClocks(deps),
});
