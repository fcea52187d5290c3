// Templates become pages, and what stands in the fields of forms: Liquid with the filters of the trade. A template
// reads what it is given and nothing else, no file and no inherited property, and its work is bounded. Spec 4.7,
// Contract 3.5.
import { Liquid } from 'liquidjs';
import { dayText } from '../../domain/dates.ts';
import { type DomainError, validationError } from '../../domain/errors.ts';
import { dollarText } from '../../domain/money.ts';

const page = engine(true);
/** What stands in a field of a form is no HTML. */
const plain = engine(false);

/**
 * Makes a page of a template.
 * @throws DomainError validation_failed on `field` for a template that cannot be read or does not come to its end
 */
export function pageOf(template: string, facts: Record<string, unknown>, field: string): string {
  return rendered(page, template, facts, field);
}

/** Makes the text of a form's field, as `pageOf` makes pages. */
export function plainTextOf(template: string, facts: Record<string, unknown>, field: string): string {
  return rendered(plain, template, facts, field).trim();
}

/** Lists what a template names. @throws DomainError validation_failed on `field` */
export function namesIn(template: string, field: string): string[] {
  try {
    return page.globalVariablesSync(page.parse(template));
  } catch (error) {
    throw badTemplate(field, error);
  }
}

function engine(isHtml: boolean): Liquid {
  const liquid = new Liquid({
    ...(isHtml ? { outputEscape: 'escape' as const } : {}),
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
  return liquid;
}

function rendered(liquid: Liquid, template: string, facts: Record<string, unknown>, field: string): string {
  try {
    return String(liquid.parseAndRenderSync(template, facts));
  } catch (error) {
    throw badTemplate(field, error);
  }
}

function badTemplate(field: string, error: unknown): DomainError {
  const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : '';
  return validationError(field, 'format', `The template cannot be used: ${reason.slice(0, 200)}`);
}
