// Renders templates into pages and form field values: Liquid with insurance filters. A template reads only the facts
// it is given, no file and no inherited property, and its work is bounded. Spec 4.7, Contract 3.5.
import { Liquid, LiquidError, UndefinedVariableError } from 'liquidjs';
import { dayText } from '../../domain/dates.ts';
import { hasPath } from '../../domain/document/template-values.ts';
import { DomainError, validationError } from '../../domain/errors.ts';
import { dollarText } from '../../domain/money.ts';
import { templateNotFilled } from '../threads/busy-machine.ts';

/** Wall-clock time: waiting for a processor counts. */
const RENDER_LIMIT_MS = 2_000;
/** A template that used less processor time than this was held up by the machine. */
const STARVED_BELOW_MS = RENDER_LIMIT_MS / 20;

const page = engine({ isHtml: true });
/** Form field values are not HTML. */
const plain = engine({ isHtml: false });
/** An unknown name stops it, even inside a loop. */
const strict = engine({ isHtml: true, strictVariables: true });

/**
 * Renders a template into a page.
 * @throws DomainError validation_failed on `field` for a template that cannot be parsed or does not finish
 */
export function fillTemplate(template: string, facts: Record<string, unknown>, field: string): string {
  return rendered(page, template, facts, field);
}

/** Renders a form field's text, as `fillTemplate` renders pages. */
export function plainTextOf(template: string, facts: Record<string, unknown>, field: string): string {
  return rendered(plain, template, facts, field).trim();
}

/**
 * Tries a page or form field template on sample facts that have every value.
 * @throws DomainError validation_failed on `field` for a template that cannot be parsed, does not finish, or uses a
 * value missing from the sample
 */
export function tryTemplate(template: string, sample: Record<string, unknown>, field: string): string {
  return refusingBad(field, () => {
    const parsed = strict.parse(template);
    // Also checks names that the sample does not reach, in the other branch of a condition.
    const unknown = strict.globalVariableSegmentsSync(parsed).find((segments) => !isIn(sample, segments));
    if (unknown) throw unknownValue(field, unknown.map(String).join('.'));
    return strict.renderSync(parsed, sample) as string;
  });
}

type Segments = ReturnType<Liquid['globalVariableSegmentsSync']>[number];

/** A computed segment, as in `limits[place].name`, ends the part of a path that can be checked. */
function isIn(sample: Record<string, unknown>, segments: Segments): boolean {
  const computed = segments.findIndex(Array.isArray);
  const known = computed === -1 ? segments : segments.slice(0, computed);
  return known.length > 0 && hasPath(sample, known.map(String));
}

function engine({ isHtml, strictVariables = false }: { isHtml: boolean; strictVariables?: boolean }): Liquid {
  const liquid = new Liquid({
    ...(isHtml ? { outputEscape: 'escape' as const } : {}),
    strictVariables,
    ownPropertyOnly: true,
    // An unknown filter would otherwise be skipped silently.
    strictFilters: true,
    // With a map of templates, none is read from disk.
    templates: {},
    parseLimit: 2_000_000,
    renderLimit: RENDER_LIMIT_MS,
    memoryLimit: 50_000_000,
  });
  liquid.registerFilter('money', (cents: unknown) => (typeof cents === 'number' ? dollarText(cents) : ''));
  liquid.registerFilter('whole', (cents: unknown) =>
    typeof cents === 'number' ? dollarText(cents).replace(/\.00$/, '') : '',
  );
  liquid.registerFilter('phone', (number: unknown) => (typeof number === 'string' ? phoneText(number) : ''));
  liquid.registerFilter('day', (date: unknown) => (typeof date === 'string' ? dayText(date) : ''));
  return liquid;
}

/** A North American number as written there; any other number as is. */
function phoneText(number: string): string {
  const [, area, exchange, line] = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(number) ?? [];
  return line === undefined ? number : `(${area}) ${exchange}-${line}`;
}

function rendered(liquid: Liquid, template: string, facts: Record<string, unknown>, field: string): string {
  return refusingBad(field, () => String(liquid.parseAndRenderSync(template, facts)));
}

/** @throws DomainError validation_failed; service_unavailable if the machine was too busy, not the template too slow */
function refusingBad<Result>(field: string, work: () => Result): Result {
  const before = process.threadCpuUsage();
  try {
    return work();
  } catch (error) {
    const { user, system } = process.threadCpuUsage(before);
    const isStarved = (user + system) / 1_000 < STARVED_BELOW_MS;
    throw isStarved && isOverLimit(error) ? templateNotFilled() : badTemplate(field, error);
  }
}

function isOverLimit(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('template render limit exceeded');
}

function reasonOf({ message }: Error): string {
  if (message.startsWith('Maximum call stack size exceeded')) return 'It is nested too deeply.';
  return message.split('\n')[0] ?? '';
}

/** A template named by `include`, `render` or `layout` is looked up and not found. */
function isOfAnotherTemplate(error: unknown): boolean {
  const cause = error instanceof LiquidError ? error.originalError : error;
  return (cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
}

function unknownValue(field: string, path: string): DomainError {
  const message = `The template uses ${path}, which documents of this kind do not have.`;
  return validationError(field, 'unknown_reference', message);
}

function badTemplate(field: string, error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (isOfAnotherTemplate(error)) return validationError(field, 'format', 'A template cannot use another template.');
  const reason = error instanceof Error ? reasonOf(error) : '';
  const rule = error instanceof UndefinedVariableError ? 'unknown_reference' : 'format';
  return validationError(field, rule, `The template cannot be used: ${reason.slice(0, 200)}`);
}
