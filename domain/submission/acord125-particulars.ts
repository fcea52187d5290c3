// What underwriters read on an ACORD 125 besides the rating facts: answers to the general questions, and total losses.
// They are kept with the intake, each with its place on the form. Pure. Domain 5.1.
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

/** Records them as `questions.bankruptcy` (Y or N) and `totalLosses` in dollars, each if the form has it. */
export function takeParticulars(reading: Reading): void {
  for (const [about, code] of Object.entries(QUESTIONS)) {
    reading.takeFrom([`CommercialPolicy_Question_${code}Code_A`], `questions.${about}`, readYesOrNo);
  }
  reading.take('totalLosses', readDollars);
}

function readYesOrNo(text: string): 'Y' | 'N' | null {
  if (/^y(es)?$/i.test(text.trim())) return 'Y';
  return /^no?$/i.test(text.trim()) ? 'N' : null;
}
