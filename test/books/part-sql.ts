// The parts of a policy in SQL: premium, each tax, stamping and fee, by invoice line, by account and by return.

/** What moves between the trust and those it pays does not change what a policy has earned them. Domain facts 4.2. */
export const IS_OURS = `e.entry_type not in ('transfer', 'transfer_received', 'remittance', 'clawback', 'clawback_received',
  'commission_restored', 'clawback_recovered', 'due_from_carrier', 'due_from_state')`;
/** The fee for a bounced payment is not part of the policy. */
export const IS_APART = `i.lines @> '[{"code": "NSF_FEE"}]'`;
export const PART = `case line ->> 'kind' when 'fee' then 'fee' when 'tax' then
  case line ->> 'code' when 'STAMPING_FEE' then 'stamping' else 'tax' end else 'premium' end`;
export const SHARES = '(2010, 2020, 2030, 2040, 2050, 2090)';
export const PART_OF_ACCOUNT = `case when account in (2010, 2020, 2030) then 'premium' when account = 2040 then 'tax'
  when account = 2050 then 'stamping' else 'fee' end`;
const cents = (key: string) => `coalesce((r.composition ->> '${key}')::bigint, 0)`;
/** What a return (`r`) for a policy change gives back of each part, as rows. */
export const centsOfReturn = `(values ('premium', ${cents('premiumCents')}), ('tax', ${cents('taxCents')}),
  ('stamping', ${cents('stampingCents')}), ('fee', ${cents('feeCents')}))`;
