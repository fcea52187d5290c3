// No operator skipped a step of a payment or return that no posted journal has made up for since.
import type { BookCheck } from '../check.ts';

export const stepsLeftOut: BookCheck = {
  name: 'steps_left_out',
  over: 'payments',
  unit: 'count',
  sql: `
select page.id, s.step as part, 0 as expected, 1 as actual
  from page join step_skips s on s.org_id = :org and s.payment_id = page.id
  where not exists (select from journals j where j.org_id = :org and j.status = 'posted' and j.entry_id = s.mended_by
    and j.completes_payment_id = s.payment_id and j.completes_step = s.step)`,
};
