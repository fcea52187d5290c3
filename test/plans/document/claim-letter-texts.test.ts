import test from 'ava';
import type { ClaimLetter } from '../../../plans/document/claim-letter-facts.ts';
import { claimLetterText } from '../../../plans/document/claim-letter-texts.ts';

const ADDRESSED = { organization: 'Bluebonnet MGA', addressee: 'Ada Guest', claimNumber: 'CLM-2026-000001' };

const settled = (deductible: number, isProtected = false) => {
  const settlement = { amount: 6_000_00, deductible, payable: 6_000_00 - deductible, payee: 'Ada Guest' };
  const facts = { settlement } as ClaimLetter;
  return claimLetterText({ kind: 'claim_settlement', facts }, { ...ADDRESSED, isProtected }).text;
};

test('an e-mail about a settlement names the deductible, and none where none applies', (t) => {
  t.true(settled(1_000_00).includes('A deductible of $1,000.00 applies. We will pay $5,000.00.'));
  // The policy may still have a deductible: an earlier settlement may have used it up.
  const without = settled(0);
  t.true(without.includes('We will pay $6,000.00.'));
  t.notRegex(without, /deductible/i);
});

test('an e-mail about a protected claim has neither an amount nor the kind of the letter', (t) => {
  t.notRegex(settled(1_000_00, true), /\$|settle|deductible/i);
});
