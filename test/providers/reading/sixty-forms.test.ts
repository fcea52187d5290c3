// Sixty generated ACORD 125 forms are read back as they were drawn: the short form of `npm run acord-forms`.
import test from 'ava';
import { readAcord125 } from '../../../domain/submission/acord125.ts';
import { createDocumentReader } from '../../../providers/reading/reader.ts';
import { forGood } from '../../support/for-good.ts';
import { drawnRisk } from '../../support/forms/drawn-risks.ts';
import { formSorts } from '../../support/forms/form-sorts.ts';
import { startPress } from '../../support/printing/press.ts';

const TODAY = '2026-11-22';
const [FIRST_RISK, RISKS] = [4_711, 10];

const reader = createDocumentReader();
test.after.always(() => reader.close());

for (const [sort, make] of Object.entries(formSorts(startPress()))) {
  test(`ten risks on forms that are ${sort}: every fact is read as it was drawn`, async (t) => {
    for (let number = FIRST_RISK; number < FIRST_RISK + RISKS; number += 1) {
      const { form, expected, chance } = drawnRisk(number);
      const bytes = await make(form, chance);
      const { facts, intake } = readAcord125(await forGood(() => reader.readPdf(async () => bytes)), TODAY);
      t.deepEqual({ ...facts, additionalLines: intake.additionalLines }, expected, `risk ${number}`);
    }
  });
}
