// No operator skipped a step of a payment or return that has not been mended since.
import type { BookCheck } from '../check.ts';

export const stepsLeftOut: BookCheck = {
  name: 'steps_left_out',
  over: 'payments',
  unit: 'count',
  sql: `
select page.id, s.step as part, 0 as expected, 1 as actual
  from page join step_skips s on s.org_id = :org and s.payment_id = page.id and s.mended_by is null`,
};
