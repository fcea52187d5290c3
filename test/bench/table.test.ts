// The table that ends a run: every aim of every comparison.
import test from 'ava';
import { printedAims } from '../../bench/table.ts';

test('the last table has a line for each aim, says whether it is met, and counts', (t) => {
  const comparisons = [
    { title: 'Bind', lines: [], verdicts: [{ what: 'p50 ratio', value: 1.24, aim: { most: 1.25 } }] },
    { title: 'Nothing aimed at', lines: [], verdicts: [] },
    {
      title: 'Reads',
      lines: [],
      verdicts: [
        { what: 'throughput', value: 0.8, aim: { least: 0.8 } },
        { what: 'deadlocks', value: 1, aim: { most: 0 } },
      ],
    },
  ];
  const lines = printedAims(comparisons).split('\n');
  t.is(lines.length, 4);
  t.regex(lines[0] ?? '', /^ {2}Bind: p50 ratio +1\.24 +aim ≤ 1\.25 +met$/);
  t.regex(lines[1] ?? '', /^ {2}Reads: throughput +0\.80 +aim ≥ 0\.8 +met$/);
  t.regex(lines[2] ?? '', /^ {2}Reads: deadlocks +1 +aim ≤ 0 +NOT MET$/);
  t.is(lines[3], '2 of 3 aims met');
});
