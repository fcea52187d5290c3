// The text of a PDF, as a reader sees it.
import { extractText, getDocumentProxy } from 'unpdf';

/** All pages of a PDF as one line. */
export async function textOf(bytes: Uint8Array): Promise<string> {
  const { text } = await extractText(await getDocumentProxy(Uint8Array.from(bytes)), { mergePages: true });
  return text.replaceAll(/\s+/g, ' ');
}
