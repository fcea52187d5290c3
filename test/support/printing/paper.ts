// A press that prints a line in no time, for tests that only need documents to exist.
import { createHash } from 'node:crypto';
import type { PdfEngine } from '../../../providers/ports.ts';

export const PAPER: PdfEngine = {
  render: async (html) => {
    const line = createHash('sha256').update(html).digest('hex');
    return { bytes: Buffer.from(`%PDF-1.7\n% ${line}\n%%EOF\n`), pages: 1 };
  },
  isReady: true,
  refusedRequests: 0,
  close: async () => {},
};
