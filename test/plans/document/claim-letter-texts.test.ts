import test from 'ava';
import type { ClaimLetter } from '../../../plans/document/claim-letter-facts.ts';
import { claimLetterText } from '../../../plans/document/claim-letter-texts.ts';

const ADDRESSED = { organization: 'Bluebonnet MGA', addressee: 'Ada Guest', claimNumber: 'CLM-2026-000001' };

const settled = (deductible: number, isProtected = false) => {
  const settlement = { amount: 6_000_00, deductible, payable: 6_000_00 - deductible, payee: 'Ada Guest' };
  const facts = { settlement } as ClaimLetter;
  return claimLetterText({ kind: 'claim_settlement', facts }, { ...ADDRESSED, isProtected }).text;
};

test('an e-mail about a settlement names the part of it that the deductible takes, and no deductible where none is taken', (t) => {
  t.true(settled(1_000_00).includes('The deductible takes $1,000.00 of it. We will pay $5,000.00.'));
  // An earlier settlement may have taken it: the policy can have one all the same.
  const without = settled(0);
  t.true(without.includes('We will pay $6,000.00.'));
  t.notRegex(without, /deductible/i);
});

test('an e-mail about a protected claim has neither an amount nor the kind of the letter', (t) => {
  t.notRegex(settled(1_000_00, true), /\$|settle|deductible/i);
});
