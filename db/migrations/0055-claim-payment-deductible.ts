// By how much of the deductible a payment is smaller than the loss: once it is void, nobody has borne that part.
import { Migration } from '@mikro-orm/migrations';

export class ClaimPaymentDeductible extends Migration {
  override readonly name = '0055-claim-payment-deductible';

  override up(): void {
    this.addSql(DEDUCTIBLE);
    this.addSql(OF_LATEST_SETTLEMENTS);
  }
}

const DEDUCTIBLE = `
alter table claim_payments add column deductible_cents bigint not null default 0 check (deductible_cents >= 0);`;

/** A claim's row keeps its latest settlement, which is the payment's payee by id. */
const OF_LATEST_SETTLEMENTS = `
alter table claims no force row level security;
alter table claim_payments no force row level security;
update claim_payments p set deductible_cents = (c.settlement ->> 'deductibleCents')::bigint
  from claims c
  where c.org_id = p.org_id and c.id = p.claim_id and p.status <> 'void' and p.payee_id = c.settlement ->> 'id'
    and c.settlement ->> 'status' = 'approved';
alter table claim_payments force row level security;
alter table claims force row level security;`;
