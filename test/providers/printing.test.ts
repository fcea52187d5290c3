// The press: what happens to a page that is too slow or too large, and what does not happen to others.
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { getPriority, homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Registry } from 'prom-client';
import { extractText, getDocumentProxy } from 'unpdf';
import type { DomainError } from '../../domain/errors.ts';
import { browserBinary } from '../../providers/pdf/browser-binary.ts';
import { BrowserFault } from '../../providers/pdf/browser-fault.ts';
import { countPages, withFixedInstants } from '../../providers/pdf/fixed-metadata.ts';
import { createPdfEngine } from '../../providers/pdf/pdf-engine.ts';
import { withFonts } from '../../providers/pdf/print-fonts.ts';
import { registerPrintFigures } from '../../workers/print-figures.ts';
import { eventually } from '../support/eventually.ts';
import { silentLogger } from '../support/logger.ts';
import { browsersOf, killBrowsers, processesOf } from '../support/printing/browsers.ts';
import { startPress } from '../support/printing/press.ts';

const CACHE = join(homedir(), '.cache', 'bindery');
const press = startPress();

/** Its layout never ends. */
const ENDLESS = '<div style="height:99999999px">x</div>';
/** For a page that finishes, however busy the machine is. */
const PATIENT = { maxSeconds: 60 };
const DEATHS = 5;
/** Takes a while, but finishes. */
const LONG = `<style>table{width:100%}</style><table>${'<tr><td>Coverage</td><td>$1,000,000</td></tr>'.repeat(4_000)}</table>`;

test.serial('a page that runs out of time is refused and breaks no page that is under way beside it', async (t) => {
  await press.render('<p>The browser is there.</p>');
  const endless = press.render(ENDLESS, { maxSeconds: 1 });
  const others: Promise<{ pages: number }>[] = [];
  // Some are in progress when the first one's time is up.
  const over = endless.then(
    () => null,
    (error: DomainError) => error,
  );
  for (let isOver = false; !isOver; ) {
    const other = press.render(LONG, PATIENT);
    others.push(other);
    isOver = await Promise.race([over.then(() => true), other.then(() => false)]);
  }
  const { code, details } = (await over) as DomainError;
  t.deepEqual([code, details], ['unreadable_document', { reason: 'too_slow' }]);
  for (const other of others) t.true((await other).pages > 50);
});

test.serial(
  'a browser that dies is no fault of the pages in it: they fail immediately and are printed by the next one',
  async (t) => {
    for (let death = 0; death < DEATHS; death++) {
      await press.render('<p>The browser is there.</p>');
      const pages = [LONG, LONG, '<p>Short</p>'].map((html) =>
        press.render(html).then(
          () => null,
          (error: Error) => error,
        ),
      );
      killBrowsers();
      for (const error of await Promise.all(pages))
        t.true(error === null || error instanceof BrowserFault, error?.message);
    }
    t.is((await press.render('<p>Printed again.</p>')).pages, 1);
  },
);

test.serial('each document has a page of its own, whether it has waited for it or was opened for it', async (t) => {
  for (let number = 0; number < 3; number++) {
    const { bytes } = await press.render(`<title>Page ${number}</title><p>Number ${number}</p>`);
    const { text } = await extractText(await getDocumentProxy(Uint8Array.from(bytes)), { mergePages: true });
    t.is(text, `Number ${number}`);
  }
  const together = await Promise.all(['a', 'b', 'c', 'd'].map((name) => press.render(`<p>Together ${name}</p>`)));
  const texts = together.map(async ({ bytes }) => {
    const { text } = await extractText(await getDocumentProxy(Uint8Array.from(bytes)), { mergePages: true });
    return text;
  });
  t.deepEqual(await Promise.all(texts), ['Together a', 'Together b', 'Together c', 'Together d']);
});

test.serial('a page is drawn on paper alone: on the screen of its browser there is no room for it', async (t) => {
  const before = press.refusedRequests;
  // A screen of any height would request a picture before the page has loaded; paper of any height breaks the page.
  const screen = `@media screen and (min-height: 2px) { p { background: url(http://127.0.0.1:9/screen.png) } }`;
  const paper = `@media print and (min-height: 100px) { .last { break-before: page } }`;
  const { pages } = await press.render(`<style>${screen} ${paper}</style><p>x</p><p class="last">y</p>`);
  t.is(press.refusedRequests - before, 0);
  t.is(pages, 2);
});

test.serial('pages that can wait are printed by a browser of their own, which gives way to other work', async (t) => {
  await press.render('<p>A caller waits.</p>');
  const [first] = browsersOf();
  const { pages } = await press.render('<p>Nobody waits.</p>', { canWait: true });
  t.is(pages, 1);
  const second = browsersOf().filter((pid) => pid !== first);
  t.deepEqual(second.map(getPriority), [5]);
  t.not(getPriority(first), 5);
});

test.serial('a browser that has printed its number of pages ends, and the next page has another one', async (t) => {
  const short = createPdfEngine({ path: null, cacheDir: CACHE, pagesOfABrowser: 3 }, silentLogger);
  t.teardown(() => short.close());
  const others = new Set(browsersOf());
  const own = () => browsersOf().filter((pid) => !others.has(pid));
  await short.render('<p>1</p>');
  const [first] = own();
  await Promise.all([2, 3].map((number) => short.render(`<p>${number}</p>`)));
  await eventually(async () => first !== undefined && !own().includes(first), { what: 'the first browser to end' });
  t.is((await short.render('<p>4</p>')).pages, 1);
  t.true(own().length === 1 && own()[0] !== first);
});

test('an engine whose browser did not start tries again by itself, and prints once one does', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'browser-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'chromium');
  const late = createPdfEngine({ path, cacheDir: folder, retryMs: 50 }, silentLogger);
  t.teardown(() => late.close());
  const refused = await t.throwsAsync<DomainError>(late.render('<p>Too early.</p>'));
  t.is(refused?.code, 'service_unavailable');
  t.false(late.isReady);
  await symlink(await browserBinary({ path: null, cacheDir: CACHE }), path);
  await eventually(async () => late.isReady, { what: 'the browser' });
  t.is((await late.render('<p>Printed.</p>')).pages, 1);
});

test.serial('a browser that does not end when it is closed is killed', async (t) => {
  const chromium = await browserBinary({ path: null, cacheDir: CACHE });
  const path = await programOf(t, `"${chromium}" "$@"\nsleep 1000`);
  const engine = createPdfEngine({ path, cacheDir: CACHE }, silentLogger);
  t.is((await engine.render('<p>Printed.</p>')).pages, 1);
  t.is(processesOf(path).length, 1);
  await engine.close();
  await eventually(async () => processesOf(path).length === 0, { what: 'the end of the browser' });
});

test.serial('a browser that starts and never responds is killed, and its page is refused', async (t) => {
  const path = await programOf(t, 'sleep 1000');
  const engine = createPdfEngine({ path, cacheDir: CACHE, launchMs: 500 }, silentLogger);
  t.teardown(() => engine.close());
  const refused = await t.throwsAsync<DomainError>(engine.render('<p>Never printed.</p>'));
  t.is(refused?.code, 'service_unavailable');
  await eventually(async () => processesOf(path).length === 0, { what: 'the end of the browser' });
});

test.serial('an engine that is closed starts no browser any more', async (t) => {
  const engine = createPdfEngine({ path: null, cacheDir: CACHE }, silentLogger);
  await engine.close();
  for (const canWait of [true, false]) {
    const refused = await t.throwsAsync<DomainError>(engine.render('<p>Too late.</p>', { canWait }));
    t.is(refused?.code, 'service_unavailable');
  }
});

test('requests of a page for something outside of itself are counted, and shown as a metric', async (t) => {
  const registry = new Registry();
  registerPrintFigures(registry, press);
  const count = async () =>
    (await registry.getSingleMetric('bindery_refused_page_requests_total')?.get())?.values[0]?.value ?? Number.NaN;
  const before = await count();
  await press.render('<p>A <img src="http://127.0.0.1:9/a.png"> B <img src="http://127.0.0.1:9/b.png"></p>');
  t.is(await count(), before + 2);
  t.is(await count(), before + 2, 'however often it is read');
});

test('a page too large to be printed is refused before a browser sees it', async (t) => {
  const refused = await t.throwsAsync<DomainError>(press.render('x'.repeat(8_000_001)));
  t.deepEqual([refused?.code, refused?.details], ['payload_too_large', { characters: 8_000_001 }]);
});

const NAMES = [
  ['北京海港房地产有限公司', 'SC'],
  ['臺灣國際龍龜有限公司', 'SC'],
  ['株式会社トヨタ自動車', 'JP'],
  ['삼성전자 주식회사', 'KR'],
  ['شركة الميناء', 'Arabic'],
  ['חברת הנמל', 'Hebrew'],
] as const;

for (const [name, typeface] of NAMES) {
  test(`the name ${name} is printed in a typeface that we bring along`, async (t) => {
    const { bytes } = await press.render(`<p>${name} <b>${name}</b></p>`, PATIENT);
    const used = Buffer.from(bytes)
      .toString('latin1')
      .matchAll(/\/BaseFont \/[A-Z]+\+(\w+)-/g);
    const families = new Set([...used].map(([, family = '']) => family.replace('Thin', '')));
    t.deepEqual(
      [...families].filter((family) => family !== 'NotoSans'),
      [`NotoSans${typeface}`],
    );
    // Joined Arabic letters are drawn in parts, which a reader of the file does not reassemble.
    if (typeface === 'Arabic') return;
    const { text } = await extractText(await getDocumentProxy(Uint8Array.from(bytes)), { mergePages: true });
    t.deepEqual(lettersOf(text), lettersOf(name + name));
  });
}

test('the instant of printing is no part of a file, whatever its form, and moves nothing in it', (t) => {
  const file = (created: string, modified: string) =>
    Buffer.from(`%PDF-1.4\n<< /CreationDate (D:${created}) /ModDate (D:${modified}) >>\n<< /Type /Page >>\n%%EOF`);
  const morning = file("20261130081500+00'00'", "20261130081501+00'00'");
  const evening = file("20271231235959+00'00'", "20280101000000+00'00'");
  t.notDeepEqual(morning, evening);
  t.deepEqual(withFixedInstants(morning), withFixedInstants(evening));
  const short = file('20261130081500Z', '20261130081500Z');
  t.is(withFixedInstants(short).length, short.length);
  t.is(countPages(withFixedInstants(short)), 1);
});

/** Pages do not grow by characters that they do not need: a whole typeface has ten million bytes. */
test('a page carries the parts of typefaces that its text needs', (t) => {
  t.true(withFonts('<p>Harbor LLC</p>').length < 50_000);
  t.true(withFonts('<p>株式会社トヨタ自動車 &#21271;&#x4eac;</p>').length < 500_000);
});

/** Sorted, because right-to-left text is extracted in a different order. */
function lettersOf(text: string): string {
  return [...text.normalize('NFKC').replaceAll(/\s/g, '')].sort().join('');
}

/** Writes a program that stands in for the browser. */
async function programOf(t: ExecutionContext, lines: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'browser-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'chromium');
  await writeFile(path, `#!/bin/sh\n${lines}\n`, { mode: 0o700 });
  return path;
}
