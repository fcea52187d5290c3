// npm run --silent sample-acord -- <file.pdf> [--blank]: writes our own fillable form with the field names of an ACORD
// 125 (ACORD's is licensed), filled in for a bakery in Texas that starts in 30 days, or empty.
import './help/show-help.ts';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { fillableForm, RISK } from '../test/support/forms/acord-forms.ts';

const STARTS_IN_DAYS = 30;
const TERM_DAYS = 365;
const DAY_MS = 86_400_000;

const { values, positionals } = parseArgs({ options: { blank: { type: 'boolean' } }, allowPositionals: true });
const [file, ...rest] = positionals;

if (file === undefined || rest.length > 0) {
  console.error('npm run --silent sample-acord -- <file.pdf> [--blank]');
  process.exitCode = 1;
} else {
  const term = {
    Policy_EffectiveDate_A: asWritten(STARTS_IN_DAYS),
    Policy_ExpirationDate_A: asWritten(STARTS_IN_DAYS + TERM_DAYS),
  };
  writeFileSync(file, await fillableForm(values.blank ? {} : { ...RISK, ...term }));
  console.log(file);
}

/** A day as people write it on the form: `03/01/2027`. */
function asWritten(daysAhead: number): string {
  const [year, month, day] = new Date(Date.now() + daysAhead * DAY_MS).toISOString().slice(0, 10).split('-');
  return `${month}/${day}/${year}`;
}
