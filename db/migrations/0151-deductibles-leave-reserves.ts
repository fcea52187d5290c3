// What the insured bears of a settled loss leaves the reserve with the settlement: nobody will pay it. And what was
// requested of a carrier is withdrawn under any payment that has requested it.
import { Migration } from '@mikro-orm/migrations';

export class DeductiblesLeaveReserves extends Migration {
  override readonly name = '0151-deductibles-leave-reserves';

  override up(): void {
    this.addSql(OF_SETTLED_CLAIMS);
    this.addSql(REQUESTING);
  }
}

/** In this state nobody has set reserves since the settlement. */
const OF_SETTLED_CLAIMS = `
alter table claims no force row level security;
update claims
  set reserve_indemnity_cents = greatest(paid_indemnity_cents, reserve_indemnity_cents - deductible_taken_cents)
  where status = 'settled' and deductible_taken_cents > 0;
alter table claims force row level security;`;

const REQUESTING = `
create index claim_payments_requesting on claim_payments (org_id, carrier, id) where requested_cents > 0;`;
