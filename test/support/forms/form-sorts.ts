// The six ways in which a broker sends an ACORD 125: filled in in two editions, flattened, printed by a program or by
// Chromium, and noisy after a fax.
import type { PdfEngine } from '../../../providers/ports.ts';
import { type FormValues, fillableForm, flattenedForm, htmlForm, noisyForm, printedForm } from './acord-forms.ts';

type Maker = (form: FormValues, chance: () => number) => Promise<Uint8Array>;

/** Name → how it is made; `press` prints one of them. */
export function formSorts(press: Pick<PdfEngine, 'render'>): Readonly<Record<string, Maker>> {
  return {
    'filled in, 2016': (form) => fillableForm(form),
    'filled in, older': (form) => fillableForm(form, 'older'),
    flattened: (form) => flattenedForm(form),
    'printed by a program': (form) => printedForm(form),
    'printed by Chromium': async (form) => (await press.render(htmlForm(form))).bytes,
    noisy: (form, chance) => noisyForm(form, chance),
  };
}
