// Chooses, from everything recorded, the exchange that shows the most of an operation.
import type { Exchange } from '../../test/support/examples/exchanges.ts';

const LONGEST_CHARACTERS = 12_000;
const ROWS_OF_A_PAGE = 2;
const LINES_OF_MEASUREMENTS = 3;
/**
 * Text that no real caller would send: long runs, markup, unusual characters from tests, the word that tests look
 * for.
 */
const ODD = /(.)\1{19}|[^\n -~’–—·…]|<script|\\u0000|\bNaN\b|Quillfeather/;

/** The fullest exchange that looks like everyday use; undefined if none is short enough. */
export function fullest(exchanges: readonly Exchange[]): Exchange | undefined {
  const whole = exchanges.map(shortened).filter((each) => textOf(each).length <= LONGEST_CHARACTERS);
  const everyday = whole.filter((each) => !ODD.test(textOf(each)));
  return (everyday.length > 0 ? everyday : whole).reduce<Exchange | undefined>((best, each) => {
    return best === undefined || worth(each) > worth(best) ? each : best;
  }, undefined);
}

const textOf = ({ request, text }: Exchange) => JSON.stringify(request) + text;

/** Counts the fields with a value; of two equals, the shorter wins. */
function worth(exchange: Exchange): number {
  const { request, type, text } = exchange;
  const answer = type === 'application/json' ? JSON.parse(text) : null;
  return 3 * fieldsOf(request).size + fieldsOf(answer).size - textOf(exchange).length / LONGEST_CHARACTERS;
}

function fieldsOf(value: unknown, path = ''): Set<string> {
  if (value === null || value === undefined) return new Set();
  if (Array.isArray(value)) return new Set(value.flatMap((each) => [...fieldsOf(each, `${path}[]`)]));
  if (typeof value !== 'object') return new Set([path]);
  return new Set(Object.entries(value).flatMap(([key, inner]) => [...fieldsOf(inner, `${path}.${key}`)]));
}

/** A page keeps only its first rows: the others look the same. */
function shortened(exchange: Exchange): Exchange {
  if (exchange.type === 'text/csv') return withLines(exchange, '\r\n', ROWS_OF_A_PAGE + 1);
  if (exchange.type === 'text/plain') return withLines(exchange, '\n', LINES_OF_MEASUREMENTS);
  if (exchange.type === 'text/calendar') return exchange;
  const answer = JSON.parse(exchange.text) as { data?: unknown };
  if (!Array.isArray(answer?.data)) return exchange;
  return { ...exchange, text: JSON.stringify({ ...answer, data: answer.data.slice(0, ROWS_OF_A_PAGE) }) };
}

function withLines(exchange: Exchange, end: string, lines: number): Exchange {
  return { ...exchange, text: [...exchange.text.split(end).slice(0, lines), ''].join(end) };
}
