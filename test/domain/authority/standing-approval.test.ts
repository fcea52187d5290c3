import test from 'ava';
import { authorityFlag, type DaFlag } from '../../../domain/authority/authority.ts';
import { type Approval, covers, type JudgedRisk, stillApproved } from '../../../domain/authority/standing-approval.ts';

const RISK: JudgedRisk = {
  ...{ limitCents: 100_000_000, premiumCents: 399_000, lineOfBusiness: 'GL' },
  ...{ state: 'TX', naicsCode: '722511', producerId: 'prd_1', insuredName: 'blue door diner' },
  ...{ effectiveDate: '2026-04-01', contractId: 'dac_1' },
  ...{ annualRevenueCents: 100_000_000, deductibleCents: 250_000, lossesLast5Years: 2 },
};
const CLEARED = { referralId: 'rfl_1', clearedBy: 'usr_1', clearedAt: '2026-03-01T00:00:00.000Z' };
const losses = (actual: number): DaFlag => authorityFlag('DA_LOSS_HISTORY', 'Losses.', 2, actual);
const limit = authorityFlag('DA_LIMIT_EXCEEDED', 'Limit.', 1, 2);
const APPROVAL: Approval = {
  ...{ id: 'rfl_1', conditions: ['Sprinklers.'], risk: RISK },
  flags: [{ ...losses(3), ...CLEARED }],
};

const worse: [what: string, change: Partial<JudgedRisk>][] = [
  ['a higher limit', { limitCents: 100_000_001 }],
  ['a higher premium', { premiumCents: 399_001 }],
  ['another line', { lineOfBusiness: 'CP' }],
  ['another state', { state: 'FL' }],
  ['another class', { naicsCode: '722410' }],
  ['another producer', { producerId: 'prd_2' }],
  ['no producer', { producerId: null }],
  ['a premium that is not known', { premiumCents: null }],
  ['another insured', { insuredName: 'red door diner' }],
  ['another effective date', { effectiveDate: '2026-04-02' }],
  ['another contract', { contractId: 'dac_2' }],
  ['more revenue, whatever makes up for it', { annualRevenueCents: 100_000_001, premiumCents: 1 }],
  ['a smaller deductible', { deductibleCents: 249_999, premiumCents: 1 }],
  ['one loss more', { lossesLast5Years: 3, premiumCents: 1 }],
  ['losses that are no longer known', { lossesLast5Years: null }],
];

for (const [what, change] of worse) {
  test(`An approval does not cover ${what}`, (t) => {
    const now = { ...RISK, ...change };
    t.false(covers(APPROVAL, now));
    const nothing = { flags: [losses(3)], approvalId: null, conditions: [] };
    t.deepEqual(stillApproved([losses(3)], [APPROVAL], now), nothing);
  });
}

test('An approval covers the same risk or less, clears the approved flags, and its conditions carry over', (t) => {
  const less = { limitCents: 1, premiumCents: 1, annualRevenueCents: 1, deductibleCents: 250_001, lossesLast5Years: 0 };
  for (const now of [RISK, { ...RISK, ...less }]) {
    const cleared = { flags: [{ ...losses(3), ...CLEARED }], approvalId: 'rfl_1', conditions: ['Sprinklers.'] };
    t.deepEqual(stillApproved([losses(3)], [APPROVAL], now), cleared);
  }
});

test('A worse or new flag is not cleared', (t) => {
  t.deepEqual(stillApproved([losses(4), limit], [APPROVAL], RISK).flags, [losses(4), limit]);
});

test('An approval that covers the figures brings its conditions, also when no flag is left to clear', (t) => {
  const expected = { flags: [], approvalId: 'rfl_1', conditions: ['Sprinklers.'] };
  t.deepEqual(stillApproved([], [APPROVAL], { ...RISK, lossesLast5Years: 2 }), expected);
});

test('The newest approval covers the figures; conditions of those that clear a flag are added, each once', (t) => {
  const whole = { ...APPROVAL, id: 'rfl_2', flags: [], conditions: ['A second exit.', 'Sprinklers.'] };
  const clearing = { ...APPROVAL, conditions: ['Sprinklers.', 'A fire watch.'] };
  const unused = { ...APPROVAL, id: 'rfl_0', conditions: ['No longer relevant.'] };
  const { conditions, approvalId } = stillApproved([losses(3)], [whole, clearing, unused], RISK);
  t.deepEqual(conditions, ['A second exit.', 'Sprinklers.', 'A fire watch.']);
  t.is(approvalId, 'rfl_2');
});

test('losses unknown at the approval may turn out to be none, and no more', (t) => {
  const unknown = { ...APPROVAL, risk: { ...RISK, lossesLast5Years: null } };
  t.true(covers(unknown, { ...RISK, lossesLast5Years: null }));
  t.true(covers(unknown, { ...RISK, lossesLast5Years: 0 }));
  t.false(covers(unknown, { ...RISK, lossesLast5Years: 1 }));
});

test('each gap of a producer is approved by itself: a license that ends later is a new question', (t) => {
  const flag = (gap: string) => authorityFlag('DA_PRODUCER_NOT_APPOINTED', 'The producer.', null, gap);
  const approval = { ...APPROVAL, flags: [{ ...flag('carrier'), ...CLEARED }] };
  t.is(stillApproved([flag('carrier')], [approval], RISK).flags[0]?.clearedAt, CLEARED.clearedAt);
  for (const gap of ['appointment', 'license', 'status']) {
    t.is(stillApproved([flag(gap)], [approval], RISK).flags[0]?.clearedAt, null);
  }
});
