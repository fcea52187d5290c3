// Charts as SVG, drawn on the server: scales and shapes by d3, texts and colors by us. A chart fills the width
// available and describes in words what it shows. Pure. Decision 0124.
import { scaleBand, scaleLinear, scalePoint } from 'd3-scale';
import { area, line } from 'd3-shape';
import { escapedXml } from '../text.ts';

const WIDTH = 360;
const HEIGHT = 170;
const PLOT = { left: 46, right: 8, top: 14, bottom: 22 };
const INK = '#1a2230';
const MUTED = '#5a6472';
const RULE = '#dfe3e8';
const MAIN = '#2f5d8a';
const SOFT = '#a9c3dc';
const WARNING = '#b4541a';

export interface Mark {
  label: string;
  value: number;
}

export interface Series {
  name: string;
  /** One for each label, null if there is none. */
  values: readonly (number | null)[];
}

type Format = (value: number) => string;

/** Grouped bars for each label, one per series; values below zero hang from the axis. */
export function barChart(title: string, labels: readonly string[], series: readonly Series[], format: Format): string {
  const values = series.flatMap((each) => each.values.map((value) => value ?? 0));
  const y = valueScale(values);
  const x = scaleBand(labels, [PLOT.left, WIDTH - PLOT.right]).padding(0.25);
  const each = x.bandwidth() / series.length;
  const bars = series.flatMap(({ values: own }, index) =>
    own.map((value, place) => {
      const [top, bottom] = [y(Math.max(value ?? 0, 0)), y(Math.min(value ?? 0, 0))];
      const left = (x(labels[place] ?? '') ?? 0) + index * each;
      return `<rect x="${round(left)}" y="${round(top)}" width="${round(each)}" height="${round(bottom - top)}" fill="${colourOf(index)}"/>`;
    }),
  );
  const middle = (label: string) => (x(label) ?? 0) + x.bandwidth() / 2;
  return svg(title, [...grid(y, format), ...bars, ...below(labels, middle), ...legend(series)]);
}

/** A line over labels; it has gaps where there is no value. */
export function lineChart(title: string, labels: readonly string[], values: Series['values'], format: Format): string {
  const y = valueScale(values.map((value) => value ?? 0));
  const x = scalePoint(labels, [PLOT.left + 10, WIDTH - PLOT.right - 10]);
  const at = (place: number) => x(labels[place] ?? '') ?? 0;
  const isThere = (value: number | null) => value !== null;
  const points = values.flatMap((value, place) => (value === null ? [] : [[at(place), y(value)] as const]));
  const stroke = line<number | null>(
    (_value, place) => at(place),
    (value) => y(value ?? 0),
  ).defined(isThere)(values);
  const fill = area<number | null>(
    (_value, place) => at(place),
    y(0),
    (value) => y(value ?? 0),
  ).defined(isThere)(values);
  return svg(title, [
    ...grid(y, format),
    `<path d="${fill ?? ''}" fill="${SOFT}" fill-opacity="0.35"/>`,
    `<path d="${stroke ?? ''}" fill="none" stroke="${MAIN}" stroke-width="2"/>`,
    ...points.map(([left, top]) => `<circle cx="${round(left)}" cy="${round(top)}" r="2.5" fill="${MAIN}"/>`),
    ...below(labels, (label) => x(label) ?? 0),
  ]);
}

/** Shares of a whole as horizontal bars, with a threshold above which they have the warning color. */
export function shareChart(title: string, shares: readonly Mark[], warnAt: number): string {
  const [left, right] = [118, WIDTH - 44];
  const x = scaleLinear([0, 1], [left, right]).clamp(true);
  const y = scaleBand(
    shares.map((_share, place) => String(place)),
    [PLOT.top, HEIGHT - PLOT.bottom],
  ).padding(0.35);
  const height = Math.min(y.bandwidth(), 18);
  const rows = shares.flatMap(({ label, value }, place) => {
    const top = (y(String(place)) ?? 0) + (y.bandwidth() - height) / 2;
    const colour = value >= warnAt ? WARNING : MAIN;
    const base = round(top + height / 2 + 3);
    return [
      text(left - 6, base, shortened(label), { anchor: 'end', colour: INK }),
      `<rect x="${left}" y="${round(top)}" width="${right - left}" height="${height}" fill="${RULE}"/>`,
      `<rect x="${left}" y="${round(top)}" width="${round(x(value) - left)}" height="${height}" fill="${colour}"/>`,
      text(right + 5, base, percent(value), { colour: INK }),
    ];
  });
  const mark = round(x(warnAt));
  const rule = `<line x1="${mark}" x2="${mark}" y1="${PLOT.top - 4}" y2="${HEIGHT - PLOT.bottom}" stroke="${WARNING}" stroke-dasharray="3 3"/>`;
  return svg(title, [...rows, rule, text(mark, HEIGHT - 8, percent(warnAt), { anchor: 'middle' })]);
}

/** Formats a fraction in percent, without decimals. */
export function percent(value: number): string {
  return `${Math.round(value * 100)}%`;
}

/** Formats dollars compactly for an axis: `$1.2M`. */
export function shortDollars(value: number): string {
  const [size, unit] = Math.abs(value) >= 1e6 ? [1e6, 'M'] : Math.abs(value) >= 1e3 ? [1e3, 'k'] : [1, ''];
  const sign = value < 0 ? '-' : '';
  return `${sign}$${Number((Math.abs(value) / size).toFixed(size === 1 ? 0 : 1))}${unit}`;
}

function valueScale(values: readonly number[]) {
  const [lowest, highest] = [Math.min(0, ...values), Math.max(0, ...values)];
  const domain = [lowest, highest === lowest ? 1 : highest];
  return scaleLinear(domain, [HEIGHT - PLOT.bottom, PLOT.top]).nice(4);
}

function grid(y: ReturnType<typeof valueScale>, format: Format): string[] {
  return y.ticks(4).flatMap((tick) => {
    const top = round(y(tick));
    const colour = tick === 0 ? MUTED : RULE;
    return [
      `<line x1="${PLOT.left}" x2="${WIDTH - PLOT.right}" y1="${top}" y2="${top}" stroke="${colour}" stroke-width="0.75"/>`,
      text(PLOT.left - 5, top + 3, format(tick), { anchor: 'end' }),
    ];
  });
}

/** The labels below the axis; if there are many, only every other one, so that they do not touch. */
function below(labels: readonly string[], middle: (label: string) => number): string[] {
  const step = labels.length > 7 ? 2 : 1;
  return labels.flatMap((label, place) =>
    (labels.length - 1 - place) % step === 0 ? [text(middle(label), HEIGHT - 8, label, { anchor: 'middle' })] : [],
  );
}

function legend(series: readonly Series[]): string[] {
  if (series.length < 2) return [];
  return series.flatMap(({ name }, index) => {
    const left = WIDTH - PLOT.right - 62 * (series.length - index);
    return [`<rect x="${left}" y="1" width="8" height="8" fill="${colourOf(index)}"/>`, text(left + 11, 8.5, name, {})];
  });
}

function colourOf(index: number): string {
  return index === 0 ? MAIN : SOFT;
}

function svg(title: string, parts: readonly string[]): string {
  const open = `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" width="100%" role="img" xmlns="http://www.w3.org/2000/svg">`;
  return `${open}<title>${escapedXml(title)}</title>${parts.join('')}</svg>`;
}

function text(x: number, y: number, words: string, { anchor = 'start', colour = MUTED }): string {
  const place = `x="${round(x)}" y="${round(y)}" text-anchor="${anchor}"`;
  return `<text ${place} font-size="8.5" fill="${colour}">${escapedXml(words)}</text>`;
}

function shortened(label: string): string {
  return label.length > 22 ? `${label.slice(0, 21)}…` : label;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
