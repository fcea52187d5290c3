// Templates become pages: Liquid with the filters of the trade. A template reads what it is given and nothing else, no
// file and no inherited property, and its work is bounded. Spec 4.7, Contract 3.5.
import { readFileSync } from 'node:fs';
import { Liquid } from 'liquidjs';
import type { TemplateKind } from '../../domain/document/kinds.ts';
import { type DomainError, validationError } from '../../domain/errors.ts';
import { dollarText } from '../../domain/money.ts';

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
];

const liquid = new Liquid({
  outputEscape: 'escape',
  ownPropertyOnly: true,
  // What a filter was meant to do would be missing from the page without a word.
  strictFilters: true,
  // With a map of templates none is read from the disk.
  templates: {},
  parseLimit: 2_000_000,
  renderLimit: 2_000,
  memoryLimit: 50_000_000,
});
liquid.registerFilter('money', (cents: unknown) => (typeof cents === 'number' ? dollarText(cents) : ''));
liquid.registerFilter('whole', (cents: unknown) =>
  typeof cents === 'number' ? dollarText(cents).replace(/\.00$/, '') : '',
);
liquid.registerFilter('day', (date: unknown) => (typeof date === 'string' ? dayText(date) : ''));

const STYLE = readFileSync(new URL('./templates/print.css', import.meta.url), 'utf8');
const defaults = new Map<TemplateKind, string>();

/** Gives the text of our own template of a kind. */
export function defaultTemplate(kind: TemplateKind): string {
  const known = defaults.get(kind);
  if (known !== undefined) return known;
  const text = readFileSync(new URL(`./templates/${kind}.liquid`, import.meta.url), 'utf8');
  defaults.set(kind, text);
  return text;
}

/**
 * Makes a page of a template. `style` is our print stylesheet, for templates that name it.
 * @throws DomainError validation_failed on `field` for a template that cannot be read or does not come to its end
 */
export function pageOfTemplate(template: string, facts: Record<string, unknown>, field = 'html'): string {
  try {
    return liquid.parseAndRenderSync(template, { ...facts, style: STYLE });
  } catch (error) {
    throw badTemplate(field, error);
  }
}

/**
 * Checks a template before it is kept: it parses, runs no script, and names only what documents of its kind know.
 * @throws DomainError validation_failed
 */
export function ensureTemplate(template: string, known: readonly string[], field = 'html'): void {
  let named: string[];
  try {
    named = liquid.globalVariablesSync(liquid.parse(template));
  } catch (error) {
    throw badTemplate(field, error);
  }
  const unknown = named.filter((name) => name !== 'style' && !known.includes(name));
  if (unknown.length > 0) {
    throw validationError(
      field,
      'unknown_reference',
      `The template names ${unknown[0]}, which no document of this kind knows.`,
    );
  }
  if (/<script|\son\w+\s*=|javascript:/i.test(template)) {
    throw validationError(field, 'format', 'A template must not contain script.');
  }
}

/** Lists what a template of a kind may name: what ours names. */
export function templateNames(kind: TemplateKind): readonly string[] {
  return liquid.globalVariablesSync(liquid.parse(defaultTemplate(kind))).filter((name) => name !== 'style');
}

function badTemplate(field: string, error: unknown): DomainError {
  const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : '';
  return validationError(field, 'format', `The template cannot be used: ${reason.slice(0, 200)}`);
}

function dayText(date: string): string {
  const [year = '', month = '', day = ''] = date.split('-');
  return `${MONTHS[Number(month) - 1] ?? month} ${Number(day)}, ${year}`;
}
