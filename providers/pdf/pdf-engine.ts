// Prints documents with two browsers: one for documents that callers wait for, and one for the rest, which yields on
// a busy machine: a renewal batch's declarations must not delay commands. decisions/0198
import type { Logger } from 'pino';
import { PDF_MAX_SECONDS } from '../../domain/limits.ts';
import type { PdfEngine } from '../ports.ts';
import { ChromiumPdf, type ChromiumSettings } from './chromium-pdf.ts';

/** Less than the timeout of its activity. */
const PATIENT_MAX_SECONDS = 25;
/** The second browser is closed after being idle this long. */
const IDLE_MS = 60_000;

/** Builds the engine and starts the callers' browser without waiting for it. */
export function createPdfEngine(settings: Omit<ChromiumSettings, 'givesWay'>, logger: Logger): PdfEngine {
  const prompt = new ChromiumPdf(settings, logger);
  const patient = new ChromiumPdf({ ...settings, givesWay: true }, logger);
  void prompt.warmUp();
  let waiting = 0;
  let idle: NodeJS.Timeout | undefined;
  const whenItSuits = async (html: string, maxSeconds = PATIENT_MAX_SECONDS) => {
    clearTimeout(idle);
    waiting += 1;
    try {
      return await patient.render(html, maxSeconds);
    } finally {
      waiting -= 1;
      if (waiting === 0) idle = setTimeout(() => void patient.rest(), IDLE_MS).unref();
    }
  };
  return {
    render: (html, { canWait = false, maxSeconds } = {}) =>
      canWait ? whenItSuits(html, maxSeconds) : prompt.render(html, maxSeconds ?? PDF_MAX_SECONDS),
    get isReady() {
      return prompt.isReady;
    },
    get refusedRequests() {
      return prompt.refusedRequests + patient.refusedRequests;
    },
    close: async () => {
      clearTimeout(idle);
      await Promise.all([prompt.close(), patient.close()]);
    },
  };
}
