import test from 'ava';
import { authorityFlag, type DaFlag } from '../../../domain/authority/authority.ts';
import { type Approval, covers, type JudgedRisk, stillApproved } from '../../../domain/authority/standing-approval.ts';

const RISK: JudgedRisk = {
  ...{ limitCents: 100_000_000, premiumCents: 399_000, lineOfBusiness: 'GL' },
  ...{ state: 'TX', naicsCode: '722511', producerId: 'prd_1' },
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
  for (const now of [RISK, { ...RISK, limitCents: 1, premiumCents: 1 }]) {
    const cleared = { flags: [{ ...losses(3), ...CLEARED }], approvalId: 'rfl_1', conditions: ['Sprinklers.'] };
    t.deepEqual(stillApproved([losses(3)], [APPROVAL], now), cleared);
  }
});

test('A worse or new flag is not cleared, and conditions of an approval that clears nothing do not carry over', (t) => {
  const { flags, conditions } = stillApproved([losses(4), limit], [APPROVAL], RISK);
  t.deepEqual(flags, [losses(4), limit]);
  t.deepEqual(conditions, []);
});

test('An approval without flags covers the whole risk: its conditions carry over, each once', (t) => {
  const whole = { ...APPROVAL, id: 'rfl_2', flags: [], conditions: ['A second exit.', 'Sprinklers.'] };
  const { conditions, approvalId } = stillApproved([losses(3)], [whole, APPROVAL], RISK);
  t.deepEqual(conditions, ['A second exit.', 'Sprinklers.']);
  t.is(approvalId, 'rfl_2');
});
