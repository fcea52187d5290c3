// What the API says about itself: the document, the page that shows it in a browser, the guides, the two front doors.
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { type Browser, launch, type Page } from 'puppeteer-core';
import { GUIDES } from '../../../api/reference/guides.ts';
import { ROUTES } from '../../../api/routes/index.ts';
import { ERROR_STATUS } from '../../../domain/errors.ts';
import { browserBinary } from '../../../providers/pdf/browser-binary.ts';
import { ROOT } from '../../scripts/run-script.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { signToken } from '../../support/tokens.ts';
import { type Spine, startSpine } from '../spine/spine-app.ts';

let spine: Spine;
let browser: Browser;

test.before('an API with all of its operations, and a browser', async (t) => {
  t.timeout(PATIENCE_MS);
  const port = await freePort();
  spine = await startSpine(t, { deps: { routes: ROUTES }, variables: { PORT: String(port) }, port });
  const executablePath = await browserBinary({ path: null, cacheDir: join(homedir(), '.cache', 'bindery') });
  const isRoot = process.getuid?.() === 0;
  const args = ['--disable-gpu', '--disable-dev-shm-usage', ...(isRoot ? ['--no-sandbox'] : [])];
  browser = await launch({ executablePath, args, headless: 'shell', pipe: true, timeout: PATIENCE_MS });
});

test.after.always('the browser is closed', () => browser?.close());

const nobody = (headers: Record<string, string> = {}) => spine.with({ 'accept-encoding': 'identity', ...headers });

test('the page shows every group of operations in a browser, finds one, and requests nothing from anybody else', async (t) => {
  t.timeout(PATIENCE_MS);
  const { page, requests, faults } = await watched();
  await page.goto(`${spine.url}/docs`, { waitUntil: 'load' });
  const isShown = "document.body.innerText.includes('Bind the quote of a submission')";
  await page.waitForFunction(isShown, { polling: 200 });
  const shown = (await page.evaluate('document.body.innerText')) as string;
  for (const tag of new Set(ROUTES.map((route) => route.tag))) t.true(shown.includes(tag), tag);
  t.true(shown.includes('A JWT (HS256), an API key, or the machine secret.'), 'what to authenticate with');
  // The operation is in a collapsed group, so only the search shows its summary.
  const [sought] = ROUTES.filter(({ operationId }) => operationId === 'reopenLedgerPeriod');
  t.false(shown.includes(sought?.summary ?? ''));
  await page.click('button ::-p-text(Search)');
  await page.keyboard.type('last closed month');
  const isFound = `document.body.innerText.includes(${JSON.stringify(sought?.summary)})`;
  await page.waitForFunction(isFound, { polling: 200 });
  t.deepEqual(
    [...requests].filter((url) => !url.startsWith(`${spine.url}/`) && !url.startsWith('data:')),
    [],
  );
  t.deepEqual(faults, []);
  await page.close();
});

test('a reader who pastes a credential and presses Send on a list is shown the list', async (t) => {
  t.timeout(PATIENCE_MS);
  const { page, faults } = await watched();
  // Its own address, as in the document: the page may call no other host.
  await page.goto(`${spine.config.baseUrl}/docs#tag/submissions/GET/v1/submissions`, { waitUntil: 'load' });
  await page.waitForSelector('input[placeholder="Token"]');
  await page.type('input[placeholder="Token"]', await signToken(spine.config, { role: 'org_admin', org: spine.orgId }));
  await (await page.waitForSelector('button ::-p-text(get /v1/submissions)'))?.click();
  const answered = page.waitForResponse((response) => response.url().includes('/v1/submissions'));
  await (await page.waitForSelector('[role=dialog] button ::-p-text(Send)'))?.click();
  const answer = await answered;
  t.is(answer.url(), `${spine.config.baseUrl}/v1/submissions`, 'no parameter that the caller did not choose');
  t.deepEqual([answer.status(), await answer.json()], [200, { data: [], nextCursor: null }]);
  await page.waitForFunction("document.querySelector('[role=dialog]').innerText.includes('nextCursor')");
  t.deepEqual(faults, []);
  await page.close();
});

test('the page may run its own files, style itself by a nonce of its own, and load nothing from elsewhere', async (t) => {
  const [first, second] = [await nobody().get('/docs'), await nobody().get('/docs')];
  t.deepEqual([first.status, second.status], [200, 200], first.text);
  const policy = first.headers.get('content-security-policy') ?? '';
  t.regex(
    policy,
    /^default-src 'none'; script-src 'self'; style-src 'nonce-[\w+/]{24}'; style-src-attr 'unsafe-inline'; connect-src 'self';/,
  );
  t.false(/unsafe(?!-inline'; connect)|\*|https?:/.test(policy));
  t.not(second.headers.get('content-security-policy'), policy);
  t.false(/(src|href)="(https?:)?\/\//.test(first.text));
});

test('large responses come compressed to clients that accept it, each form under its own entity tag', async (t) => {
  const plain = await fetch(`${spine.url}/openapi.json`, { headers: { 'accept-encoding': 'identity' } });
  const text = await plain.text();
  const tags = new Set([plain.headers.get('etag')]);
  for (const encoding of ['gzip', 'br']) {
    const answer = await fetch(`${spine.url}/openapi.json`, { headers: { 'accept-encoding': encoding } });
    t.is(answer.headers.get('content-encoding'), encoding);
    t.is(answer.headers.get('vary'), 'Accept-Encoding');
    t.true(Number(answer.headers.get('content-length')) < text.length / 10);
    t.is(await answer.text(), text);
    const etag = answer.headers.get('etag') ?? '';
    tags.add(etag);
    const again = await nobody({ 'accept-encoding': encoding, 'if-none-match': etag }).get('/openapi.json');
    t.is(again.status, 304);
  }
  t.is(tags.size, 3);
  const refused = await nobody({ 'accept-encoding': 'gzip;q=0, br;q=0' }).get('/openapi.json');
  t.is(refused.headers.get('content-encoding'), null);
});

test('every guide is a page without script, and its links lead to pages that are there', async (t) => {
  const list = await nobody().get('/docs/guides');
  for (const { name, title } of GUIDES) {
    t.true(list.text.includes(`<a href="guides/${name}">${title}</a>`));
    const address = `${spine.url}/docs/guides/${name}`;
    const { status, text, headers } = await nobody().get(`/docs/guides/${name}`);
    t.is(status, 200);
    t.regex(
      headers.get('content-security-policy') ?? '',
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:;/,
    );
    for (const [, href = ''] of text.matchAll(/<a href="([^"]+)"/g)) {
      const target = new URL(href, address);
      if (target.origin !== spine.url) continue;
      const page = await nobody().get(target.pathname);
      t.is(page.status, 200, `${name}: ${href}`);
      if (target.hash !== '') t.true(page.text.includes(`id="${target.hash.slice(1)}"`), `${name}: ${href}`);
    }
  }
  t.is((await nobody().get('/docs/guides/nothing')).status, 404);
});

test('the changelog is beside the guides, with the changes since the last version', async (t) => {
  const { text } = await nobody().get('/docs/guides/changelog');
  const newest = /^- ([\w ]{20,})/m.exec(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'))?.[1];
  t.true(text.includes('<h2 id="unreleased">Unreleased</h2>') && text.includes(newest ?? 'no line'));
});

test('the catalogue of errors names every code with its status', async (t) => {
  const { text } = await nobody().get('/docs/guides/errors');
  for (const [code, status] of Object.entries(ERROR_STATUS)) {
    t.true(text.includes(`<td><code>${code}</code></td>\n<td>${status}</td>`), code);
  }
});

test('the two addresses a newcomer tries first describe the service, to programs and to people', async (t) => {
  for (const path of ['/', '/v1']) {
    const { status, body } = await nobody({ accept: '*/*' }).get(path);
    t.is(status, 200);
    for (const href of Object.values<string>(body.links)) {
      t.not((await nobody().get(new URL(href).pathname)).status, 404, href);
    }
    const page = await nobody({ accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }).get(path);
    t.is(page.headers.get('content-type'), 'text/html; charset=utf-8');
    t.true(page.text.includes(`<h1>${body.name}</h1>`));
  }
  t.truthy((await nobody().get('/v1')).body.links.submissions);
});

interface Watched {
  page: Page;
  /** Every address that the page requested. */
  requests: Set<string>;
  /** What its Content-Security-Policy blocked, and errors in its scripts. */
  faults: string[];
}

async function watched(): Promise<Watched> {
  const page = await browser.newPage();
  await page.setViewport({ width: 1400, height: 1000 });
  page.setDefaultTimeout(PATIENCE_MS / 2);
  const requests = new Set<string>();
  const faults: string[] = [];
  page.on('request', (request) => requests.add(request.url()));
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  return { page, requests, faults };
}
