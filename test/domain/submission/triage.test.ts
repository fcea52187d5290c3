// The triage score: every row of its eight factors, the cap from hard rules, and the bands.
import test from 'ava';
import { bandOf, type TriageInput, triage } from '../../../domain/submission/triage.ts';
import { fc } from '../../support/fixed/chance.ts';

const BEST: TriageInput = {
  appetite: 'preferred',
  completeness: { given: 16, of: 16 },
  lossesLast5Years: 0,
  annualRevenueCents: 100_000_000,
  requestedLimitCents: 100_000_000,
  contractMaxLimitCents: 200_000_000,
  stateAuthorized: true,
  lineAuthorized: true,
  sanctionsHit: false,
  leadDays: 30,
  producerAppointed: true,
};

const NOTHING: TriageInput = {
  appetite: null,
  completeness: { given: 0, of: 16 },
  lossesLast5Years: null,
  annualRevenueCents: null,
  requestedLimitCents: null,
  contractMaxLimitCents: null,
  stateAuthorized: null,
  lineAuthorized: null,
  sanctionsHit: false,
  leadDays: null,
  producerAppointed: null,
};

test('The best submission scores 100 and is quoted automatically', (t) => {
  const { score, band, factors } = triage(BEST);
  t.is(score, 100);
  t.is(band, 'auto_quote');
  t.deepEqual(
    factors.map(({ code, points, max }) => [code, points, max]),
    [
      ['APPETITE', 30, 30],
      ['COMPLETENESS', 20, 20],
      ['LOSS_HISTORY', 15, 15],
      ['SIZE', 10, 10],
      ['LIMIT', 10, 10],
      ['STATE', 5, 5],
      ['LEAD_TIME', 5, 5],
      ['PRODUCER', 5, 5],
    ],
  );
});

// Changes to the best submission, and the resulting score by hand.
const CASES: [what: string, change: Partial<TriageInput>, score: number][] = [
  ['standard class', { appetite: 'standard' }, 92],
  ['referred class', { appetite: 'refer' }, 78],
  ['unknown class', { appetite: null }, 70],
  ['half of the fields', { completeness: { given: 8, of: 16 } }, 90],
  ['seven of sixteen fields', { completeness: { given: 7, of: 16 } }, 89],
  ['one loss', { lossesLast5Years: 1 }, 97],
  ['two losses', { lossesLast5Years: 2 }, 92],
  ['three losses', { lossesLast5Years: 3 }, 85],
  ['unknown losses', { lossesLast5Years: null }, 93],
  ['revenue of 99,999.99', { annualRevenueCents: 9_999_999 }, 92],
  ['revenue of 100,000', { annualRevenueCents: 10_000_000 }, 100],
  ['revenue of 10 million', { annualRevenueCents: 1_000_000_000 }, 100],
  ['revenue above 10 million', { annualRevenueCents: 1_000_000_001 }, 96],
  ['revenue of 50 million', { annualRevenueCents: 5_000_000_000 }, 96],
  ['revenue above 50 million', { annualRevenueCents: 5_000_000_001 }, 92],
  ['limit above half of the authority', { requestedLimitCents: 100_000_001 }, 97],
  ['limit equal to the authority', { requestedLimitCents: 200_000_000 }, 97],
  ['limit above the authority', { requestedLimitCents: 200_000_001 }, 90],
  ['no authority', { contractMaxLimitCents: null }, 90],
  ['start in the past', { leadDays: -1 }, 95],
  ['start today', { leadDays: 0 }, 98],
  ['start in 4 days', { leadDays: 4 }, 98],
  ['start in 5 days', { leadDays: 5 }, 100],
  ['start in 90 days', { leadDays: 90 }, 100],
  ['start in 91 days', { leadDays: 91 }, 98],
  ['start in 180 days', { leadDays: 180 }, 98],
  ['start in 181 days', { leadDays: 181 }, 95],
  ['producer not appointed', { producerAppointed: false }, 95],
  ['no producer', { producerAppointed: null }, 95],
  ['prohibited class', { appetite: 'prohibited' }, 20],
  ['state outside the contract', { stateAuthorized: false }, 20],
  ['line outside the contract', { lineAuthorized: false }, 20],
  ['sanctions match', { sanctionsHit: true }, 20],
];

for (const [what, change, score] of CASES) {
  test(`The best submission with ${what} scores ${score}`, (t) => t.is(triage({ ...BEST, ...change }).score, score));
}

test('A submission with nothing known scores the points of unknown losses alone', (t) => {
  t.is(triage(NOTHING).score, 8);
  t.is(triage(NOTHING).band, 'decline_recommended');
});

test('A hard rule is shown as a factor that takes the points above 20 away, and lifts nothing', (t) => {
  const capped = triage({ ...BEST, appetite: 'prohibited' });
  t.deepEqual(capped.factors.at(-1), { code: 'HARD_RULE', points: -50, max: 0, reason: 'prohibited class' });
  t.is(capped.band, 'decline_recommended');
  t.is(triage({ ...NOTHING, sanctionsHit: true }).score, 8);
});

test('The bands begin at 75, 50 and 25', (t) => {
  t.deepEqual([100, 75, 74, 50, 49, 25, 24, 0].map(bandOf), [
    ...(['auto_quote', 'auto_quote', 'standard', 'standard'] as const),
    ...(['refer', 'refer', 'decline_recommended', 'decline_recommended'] as const),
  ]);
});

test('The factors sum to a whole score from 0 to 100, whatever is submitted', (t) => {
  const input = fc.record({
    appetite: fc.option(fc.constantFrom('preferred', 'standard', 'refer', 'prohibited')),
    completeness: fc.nat(16).map((given) => ({ given, of: 16 })),
    lossesLast5Years: fc.option(fc.nat(9)),
    annualRevenueCents: fc.option(fc.nat()),
    requestedLimitCents: fc.option(fc.nat()),
    contractMaxLimitCents: fc.option(fc.nat()),
    stateAuthorized: fc.option(fc.boolean()),
    lineAuthorized: fc.option(fc.boolean()),
    sanctionsHit: fc.boolean(),
    leadDays: fc.option(fc.integer({ min: -400, max: 400 })),
    producerAppointed: fc.option(fc.boolean()),
  });
  fc.assert(
    fc.property(input, (facts) => {
      const { score, factors } = triage(facts as TriageInput);
      const sum = factors.reduce((total, factor) => total + factor.points, 0);
      return Number.isInteger(score) && score >= 0 && score <= 100 && sum === score;
    }),
  );
  t.pass();
});
