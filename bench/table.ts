// The results of a comparison, and how they are printed.
import type { Cpu } from './cpu.ts';
import type { Figures } from './measure.ts';

/** A ratio (or a count) with its aim: `most` if less is better, `least` if more is. */
export interface Verdict {
  what: string;
  value: number;
  aim: { most: number } | { least: number };
}

export interface Line {
  name: string;
  figures: Figures;
}

export interface Comparison {
  title: string;
  lines: readonly Line[];
  verdicts: readonly Verdict[];
}

const NAME_WIDTH = 46;
const NUMBER_WIDTH = 11;

function isMet({ value, aim }: Verdict): boolean {
  return 'most' in aim ? value <= aim.most : value >= aim.least;
}

/** One block of lines: the measured sides first, then the ratios with their aims. */
export function printed({ title, lines, verdicts }: Comparison): string {
  const head = lines.length > 0 ? [row(title, ['p50 ms', 'p95 ms', 'per second'])] : [title];
  const sides = lines.flatMap(({ name, figures: { p50Ms, p95Ms, perSecond, cpu } }) => [
    row(`  ${name}`, [p50Ms.toFixed(2), p95Ms.toFixed(2), perSecond.toFixed(1)]),
    ...(cpu ? [cpuLine(cpu)] : []),
  ]);
  return [...head, ...sides, ...verdicts.map((verdict) => verdictLine(verdict))].join('\n');
}

/** Every figure that has an aim, one a line, and how many aims are met. */
export function printedAims(comparisons: readonly Comparison[]): string {
  const verdicts = comparisons.flatMap(({ title, verdicts }) =>
    verdicts.map((verdict) => ({ ...verdict, what: `${title}: ${verdict.what}` })),
  );
  const width = Math.max(NAME_WIDTH, ...verdicts.map(({ what }) => what.length + 2));
  const met = verdicts.filter(isMet).length;
  return [...verdicts.map((verdict) => verdictLine(verdict, width)), `${met} of ${verdicts.length} aims met`].join(
    '\n',
  );
}

function cpuLine(cpu: Cpu): string {
  const used = Object.entries(cpu).filter(([, ms]) => ms > 0);
  const sum = used.reduce((total, [, ms]) => total + ms, 0);
  return `    CPU ms each: ${used.map(([kind, ms]) => `${kind} ${ms.toFixed(1)}`).join(', ')}; together ${sum.toFixed(1)}`;
}

function verdictLine(verdict: Verdict, width = NAME_WIDTH): string {
  const { what, value, aim } = verdict;
  const [sign, bound] = 'most' in aim ? ['≤', aim.most] : ['≥', aim.least];
  const shown = Number.isInteger(value) ? String(value) : value.toFixed(2);
  return row(`  ${what}`, [shown, `aim ${sign} ${bound}`, isMet(verdict) ? 'met' : 'NOT MET'], width);
}

function row(name: string, cells: readonly string[], width = NAME_WIDTH): string {
  return name.padEnd(width) + cells.map((cell) => cell.padStart(NUMBER_WIDTH)).join('');
}
