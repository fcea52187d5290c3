// Network requests refused to printed pages: a page written by an organization or a caller may try to reach the
// network.
import { Counter, type Registry } from 'prom-client';
import type { PdfEngine } from '../providers/ports.ts';

/** Adds the count of refused page requests. */
export function registerPrintFigures(registry: Registry, pdf: Pick<PdfEngine, 'refusedRequests'>): void {
  new Counter({
    name: 'bindery_refused_page_requests_total',
    help: 'Requests by printed pages for anything outside them, all refused.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(pdf.refusedRequests);
    },
  });
}
