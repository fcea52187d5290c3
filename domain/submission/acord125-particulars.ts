// What underwriters read on an ACORD 125 besides the rating facts: answers to the general questions, prior coverage
// and total losses. They are kept with the intake, each with its place on the form. Pure. Domain 5.1.
import { readDate, wholeText } from '../document/read-values.ts';
import { type Reading, readDollars } from './acord125-reading.ts';

/** Subject of a question → the code in its field's name. */
const QUESTIONS = {
  subsidiaryOfAnother: 'AAI',
  hasSubsidiaries: 'AAJ',
  safetyProgram: 'KAA',
  flammables: 'ABC',
  otherInsurance: 'AAH',
  declinedOrCancelled: 'AAC',
  abuseClaims: 'AAD',
  fraudConviction: 'KAB',
  safetyViolations: 'AAF',
  bankruptcy: 'KAK',
  judgmentOrLien: 'KAL',
  trust: 'ABB',
  foreignOperations: 'KAC',
  otherVentures: 'KAM',
  drones: 'KAN',
  hiredDrones: 'KAO',
};

const PRIOR_LINES = ['GeneralLiability', 'Automobile', 'Property', 'OtherLine'];
const PRIOR_YEARS = ['A', 'B', 'C'];
/** A value of a prior policy → the ending of its field's name, and how to read it. */
const PRIOR_VALUES: Readonly<Record<string, readonly [string, (text: string) => string | number | null]>> = {
  insurerName: ['InsurerFullName', wholeText],
  policyNumber: ['PolicyNumberIdentifier', wholeText],
  totalPremium: ['TotalPremiumAmount', readDollars],
  effectiveDate: ['EffectiveDate', readDate],
  expirationDate: ['ExpirationDate', readDate],
};

/**
 * Records them as `questions.bankruptcy` (Y or N), `priorCoverage.GeneralLiability.A.insurerName` (A is
 * the latest year) and `totalLosses` in dollars, each if the form has it.
 */
export function takeParticulars(reading: Reading): void {
  for (const [about, code] of Object.entries(QUESTIONS)) {
    reading.takeFrom([`CommercialPolicy_Question_${code}Code_A`], `questions.${about}`, readYesOrNo);
  }
  for (const line of PRIOR_LINES) for (const year of PRIOR_YEARS) takePriorPolicy(reading, line, year);
  reading.take('totalLosses', readDollars);
}

function takePriorPolicy(reading: Reading, line: string, year: string): void {
  for (const [name, [part, read]] of Object.entries(PRIOR_VALUES)) {
    reading.takeFrom([`PriorCoverage_${line}_${part}_${year}`], `priorCoverage.${line}.${year}.${name}`, read);
  }
}

function readYesOrNo(text: string): 'Y' | 'N' | null {
  if (/^y(es)?$/i.test(text.trim())) return 'Y';
  return /^no?$/i.test(text.trim()) ? 'N' : null;
}
