import test from 'ava';
import { leftOut } from '../../scripts/demo/left-out.ts';

test('the demo says what it leaves out and why, and nothing where it shows everything', (t) => {
  t.is(
    leftOut({ environment: 'production', apiSecret: 'machine-secret' }),
    'Left out: a claim, and the year of a small book of business (production has no test clock).',
  );
  t.is(
    leftOut({ environment: 'local', apiSecret: null }),
    'Left out: a claim, and the year of a small book of business ' +
      '(it needs API_SECRET, and neither the environment nor the data folder has it).',
  );
  t.is(leftOut({ environment: 'sandbox', apiSecret: 'machine-secret' }), null);
});
