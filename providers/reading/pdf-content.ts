// Reads a PDF's form fields and text, with their positions. Nothing in the file is run, drawn or fetched.
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import type { FormField, PdfContent, TextPiece } from '../../domain/document/content.ts';
import { marksOf } from './pdf-marks.ts';
import { ensureHarmless } from './pdf-structure.ts';
import { ofParser, Unreadable } from './unreadable.ts';

/** A form has four to twenty pages, a policy a hundred; in a longer file the first pages show what it is. */
const PAGES_READ = 60;
const PIECES_MAX = 20_000;
const FIELDS_MAX = 5_000;
/** Ticks are only looked for on pages that look like a form. */
const [MARKED_PAGES, LIKE_A_FORM] = [8, /lines? of business|general liability|check if/i];
const [VALUE_MAX_CHARACTERS, NAME_MAX_CHARACTERS] = [4_000, 250];
/** For all values together, and for all texts together: as much as a text file may have. */
const ALL_MAX_CHARACTERS = 1_048_576;
/** Hebrew and Arabic letters in the forms drawn within a word; text should have the base letters. */
const DRAWN_FORMS = /[\uFB1D-\uFDFF\uFE70-\uFEFC]+/g;

type Document = Awaited<ReturnType<typeof getDocumentProxy>>;
type Page = Awaited<ReturnType<Document['getPage']>>;

/** @throws Unreadable */
export async function readPdf(bytes: Buffer): Promise<PdfContent> {
  ensureHarmless(bytes);
  const document = await opened(bytes);
  try {
    await ensureNoScript(document);
    const content: PdfContent = { pageCount: document.numPages, fields: [], texts: [] };
    for (let number = 1; number <= Math.min(document.numPages, PAGES_READ); number++) {
      const page = await ofParser(document.getPage(number));
      await ensureNoScript(page);
      if (content.fields.length < FIELDS_MAX) content.fields.push(...(await fieldsOf(page, number)));
      if (content.texts.length < PIECES_MAX) content.texts.push(...(await textsOf(page, number)));
      page.cleanup();
    }
    if (content.fields.length === 0) content.texts.push(...(await ticksOf(document, content.texts)));
    return {
      pageCount: content.pageCount,
      fields: firstOf(content.fields, FIELDS_MAX, ({ value }) => (typeof value === 'string' ? value.length : 0)),
      texts: firstOf(content.texts, PIECES_MAX, ({ text }) => text.length),
    };
  } finally {
    await document.loadingTask.destroy();
  }
}

/** The parser may find a script that the raw bytes did not show. @throws Unreadable contains_script */
async function ensureNoScript(part: Document | Page): Promise<void> {
  if ((await ofParser(part.getJSActions())) !== null) throw new Unreadable('contains_script');
}

/** The first items, up to the limits on their number and on their total length. */
function firstOf<Item>(items: readonly Item[], most: number, lengthOf: (item: Item) => number): Item[] {
  let left = ALL_MAX_CHARACTERS;
  const end = items.findIndex((item) => {
    left -= lengthOf(item);
    return left < 0;
  });
  return items.slice(0, Math.min(most, end < 0 ? most : end));
}

async function opened(bytes: Buffer): Promise<Document> {
  try {
    return await getDocumentProxy(new Uint8Array(bytes), {
      disableFontFace: true,
      useSystemFonts: false,
      useWorkerFetch: false,
      disableAutoFetch: true,
      enableXfa: false,
      verbosity: 0,
    });
  } catch (error) {
    throw new Unreadable(error instanceof Error && error.name === 'PasswordException' ? 'encrypted' : 'damaged');
  }
}

async function ticksOf(document: Document, texts: readonly TextPiece[]): Promise<TextPiece[]> {
  const likely = new Set(texts.filter(({ text }) => LIKE_A_FORM.test(text)).map(({ page }) => page));
  const { OPS } = await getResolvedPDFJS();
  const ticks: TextPiece[] = [];
  for (const number of [...likely].slice(0, MARKED_PAGES)) {
    const page = await ofParser(document.getPage(number));
    ticks.push(...(await marksOf(page, number, OPS)));
    page.cleanup();
  }
  return ticks;
}

/** Reads the field that an annotation shows. */
interface Widget {
  fieldName?: unknown;
  fieldType?: unknown;
  fieldValue?: unknown;
  checkBox?: unknown;
  radioButton?: unknown;
}

async function fieldsOf(page: Page, number: number): Promise<FormField[]> {
  const widgets: Widget[] = await ofParser(page.getAnnotations());
  return widgets.flatMap((widget) => {
    const { fieldName: name } = widget;
    if (typeof name !== 'string' || name === '') return [];
    return [{ page: number, name: name.slice(-NAME_MAX_CHARACTERS), value: fieldValueOf(widget) }];
  });
}

/** One edition of a form calls a ticked box `1`, another `Yes`: only `Off` or no value means unticked. */
function fieldValueOf({ fieldType, fieldValue, checkBox, radioButton }: Widget): string | boolean {
  const value = Array.isArray(fieldValue) ? fieldValue.join(' ') : fieldValue;
  const text = typeof value === 'string' ? value.slice(0, VALUE_MAX_CHARACTERS) : '';
  if (fieldType === 'Btn' && (checkBox === true || radioButton === true)) return text !== '' && text !== 'Off';
  return text;
}

async function textsOf(page: Page, number: number): Promise<TextPiece[]> {
  const { items } = await ofParser(page.getTextContent());
  return items.flatMap((item) => {
    if (!('str' in item) || item.str.trim() === '') return [];
    const [, , , , x = 0, y = 0] = item.transform as number[];
    const text = item.str.slice(0, VALUE_MAX_CHARACTERS).replace(DRAWN_FORMS, (drawn) => drawn.normalize('NFKC'));
    return [{ page: number, x, y, width: item.width, height: item.height, text }];
  });
}
