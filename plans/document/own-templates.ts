// Our own document templates and the stylesheet they are printed with. Spec 4.7.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { TemplateKind } from '../../domain/document/kinds.ts';

/** The print stylesheet, which templates know as `style`. */
export const PRINT_STYLE = readFileSync(new URL('./templates/print.css', import.meta.url), 'utf8');

const VERSION_DIGITS = 8;

const defaults = new Map<TemplateKind, string>();

/** Returns the text of our own template of a kind. */
export function defaultTemplate(kind: TemplateKind): string {
  const known = defaults.get(kind);
  if (known !== undefined) return known;
  const text = readFileSync(new URL(`./templates/${kind}.liquid`, import.meta.url), 'utf8');
  defaults.set(kind, text);
  return text;
}

/** Names the version of our own template of a kind, `declarations@3f9a01bc`: changed text or style changes the name. */
export function defaultVersion(kind: TemplateKind): string {
  const state = createHash('sha256').update(defaultTemplate(kind)).update(PRINT_STYLE).digest('hex');
  return `${kind}@${state.slice(0, VERSION_DIGITS)}`;
}
