// Delegated authority: every flag, its severity and the threshold at which it appears.
import test from 'ava';
import {
  type AuthorityContract,
  type AuthorityQuestion,
  authorityFlags,
  crossesApproachThreshold,
  type DaFlag,
  ensureWithinAuthority,
  hasUncleared,
  isBindable,
  limitAlert,
} from '../../../domain/authority/authority.ts';
import { DEFAULT_AUTHORITY, tightensOnly } from '../../../domain/authority/authority-contract.ts';
import { DomainError } from '../../../domain/errors.ts';
import { LINES_OF_BUSINESS, STATES } from '../../../domain/lines.ts';
import { fc } from '../../support/fixed/chance.ts';

const CONTRACT = { id: 'dac_1', carrier: 'Pioneer Mutual', ...DEFAULT_AUTHORITY };

const RISK: AuthorityQuestion = {
  contract: CONTRACT,
  usedCents: 0,
  premiumCents: 399_000,
  limitCents: 100_000_000,
  annualRevenueCents: 100_000_000,
  naicsCode: '722511',
  appetite: 'standard',
  state: 'TX',
  lineOfBusiness: 'GL',
  effectiveDate: '2026-12-01',
  today: '2026-11-21',
  lossesLast5Years: 1,
  newBusiness: true,
  sellerGap: null,
  sanctionsHit: false,
  duplicateOf: null,
};

const codes = (change: Partial<AuthorityQuestion>) => authorityFlags({ ...RISK, ...change }).map((flag) => flag.code);
const without = (change: Partial<AuthorityContract>) => ({ contract: { ...CONTRACT, ...change } });

test('A new organization may bind 2 million limit, 100,000 premium, 25 million revenue and 10 million a year, everywhere', (t) => {
  t.like(DEFAULT_AUTHORITY, {
    status: 'active',
    year: null,
    maxPolicyLimitCents: 200_000_000,
    maxPremiumCents: 10_000_000,
    maxAnnualRevenueCents: 2_500_000_000,
    maxAnnualPremiumVolumeCents: 1_000_000_000,
  });
  t.deepEqual(DEFAULT_AUTHORITY.linesOfBusiness, [...LINES_OF_BUSINESS]);
  t.deepEqual(DEFAULT_AUTHORITY.states, [...STATES]);
});

const CASES: [what: string, change: Partial<AuthorityQuestion>, expected: string[]][] = [
  ['an ordinary risk', {}, []],
  ['the greatest limit', { limitCents: 200_000_000 }, []],
  ['a cent more than the greatest limit', { limitCents: 200_000_001 }, ['DA_LIMIT_EXCEEDED']],
  ['the greatest premium', { premiumCents: 10_000_000 }, []],
  ['a cent more than the greatest premium', { premiumCents: 10_000_001 }, ['DA_PREMIUM_EXCEEDED']],
  ['the greatest revenue', { annualRevenueCents: 2_500_000_000 }, []],
  ['a cent more than the greatest revenue', { annualRevenueCents: 2_500_000_001 }, ['DA_REVENUE_EXCEEDED']],
  ['use of exactly 85 percent', { usedCents: 849_601_000 }, []],
  ['use of a cent above 85 percent', { usedCents: 849_601_001 }, ['DA_AGGREGATE_APPROACHING']],
  ['use of exactly the volume', { usedCents: 999_601_000 }, ['DA_AGGREGATE_APPROACHING']],
  ['use of a cent above the volume', { usedCents: 999_601_001 }, ['DA_AGGREGATE_EXCEEDED']],
  ['a class the table prohibits', { appetite: 'prohibited' }, ['DA_CLASS_PROHIBITED']],
  ['a class the contract prohibits', { naicsCode: '113310' }, ['DA_CLASS_PROHIBITED']],
  ['a class the table refers', { appetite: 'refer' }, ['DA_CLASS_REFER']],
  ['a class the contract refers', { naicsCode: '238160', appetite: 'preferred' }, ['DA_CLASS_REFER']],
  ['a class both refer and prohibit', { naicsCode: '722410', appetite: 'prohibited' }, ['DA_CLASS_PROHIBITED']],
  ['a state outside the contract', without({ states: ['CA'] }), ['DA_STATE_NOT_AUTHORIZED']],
  ['a line outside the contract', without({ linesOfBusiness: ['CA'] }), ['DA_LOB_NOT_AUTHORIZED']],
  ['a suspended contract', without({ status: 'suspended' }), ['DA_CONTRACT_INACTIVE']],
  ['a contract of another year', without({ year: 2027 }), ['DA_CONTRACT_INACTIVE']],
  ['a contract of the year of the effective date', without({ year: 2026 }), []],
  ['no contract', { contract: null }, ['DA_CONTRACT_INACTIVE']],
  [
    'no contract and a prohibited class',
    { contract: null, appetite: 'prohibited' },
    ['DA_CONTRACT_INACTIVE', 'DA_CLASS_PROHIBITED'],
  ],
  ['a start today', { effectiveDate: '2026-11-21' }, []],
  ['a start yesterday', { effectiveDate: '2026-11-20' }, ['DA_EFFECTIVE_DATE_WINDOW']],
  ['a start in 90 days', { effectiveDate: '2027-02-19' }, []],
  ['a start in 91 days', { effectiveDate: '2027-02-20' }, ['DA_EFFECTIVE_DATE_WINDOW']],
  ['a renewal that starts in 91 days', { effectiveDate: '2027-02-20', newBusiness: false }, []],
  ['a renewal that started yesterday', { effectiveDate: '2026-11-20', newBusiness: false }, []],
  ['two losses', { lossesLast5Years: 2 }, []],
  ['three losses', { lossesLast5Years: 3 }, ['DA_LOSS_HISTORY']],
  ['unknown losses', { lossesLast5Years: null }, []],
  ['a credit of 25 percent', { scheduleModification: '-0.25' }, []],
  ['a credit of more', { scheduleModification: '-0.2501' }, ['DA_SCHEDULE_MOD']],
  ['a debit of more than 25 percent', { scheduleModification: '0.26' }, ['DA_SCHEDULE_MOD']],
  ['a producer without appointment', { sellerGap: 'appointment' }, ['DA_PRODUCER_NOT_APPOINTED']],
  ['no producer', { sellerGap: null }, []],
  ['a sanctions match', { sanctionsHit: true }, ['DA_SANCTIONS_REVIEW']],
  ['a likely duplicate', { duplicateOf: 'sub_1' }, ['CLEARANCE_DUPLICATE']],
];

for (const [what, change, expected] of CASES) {
  test(`For ${what} the flags are ${expected.join(' and ') || 'none'}`, (t) =>
    t.deepEqual(codes(change), expected as string[] as never));
}

test('The flag of a producer names the gap, so that another gap is a flag of its own', (t) => {
  for (const sellerGap of ['status', 'license', 'appointment', 'carrier'] as const) {
    t.like(authorityFlags({ ...RISK, sellerGap })[0], { code: 'DA_PRODUCER_NOT_APPOINTED', actual: sellerGap });
  }
  const [flag] = authorityFlags({ ...RISK, sellerGap: 'carrier' });
  t.regex(flag?.message ?? '', /^The carrier of the contract, Pioneer Mutual, has not appointed the producer/);
});

test('Flags carry the severities of the contract', (t) => {
  const worst = authorityFlags({
    ...RISK,
    contract: { ...CONTRACT, states: [], linesOfBusiness: [] },
    usedCents: 1_000_000_000,
    limitCents: 200_000_001,
    premiumCents: 10_000_001,
    annualRevenueCents: 2_500_000_001,
    appetite: 'prohibited',
    effectiveDate: '2026-11-20',
    lossesLast5Years: 5,
    sellerGap: 'license',
    sanctionsHit: true,
    duplicateOf: 'sub_1',
    scheduleModification: '0.3',
  });
  const bySeverity = (severity: string) =>
    worst
      .filter((flag) => flag.severity === severity)
      .map((flag) => flag.code)
      .sort();
  t.deepEqual(bySeverity('block'), [
    'DA_AGGREGATE_EXCEEDED',
    'DA_CLASS_PROHIBITED',
    'DA_LOB_NOT_AUTHORIZED',
    'DA_SANCTIONS_REVIEW',
    'DA_STATE_NOT_AUTHORIZED',
  ]);
  t.deepEqual(bySeverity('refer'), [
    'DA_EFFECTIVE_DATE_WINDOW',
    'DA_LIMIT_EXCEEDED',
    'DA_LOSS_HISTORY',
    'DA_PREMIUM_EXCEEDED',
    'DA_PRODUCER_NOT_APPOINTED',
    'DA_REVENUE_EXCEEDED',
    'DA_SCHEDULE_MOD',
  ]);
  t.deepEqual(bySeverity('info'), ['CLEARANCE_DUPLICATE']);
  t.like(authorityFlags({ ...RISK, contract: null })[0], { severity: 'block' });
  t.like(authorityFlags({ ...RISK, appetite: 'refer' })[0], { severity: 'refer' });
  t.like(authorityFlags({ ...RISK, usedCents: 900_000_000 })[0], { severity: 'info' });
});

test('A flag shows limit and actual value in dollars and is not cleared', (t) => {
  const [flag] = authorityFlags({ ...RISK, limitCents: 500_000_000 });
  t.like(flag, { limit: 2_000_000, actual: 5_000_000, referralId: null, clearedBy: null, clearedAt: null });
  const [aggregate] = authorityFlags({ ...RISK, usedCents: 999_900_000 });
  t.like(aggregate, { limit: 10_000_000, actual: 10_002_990 });
});

const flag = (severity: DaFlag['severity'], clearedAt: string | null): DaFlag => ({
  ...{ code: 'DA_CLASS_REFER', severity, message: '', limit: null, actual: null, referralId: null },
  ...{ clearedBy: clearedAt === null ? null : 'usr_1', clearedAt },
});

test('A risk is bindable when it has no uncleared block or refer flag', (t) => {
  const cleared = '2026-11-21T10:00:00.000Z';
  t.true(isBindable([]));
  t.true(isBindable([flag('info', null), flag('refer', cleared), flag('block', cleared)]));
  t.false(isBindable([flag('refer', null)]));
  t.false(isBindable([flag('refer', cleared), flag('block', null)]));
  t.true(hasUncleared([flag('info', null)], 'info'));
  t.false(hasUncleared([flag('refer', cleared)], 'refer'));
  t.notThrows(() => ensureWithinAuthority([flag('info', null)]));
  const error = t.throws(() => ensureWithinAuthority([flag('block', null)]), { instanceOf: DomainError });
  t.is(error?.code, 'delegated_authority_exceeded');
  t.deepEqual(error?.details, { daFlags: [flag('block', null)] });
});

test('The threshold is crossed exactly when use goes from at most 85 percent to more', (t) => {
  t.true(crossesApproachThreshold(85, 86, 100));
  t.true(crossesApproachThreshold(0, 100, 100));
  t.false(crossesApproachThreshold(84, 85, 100));
  t.false(crossesApproachThreshold(86, 90, 100));
  t.false(crossesApproachThreshold(90, 80, 100));
  t.true(crossesApproachThreshold(850_000_000, 850_000_001, 1_000_000_000));
  t.false(crossesApproachThreshold(17, 17, 20));
});

test('the alert about the use of the authority states a share above 85 percent, however little it is above', (t) => {
  // 1,700.01 of 2,000.00 dollars.
  t.deepEqual(limitAlert('dac_1', 170_001, 200_000), {
    ...{ contractId: 'dac_1', utilization: 0.850005, limit: 2_000, used: 1_700.01 },
  });
  t.true(limitAlert('dac_1', 85_000_001, 100_000_000).utilization > 0.85);
});

test('However premiums arrive, a rising use crosses the threshold at most once', (t) => {
  const premiums = fc.array(fc.integer({ min: 1, max: 50_000_000 }), { maxLength: 60 });
  fc.assert(
    fc.property(premiums, fc.integer({ min: 1, max: 1_000_000_000 }), (steps, volume) => {
      let used = 0;
      let crossings = 0;
      for (const step of steps) {
        if (crossesApproachThreshold(used, used + step, volume)) crossings += 1;
        used += step;
      }
      return crossings === (BigInt(used) * 20n > BigInt(volume) * 17n ? 1 : 0);
    }),
  );
  t.pass();
});

test('An organization may tighten its contract and nothing else', (t) => {
  const before = { ...DEFAULT_AUTHORITY, carrier: 'Carrier' };
  for (const patch of [
    {},
    { maxPolicyLimitCents: 100_000_000 },
    { maxPremiumCents: before.maxPremiumCents, maxAnnualPremiumVolumeCents: 0 },
    { states: ['TX', 'CA'], linesOfBusiness: ['GL'] },
    { status: 'suspended' },
    { prohibitedNaics: [...before.prohibitedNaics, '72'] },
    { prohibitedNaics: [...before.prohibitedNaics, '7224'], referNaics: ['238160'] },
    { referNaics: ['72', '238'] },
    { carrier: 'Carrier', year: null, states: undefined },
  ]) {
    t.true(tightensOnly(before, patch), JSON.stringify(patch));
  }
  for (const patch of [
    { maxPolicyLimitCents: 200_000_001 },
    { maxAnnualRevenueCents: 2_500_000_001 },
    { status: 'terminated' },
    { year: 2027 },
    { carrier: 'Other' },
    { carrierNaicCode: '20443' },
    { prohibitedNaics: ['1133'] },
    { referNaics: ['7224'] },
  ]) {
    t.false(tightensOnly(before, patch), JSON.stringify(patch));
  }
  const suspended = { ...before, status: 'suspended', states: ['TX'] };
  t.false(tightensOnly(suspended, { status: 'active' }));
  t.false(tightensOnly(suspended, { states: ['TX', 'CA'] }));
});
