// Prints pages with a headless Chromium. A page cannot reach the network or the disk and runs no script; it has its
// own context, a time limit and a page limit. The browser is replaced after many pages, after a fault and after a
// page that did not finish; other pages in progress in it are still finished.

import type { Logger } from 'pino';
import type { Browser, Page } from 'puppeteer-core';
import { launch } from 'puppeteer-core';
import { DomainError } from '../../domain/errors.ts';
import { PAGE_MAX_CHARACTERS, PDF_MAX_PAGES } from '../../domain/limits.ts';
import { giveWay } from '../threads/processor-share.ts';
import { browserBinary } from './browser-binary.ts';
import { deathOf, ofTheBrowser } from './browser-fault.ts';
import { countPages, withFixedInstants } from './fixed-metadata.ts';
import { withFonts } from './print-fonts.ts';

/** A browser's memory grows as it prints. */
const PAGES_OF_A_BROWSER = 400;
const LAUNCH_MS = 20_000;
/** Time for a browser to exit on its own. */
const CLOSING_MS = 2_000;
const RETRY_MS = 30_000;
const OPENING_TIMEOUT_MS = 20_000;
const NONE_RUNS = 'no Chromium runs here: documents are answered with 503; CHROMIUM_PATH names one';
const NO_BROWSER = 'The browser did not start in time.';
const NO_PAGE = 'The browser opened no page in time.';
/** Resources inside the page itself. */
const WITHIN_THE_PAGE = /^(data:|about:blank$)/;
const ARGUMENTS = [
  ...['--disable-gpu', '--disable-webgl', '--disable-dev-shm-usage', '--font-render-hinting=none', '--no-pings'],
  ...['--disable-domain-reliability', '--disable-background-networking', '--disable-extensions', '--mute-audio'],
  ...['--no-default-browser-check', '--no-first-run', '--js-flags=--jitless'],
  // No name resolves, so nothing leaves the machine even if it gets past the request filter.
  ...['--host-resolver-rules=MAP * ~NOTFOUND', '--proxy-server=127.0.0.1:9', '--proxy-bypass-list=<-loopback>'],
  // No one sees the page on screen: with a window this low hardly any of it is drawn, and no thread is needed to draw
  // it. decisions/0324
  ...['--window-size=800,1', '--disable-threaded-compositing'],
];

export interface ChromiumSettings {
  /** The program; null for the bundled one. */
  path: string | null;
  /** Where the bundled one is unpacked. */
  cacheDir: string;
  /** Whether it yields to other work on a busy machine. Default: no. */
  givesWay?: boolean;
  /** How long to wait after a failed start before trying again. */
  retryMs?: number;
  /** How long a browser may take to start. */
  launchMs?: number;
  /** Number of pages after which a browser is replaced. */
  pagesOfABrowser?: number;
}

/** A running browser and what it has done. */
interface Press {
  browser: Promise<Browser>;
  /** Kills its processes, whether they respond or not. */
  end: AbortController;
  printed: number;
  running: number;
  isRetired: boolean;
  /** The page opened ahead for the next document: opening one takes longer than printing. */
  next: Promise<Page> | null;
}

/** One browser at a time. If none is running, this is logged, and every call is refused until one is. */
export class ChromiumPdf {
  readonly #settings: ChromiumSettings;
  readonly #logger: Logger;
  #press: Press | null = null;
  #refused = 0;
  #isReady = false;
  #isClosed = false;
  #retry: NodeJS.Timeout | undefined;

  constructor(settings: ChromiumSettings, logger: Logger) {
    this.#settings = settings;
    this.#logger = logger;
  }

  get refusedRequests(): number {
    return this.#refused;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  async warmUp(): Promise<void> {
    const press = this.#current();
    await press.browser.then(
      () => this.#prepare(press),
      () => this.#retire(press),
    );
  }

  async render(html: string, maxSeconds: number): Promise<{ bytes: Uint8Array; pages: number }> {
    if (html.length > PAGE_MAX_CHARACTERS) throw tooLarge({ characters: html.length });
    const press = this.#current();
    press.running += 1;
    press.printed += 1;
    try {
      const printed = this.#printed(press, withFonts(html), maxSeconds * 1_000).catch(ofTheBrowser);
      const bytes = withFixedInstants(await printed);
      const pages = countPages(bytes);
      if (pages <= PDF_MAX_PAGES) return { bytes, pages };
      throw tooLarge({ pages });
    } catch (error) {
      // Only a page that is too long says nothing about its browser.
      if (!(error instanceof DomainError) || error.code !== 'payload_too_large') this.#retire(press);
      throw error;
    } finally {
      press.running -= 1;
      if (press.printed >= (this.#settings.pagesOfABrowser ?? PAGES_OF_A_BROWSER)) this.#retire(press);
      else if (!press.isRetired) this.#prepare(press);
      else if (press.running === 0) void closed(press);
    }
  }

  /** Closes the browser until there is another page to print. */
  async rest(): Promise<void> {
    clearTimeout(this.#retry);
    const press = this.#press;
    this.#press = null;
    if (press !== null) await closed(press);
  }

  /** Closes the browser for good: pending prints are refused, since nothing would close another browser. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.rest();
  }

  #current(): Press {
    this.#press ??= this.#started();
    return this.#press;
  }

  #started(): Press {
    const end = new AbortController();
    return { browser: this.#launched(end), end, printed: 0, running: 0, isRetired: false, next: null };
  }

  /** @throws DomainError service_unavailable if no browser is running */
  async #launched(end: AbortController): Promise<Browser> {
    if (this.#isClosed) throw unavailable();
    try {
      const browser = await this.#launch(end.signal);
      this.#isReady = true;
      return browser;
    } catch (error) {
      end.abort();
      this.#isReady = false;
      this.#tryAgainLater();
      if (!this.#isClosed) this.#logger.warn({ err: error }, NONE_RUNS);
      throw unavailable();
    }
  }

  /** Until a browser runs, no automatic documents are requested, so nothing else would start one. */
  #tryAgainLater(): void {
    clearTimeout(this.#retry);
    if (this.#isClosed) return;
    this.#retry = setTimeout(() => void this.warmUp(), this.#settings.retryMs ?? RETRY_MS).unref();
  }

  async #launch(signal: AbortSignal): Promise<Browser> {
    const executablePath = await browserBinary(this.#settings);
    // Chromium's sandbox does not work as root.
    const isRoot = process.getuid?.() === 0;
    const args = isRoot ? [...ARGUMENTS, '--no-sandbox'] : ARGUMENTS;
    const screen = { headless: 'shell', defaultViewport: null } as const;
    const launching = launch({ executablePath, args, ...screen, timeout: 0, pipe: true, signal });
    const browser = await inTime(launching, this.#settings.launchMs ?? LAUNCH_MS, () => new Error(NO_BROWSER));
    const pid = browser.process()?.pid;
    if (this.#settings.givesWay && pid !== undefined) giveWay(pid);
    // Each page in progress listens for the browser's death, and there may be any number of them.
    browser.process()?.setMaxListeners(0);
    // The pipe to a browser breaks when it dies; its pages fail on their own.
    for (const stream of browser.process()?.stdio ?? []) stream?.on('error', () => {});
    return browser;
  }

  /** Gives a browser no more pages, and closes it when its last page is done; each page has a time limit. */
  #retire(press: Press): void {
    if (this.#press === press) this.#press = null;
    press.isRetired = true;
    if (press.running === 0) void closed(press);
  }

  async #printed(press: Press, html: string, maxMs: number): Promise<Uint8Array> {
    const browser = await press.browser;
    const opening = this.#taken(press, browser);
    const death = deathOf(browser);
    try {
      const page = await inTime(Promise.race([opening, death.promise]), OPENING_TIMEOUT_MS, () => new Error(NO_PAGE));
      // The time a busy machine takes to open a page does not count against the page.
      return await inTime(Promise.race([print(page, html), death.promise]), maxMs, () => tooSlow(maxMs));
    } finally {
      death.forget();
      // This ends the work of a page that has run out of time.
      void opening.then((page) => page.browserContext().close()).catch(() => {});
    }
  }

  /** Opens a page in a fresh context of its own, without scripts and without network access. */
  async #opened(browser: Browser): Promise<Page> {
    const context = await browser.createBrowserContext();
    try {
      const page = await context.newPage();
      this.#keepWithin(page);
      await Promise.all([page.setJavaScriptEnabled(false), page.setRequestInterception(true)]);
      return page;
    } catch (error) {
      await context.close().catch(() => {});
      throw error;
    }
  }

  #keepWithin(page: Page): void {
    page.on('request', (request) => {
      const isOwn = WITHIN_THE_PAGE.test(request.url());
      if (!isOwn) this.#refuse(request.resourceType());
      // `aborted` keeps a page that tried to navigate away: any other code would replace it with an error page.
      void (isOwn ? request.continue() : request.abort('aborted')).catch(() => {});
    });
  }

  /** Returns the prepared page if there is one, or opens one. */
  #taken(press: Press, browser: Browser): Promise<Page> {
    const page = press.next ?? this.#opened(browser);
    press.next = null;
    return page;
  }

  /** Opens the page for the next document in the background. A page that dies before its turn is dropped. */
  #prepare(press: Press): void {
    if (press.next !== null) return;
    const next = press.browser.then((browser) => this.#opened(browser));
    press.next = next;
    const forget = () => {
      if (press.next === next) press.next = null;
    };
    next.then((page) => page.once('error', forget).once('close', forget), forget);
  }

  #refuse(kind: string): void {
    this.#refused += 1;
    this.#logger.debug({ kind }, 'a request of a page for something outside of itself was refused');
  }
}

async function print(page: Page, html: string): Promise<Uint8Array> {
  await page.setContent(html, { waitUntil: 'load', timeout: 0 });
  return page.pdf({ preferCSSPageSize: true, printBackground: true, tagged: false, outline: false, timeout: 0 });
}

function tooLarge(details: { pages: number } | { characters: number }): DomainError {
  const limits = `${PDF_MAX_PAGES} pages or ${PAGE_MAX_CHARACTERS} characters`;
  return new DomainError('payload_too_large', `The document has more than ${limits}.`, details);
}

/** Closes a browser, and kills it if it does not exit. */
async function closed({ browser, end }: Press): Promise<void> {
  const closing = browser.then((open) => open.close());
  await inTime(closing, CLOSING_MS, () => new Error('The browser did not end in time.')).catch(() => {});
  end.abort();
}

function unavailable(): DomainError {
  return new DomainError('service_unavailable', 'No browser is available to print documents.');
}

function tooSlow(maxMs: number): DomainError {
  const message = `Printing the page took more than ${maxMs / 1_000} seconds.`;
  return new DomainError('unreadable_document', message, { reason: 'too_slow' });
}

/** Waits for some work until it is overdue. */
async function inTime<T>(work: Promise<T>, maxMs: number, overdue: () => Error): Promise<T> {
  work.catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(overdue()), maxMs);
  });
  return Promise.race([work, over]).finally(() => clearTimeout(timer));
}
