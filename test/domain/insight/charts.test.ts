// Charts as SVG: shapes have the right size. The plot is 134 units high, from 14 down to 148.
import test from 'ava';
import { barChart, lineChart, percent, shareChart, shortDollars } from '../../../domain/insight/charts.ts';

const attributes = (svg: string, tag: string, name: string) =>
  [...svg.matchAll(new RegExp(`<${tag} [^>]*\\b${name}="([^"]*)"`, 'g'))].map(([, value]) => value);

test('a bar is as high as its value, and a negative one hangs from the axis', (t) => {
  const svg = barChart('Premium', ['a', 'b', 'c'], [{ name: 'Written', values: [50, 100, null] }], String);
  t.deepEqual(attributes(svg, 'rect', 'height'), ['67', '134', '0']);
  t.deepEqual(attributes(svg, 'rect', 'y'), ['81', '14', '148']);
  const below = barChart('Premium', ['a', 'b'], [{ name: 'Written', values: [-100, 100] }], String);
  t.deepEqual(attributes(below, 'rect', 'y'), ['81', '14']);
  t.deepEqual(attributes(below, 'rect', 'height'), ['67', '67']);
});

test('a line has a gap where there is no value, and a point for each that there is', (t) => {
  const svg = lineChart('Losses', ['a', 'b', 'c', 'd'], [0.5, null, 1, 0], percent);
  t.deepEqual(attributes(svg, 'circle', 'cy'), ['81', '14', '148']);
  t.is(attributes(svg, 'path', 'd')[1]?.match(/M/g)?.length, 2);
});

test('a share that comes near its limit has the colour of a warning, and none goes over the edge', (t) => {
  const svg = shareChart(
    'Use',
    [
      { label: 'Near', value: 0.85 },
      { label: 'Far', value: 0.5 },
      { label: 'Over', value: 2 },
    ],
    0.85,
  );
  const rows = attributes(svg, 'rect', 'width').map(Number);
  const [whole = 0] = rows;
  t.deepEqual(
    rows,
    [whole, whole * 0.85, whole, whole / 2, whole, whole].map((width) => Math.round(width * 100) / 100),
  );
  t.deepEqual(
    attributes(svg, 'rect', 'fill').filter((_fill, place) => place % 2 === 1),
    ['#b4541a', '#2f5d8a', '#b4541a'],
  );
});

test('names are text in a chart, whatever they contain', (t) => {
  const svg = shareChart('A & B', [{ label: '<script>"x"', value: 0 }], 0.85);
  t.true(svg.includes('&lt;script&gt;&quot;x&quot;'));
  t.true(svg.includes('<title>A &amp; B</title>'));
  t.false(svg.includes('<script'));
});

test('a name that was cut or carries control characters leaves a chart that can be parsed', (t) => {
  const svg = shareChart('Use', [{ label: `${'x'.repeat(20)}😀 more words`, value: 0 }], 0.85);
  t.true(svg.isWellFormed());
  t.true(shareChart('A\u0008B', [], 0.85).includes('<title>A B</title>'));
});

test('an axis writes dollars briefly', (t) => {
  t.deepEqual([0, 950, 3_990, 1_250_000, -20_000].map(shortDollars), ['$0', '$950', '$4k', '$1.3M', '-$20k']);
});
