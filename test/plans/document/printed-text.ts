// The position of text in a PDF: each run of text with its place on its page, in points from the upper left corner.
import { getDocumentProxy } from 'unpdf';

export interface PrintedRun {
  text: string;
  page: number;
  /** The left and right edge, and the baseline. */
  left: number;
  right: number;
  baseline: number;
  /** Size of the typeface. */
  size: number;
}

export interface PrintedPages {
  count: number;
  width: number;
  height: number;
  runs: PrintedRun[];
}

/** Reads a PDF's text with its positions. */
export async function printedText(bytes: Uint8Array): Promise<PrintedPages> {
  const pdf = await getDocumentProxy(Uint8Array.from(bytes));
  const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
  const runs: PrintedRun[] = [];
  for (let page = 1; page <= pdf.numPages; page++) {
    const { items } = await (await pdf.getPage(page)).getTextContent();
    for (const item of items) {
      if (!('str' in item) || item.str.trim() === '') continue;
      const [, , , , left = 0, bottom = 0] = item.transform as number[];
      const size = item.height;
      runs.push({ text: item.str, page, left, right: left + item.width, baseline: height - bottom, size });
    }
  }
  return { count: pdf.numPages, width, height, runs };
}
