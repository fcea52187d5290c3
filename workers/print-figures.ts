// What printed pages requested and did not get: a page that an organization or a caller wrote may try to reach the
// network.
import { Counter, type Registry } from 'prom-client';
import type { PdfEngine } from '../providers/ports.ts';

/** Adds the count of the requests of pages that were refused. */
export function registerPrintFigures(registry: Registry, pdf: Pick<PdfEngine, 'refusedRequests'>): void {
  new Counter({
    name: 'bindery_refused_page_requests_total',
    help: 'Requests of printed pages for something outside of themselves, which were refused.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(pdf.refusedRequests);
    },
  });
}
