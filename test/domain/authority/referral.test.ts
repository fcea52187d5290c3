// Referrals: their moves, what an approval clears, and who may decide, compared with a slow model of authority.
import test from 'ava';
import { authorityFlag, type FlagCode, isBindable } from '../../../domain/authority/authority.ts';
import {
  clearedFlags,
  contractExcess,
  ensureAgreed,
  nextReferralStatus,
  OPEN_REFERRAL_STATUSES,
} from '../../../domain/authority/referral.ts';
import { DomainError } from '../../../domain/errors.ts';
import { type Actor, denial } from '../../../domain/permissions.ts';
import { dieOf } from '../../support/fixed/chance.ts';

const CLEARANCE = { referralId: 'rfl_1', clearedBy: 'usr_1', clearedAt: '2026-03-01T12:00:00.000Z' };
const die = dieOf('referral');
const chosen = <T>(from: readonly T[]): T => from[die(from.length)] as T;

test('a final decision is final, and a question goes back to pending when it is answered', (t) => {
  t.deepEqual(OPEN_REFERRAL_STATUSES, ['pending', 'info_requested']);
  t.is(nextReferralStatus(nextReferralStatus('pending', 'request_info'), 'answer'), 'pending');
  for (const from of ['approved', 'rejected', 'withdrawn', 'expired'] as const) {
    const error = t.throws(() => nextReferralStatus(from, 'approve'), { instanceOf: DomainError });
    t.is(error?.code, 'invalid_state_transition');
    t.deepEqual(error?.details?.allowed, []);
  }
  const twice = t.throws(() => nextReferralStatus('info_requested', 'request_info'), { instanceOf: DomainError });
  t.deepEqual(twice?.details?.allowed, ['approve', 'reject', 'answer']);
});

test('an approval clears refer flags that are not cleared yet, and no block flag', (t) => {
  const codes: FlagCode[] = [
    'DA_CLASS_PROHIBITED',
    'DA_SANCTIONS_REVIEW',
    'DA_AGGREGATE_EXCEEDED',
    'DA_STATE_NOT_AUTHORIZED',
  ];
  for (const code of codes) {
    const flag = authorityFlag(code, '', null, null);
    t.deepEqual(clearedFlags([flag], CLEARANCE), [flag]);
  }
  const losses = authorityFlag('DA_LOSS_HISTORY', '', 2, 3);
  t.deepEqual(clearedFlags([losses], CLEARANCE), [{ ...losses, ...CLEARANCE }]);
  t.true(isBindable(clearedFlags([losses], CLEARANCE)));
  const earlier = { ...losses, ...CLEARANCE, clearedBy: 'usr_2' };
  t.deepEqual(clearedFlags([earlier], CLEARANCE), [earlier]);
});

test('a change that leads to other figures than the approved ones is not carried out', (t) => {
  const agreed = { limitCents: 300, premiumCents: 200, premiumChangeCents: 100 };
  t.notThrows(() => ensureAgreed(null, agreed));
  t.notThrows(() => ensureAgreed(agreed, { ...agreed }));
  for (const name of ['limitCents', 'premiumCents', 'premiumChangeCents'] as const) {
    const error = t.throws(() => ensureAgreed(agreed, { ...agreed, [name]: 99 }), { instanceOf: DomainError });
    t.is(error?.code, 'quote_expired');
  }
});

test('only entitled approvers of 2,000 random ones decide: no own request, none above own or contract limits', (t) => {
  const amounts = [0, 1, 100_000_000, 200_000_000, 200_000_001, 500_000_000];
  const contract = { limit: 200_000_000, premium: 1_000_000 };
  for (let round = 0; round < 2_000; round += 1) {
    const [limitCents, premiumCents] = [chosen(amounts), chosen([...amounts, null])];
    const lineOfBusiness = chosen(['GL', 'CA']);
    const own = {
      maxLimitCents: chosen(amounts),
      maxPremiumCents: chosen(amounts),
      linesOfBusiness: chosen([null, ['GL']]),
    };
    const role = chosen(['underwriter', 'underwriter', 'org_admin', 'auditor', 'producer'] as const);
    const authority = role === 'underwriter' ? chosen([null, own]) : null;
    const id = chosen(['a', 'b', 'c']);
    const requestedBy = chosen([['a'], ['a', 'b']]);
    const flags = [
      ...(limitCents > contract.limit
        ? [authorityFlag('DA_LIMIT_EXCEEDED', '', contract.limit / 100, limitCents / 100)]
        : []),
      ...((premiumCents ?? 0) > contract.premium
        ? [authorityFlag('DA_PREMIUM_EXCEEDED', '', contract.premium / 100, (premiumCents ?? 0) / 100)]
        : []),
    ];
    const actor: Actor = {
      kind: 'user',
      id,
      role,
      orgId: 'o',
      homeOrgId: 'o',
      scopes: null,
      producerIds: [],
      authority,
    };
    const facts = {
      orgId: 'o',
      requestedBy,
      limitCents,
      premiumCents,
      lineOfBusiness,
      contractExcess: contractExcess(flags),
    };

    let mayDecide = role === 'org_admin' || role === 'underwriter';
    if (requestedBy.includes(id)) mayDecide = false;
    if (role === 'underwriter') {
      if (limitCents > contract.limit || (premiumCents ?? 0) > contract.premium) mayDecide = false;
      if (authority !== null) {
        if (limitCents > authority.maxLimitCents || (premiumCents ?? 0) > authority.maxPremiumCents) mayDecide = false;
        if (authority.linesOfBusiness !== null && !authority.linesOfBusiness.includes(lineOfBusiness))
          mayDecide = false;
      }
    }
    t.is(denial(actor, 'referral:decide', facts) === null, mayDecide, JSON.stringify({ actor, facts }));
  }
});
