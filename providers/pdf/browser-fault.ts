// The error for a page whose browser died or did not answer. The page itself may be fine: another attempt may print
// it.
import type { Browser } from 'puppeteer-core';
import { DomainError } from '../../domain/errors.ts';

export class BrowserFault extends Error {}

/** @throws BrowserFault for every error that says nothing about the page */
export function ofTheBrowser(error: unknown): never {
  if (error instanceof DomainError) throw error;
  throw new BrowserFault(error instanceof Error ? error.message : String(error), { cause: error });
}

/** Rejects when the browser dies: calls to a dead browser may hang, and the next browser should print its page. */
export function deathOf(browser: Browser): { promise: Promise<never>; forget: () => void } {
  const { promise, reject } = Promise.withResolvers<never>();
  const die = () => reject(new Error('The browser died while it printed.'));
  const program = browser.process();
  promise.catch(() => {});
  if (!browser.connected) die();
  browser.once('disconnected', die);
  program?.once('exit', die);
  return {
    promise,
    forget: () => {
      browser.off('disconnected', die);
      program?.off('exit', die);
    },
  };
}
