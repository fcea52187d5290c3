// Our own templates of documents and the stylesheet that they are printed with. Spec 4.7.
import { readFileSync } from 'node:fs';
import type { TemplateKind } from '../../domain/document/kinds.ts';

/** The print stylesheet, which templates know as `style`. */
export const PRINT_STYLE = readFileSync(new URL('./templates/print.css', import.meta.url), 'utf8');

const defaults = new Map<TemplateKind, string>();

/** Gives the text of our own template of a kind. */
export function defaultTemplate(kind: TemplateKind): string {
  const known = defaults.get(kind);
  if (known !== undefined) return known;
  const text = readFileSync(new URL(`./templates/${kind}.liquid`, import.meta.url), 'utf8');
  defaults.set(kind, text);
  return text;
}
