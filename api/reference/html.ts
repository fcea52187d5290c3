// HTML from templates: every value is escaped unless it is already HTML.
import { escapedXml } from '../../domain/text.ts';

/** Text that is safe to put into a page. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Makes HTML from a template; lists are joined, and null, undefined and false are left out. */
export function html(strings: TemplateStringsArray, ...values: readonly unknown[]): Html {
  return new Html(strings.reduce((text, part, i) => text + valueToText(values[i - 1]) + part));
}

/** Puts text into a page as it is. */
export function asIs(text: string): Html {
  return new Html(text);
}

function valueToText(value: unknown): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(valueToText).join('');
  if (value === null || value === undefined || value === false) return '';
  return escapedXml(String(value));
}
