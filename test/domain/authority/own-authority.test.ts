// The authority a user may be given: never more than the contracts in force allow together.
import test from 'ava';
import type { AuthorityContract } from '../../../domain/authority/authority.ts';
import { DEFAULT_AUTHORITY } from '../../../domain/authority/authority-contract.ts';
import { authorityCeiling, ensureWithinCeiling } from '../../../domain/authority/own-authority.ts';
import { DomainError } from '../../../domain/errors.ts';

const TODAY = '2026-06-01';
const contract = (given: Partial<AuthorityContract>): AuthorityContract => ({
  ...DEFAULT_AUTHORITY,
  id: 'dac_1',
  maxPolicyLimitCents: 100_000_000,
  maxPremiumCents: 5_000_000,
  linesOfBusiness: ['GL'],
  ...given,
});

test('the ceiling is the most that any contract in force allows, and all of their lines', (t) => {
  const contracts = [
    contract({}),
    contract({ maxPolicyLimitCents: 50_000_000, maxPremiumCents: 7_000_000, linesOfBusiness: ['GL', 'PL'] }),
    contract({ status: 'suspended', maxPolicyLimitCents: 900_000_000 }),
    contract({ year: 2025, maxPremiumCents: 90_000_000 }),
  ];
  t.deepEqual(authorityCeiling(contracts, TODAY), {
    maxLimitCents: 100_000_000,
    maxPremiumCents: 7_000_000,
    linesOfBusiness: ['GL', 'PL'],
  });
  t.deepEqual(authorityCeiling([], TODAY), { maxLimitCents: 0, maxPremiumCents: 0, linesOfBusiness: [] });
});

test('limits up to the ceiling are allowed, and everything above it is named', (t) => {
  const ceiling = authorityCeiling([contract({})], TODAY);
  t.notThrows(() => ensureWithinCeiling({ ...ceiling, linesOfBusiness: null }, ceiling));
  t.notThrows(() => ensureWithinCeiling(ceiling, ceiling));
  const own = { maxLimitCents: 100_000_001, maxPremiumCents: 5_000_001, linesOfBusiness: ['GL', 'CYBER'] };
  const error = t.throws(() => ensureWithinCeiling(own, ceiling), { instanceOf: DomainError });
  t.is(error?.code, 'delegated_authority_exceeded');
  const { daFlags } = (error?.details ?? {}) as { daFlags: { code: string; limit: unknown; actual: unknown }[] };
  t.deepEqual(
    daFlags.map(({ code, limit, actual }) => [code, limit, actual]),
    [
      ['DA_LIMIT_EXCEEDED', 1_000_000, 1_000_000.01],
      ['DA_PREMIUM_EXCEEDED', 50_000, 50_000.01],
      ['DA_LOB_NOT_AUTHORIZED', null, 'CYBER'],
    ],
  );
});
