// Fillable PDFs that organizations upload as templates: checked before they are stored, and filled for each document.
// The values become part of the page, and the same values produce the same bytes. decisions/0125.

import {
  EncryptedPDFError,
  PDFButton,
  PDFCheckBox,
  PDFDocument,
  PDFDropdown,
  type PDFField,
  type PDFFont,
  type PDFForm,
  PDFName,
  PDFRadioGroup,
  PDFSignature,
  PDFTextField,
  StandardFonts,
} from 'pdf-lib';
import type { FieldMap } from '../../domain/document/field-map.ts';
import { FORM_FIELDS_MAX } from '../../domain/document/field-map.ts';
import { DomainError, validationError } from '../../domain/errors.ts';
import { ensureHarmless } from '../reading/pdf-structure.ts';
import { Unreadable } from '../reading/unreadable.ts';
import { Letters } from './letters.ts';
import { plainTextOf, tryTemplate } from './liquid.ts';
import { type Drawing, setText } from './set-text.ts';

const PAGES_MAX = 100;
/** The smallest font size used to make a value fit its field. */
const SMALLEST_POINTS = 4;
const LINE_HEIGHT = 1.2;
/** Other scripts have taller letters. */
const FOREIGN_LINE_HEIGHT = 1.36;
const MARGINS = 4;
const BREAK = /[\r\n]/;
const NOT_TICKED = new Set(['', 'false', 'no', 'off', '0']);

/**
 * Checks a form and tries its field map on sample facts.
 * @throws DomainError unreadable_document for a file that is not a PDF or not a fillable form; validation_failed for
 * a field that the form does not have, or whose template cannot be parsed or uses a value missing from the sample
 */
export async function tryForm(bytes: Uint8Array, fields: FieldMap, sample: Record<string, unknown>): Promise<void> {
  const file = await opened(bytes);
  const { form, pageCount } = file;
  const known = new Map(form.getFields().map((field) => [field.getName(), field]));
  if (known.size > FORM_FIELDS_MAX || pageCount > PAGES_MAX) throw new Unreadable('too_complex');
  for (const name of Object.keys(fields)) {
    const field = known.get(name);
    if (!field) throw validationError(`fields.${name}`, 'unknown_reference', `The form has no field ${name}.`);
    if (!canBeFilled(field)) throw validationError(`fields.${name}`, 'type', `The field ${name} takes no value.`);
  }
  await flattened(file);
  for (const [name, text] of Object.entries(fields)) tryTemplate(text, sample, `fields.${name}`);
}

/**
 * Fills a form and makes its fields part of the page.
 * @throws DomainError document_not_applicable with `field` and `reason` where a field cannot hold its value
 */
export async function filled(
  bytes: Uint8Array,
  fields: FieldMap,
  facts: Record<string, unknown>,
): Promise<Uint8Array<ArrayBuffer>> {
  const file = await opened(bytes);
  for (const [name, text] of Object.entries(fields)) {
    const field = file.form.getField(name);
    const value = plainTextOf(text, facts, `fields.${name}`);
    await fillable(() => fillField(field, value, file));
  }
  return flattened(file);
}

/** Flattens the fields into the page. */
async function flattened({ document, form, font, drawings }: OpenedForm): Promise<Uint8Array<ArrayBuffer>> {
  await fillable(() => {
    withoutSignatures(document, form);
    form.updateFieldAppearances(font);
    form.flatten({ updateFieldAppearances: false });
    for (const drawing of drawings) drawing();
  });
  const bytes = await document.save({ useObjectStreams: false, updateFieldAppearances: false }).catch(() => {
    throw new Unreadable('cannot_be_filled');
  });
  return Uint8Array.from(bytes);
}

/** The library throws errors of its own on malformed fields. */
async function fillable(work: () => void | Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw error instanceof DomainError ? error : new Unreadable('cannot_be_filled');
  }
}

interface OpenedForm {
  document: PDFDocument;
  form: PDFForm;
  font: PDFFont;
  letters: Letters;
  /** Values drawn over the page in our own typefaces. */
  drawings: Drawing[];
  pageCount: number;
}

async function opened(bytes: Uint8Array): Promise<OpenedForm> {
  ensureHarmless(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  try {
    // The file's metadata stays as it is: the time of filling must not get into it.
    const document = await PDFDocument.load(bytes, { updateMetadata: false });
    // The library silently drops the XFA description when it opens the form.
    if (document.catalog.getAcroForm()?.dict.has(PDFName.of('XFA'))) throw new Unreadable('dynamic_form');
    const form = document.getForm();
    if (form.getFields().length === 0) throw new Unreadable('no_form');
    const font = await document.embedFont(StandardFonts.Helvetica);
    const letters = new Letters(document);
    return { document, form, font, letters, drawings: [], pageCount: document.getPageCount() };
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable(error instanceof EncryptedPDFError ? 'encrypted' : 'damaged');
  }
}

/** Signature fields and buttons have no appearance that could be flattened into the page. */
function withoutSignatures(document: PDFDocument, form: PDFForm): void {
  const fields = form.getFields().filter((field) => field instanceof PDFSignature || field instanceof PDFButton);
  for (const { acroField } of fields) {
    for (const { dict } of acroField.getWidgets()) {
      const ref = document.context.getObjectRef(dict);
      if (ref) for (const page of document.getPages()) page.node.removeAnnot(ref);
    }
    form.acroForm.removeField(acroField);
  }
}

const canBeFilled = (field: PDFField): boolean =>
  [PDFTextField, PDFCheckBox, PDFRadioGroup, PDFDropdown].some((kind) => field instanceof kind);

async function fillField(field: PDFField, text: string, form: OpenedForm): Promise<void> {
  if (field instanceof PDFCheckBox) {
    if (NOT_TICKED.has(text.toLowerCase())) field.uncheck();
    else field.check();
  } else if (field instanceof PDFTextField) {
    await fillText(field, text, form);
  } else if (field instanceof PDFRadioGroup || field instanceof PDFDropdown) {
    if (text === '') field.clear();
    else if (field.getOptions().includes(text)) field.select(text);
    else throw unwritable(field, 'unknown_option');
  }
}

async function fillText(field: PDFTextField, text: string, form: OpenedForm): Promise<void> {
  if (!hasLetters(form.font, text)) {
    await fillForeignText(field, text, form);
    return;
  }
  const letters = fittingLetters(field, text, form.font);
  if (letters === null) throw unwritable(field, 'does_not_fit');
  field.disableRichFormatting();
  // Zero means as large as will fit.
  if (letters === 'smaller') field.acroField.setDefaultAppearance('/Helv 0 Tf 0 g');
  field.setText(text);
}

/** The field stays empty and the value is drawn in its place: a field cannot mix typefaces, but a name may need to. */
async function fillForeignText(field: PDFTextField, text: string, form: OpenedForm): Promise<void> {
  const isMultiline = field.isMultiline();
  if (text.length > (field.getMaxLength() ?? text.length)) throw unwritable(field, 'does_not_fit');
  if (!isMultiline && BREAK.test(text)) throw unwritable(field, 'does_not_fit');
  const sizes = { points: ownPoints(field), smallestPoints: SMALLEST_POINTS };
  const look = { isMultiline, ...sizes, lineHeight: FOREIGN_LINE_HEIGHT, margin: MARGINS };
  const drawing = await setText(field, text, { ...form, look });
  if (typeof drawing === 'string') throw unwritable(field, drawing);
  field.disableRichFormatting();
  field.setText('');
  form.drawings.push(drawing);
}

/** A form's own typeface only has Western European letters. */
function hasLetters(font: PDFFont, text: string): boolean {
  try {
    font.encodeText(text.replaceAll(/[\r\n]/g, ' '));
    return true;
  } catch {
    return false;
  }
}

function ownPoints({ acroField }: PDFTextField): number {
  return Number(/([\d.]+)\s+Tf/.exec(acroField.getDefaultAppearance() ?? '')?.[1] ?? 0);
}

/** The font size at which the value shows in full in every widget of the field; null if it would be cut off. */
function fittingLetters(field: PDFTextField, text: string, font: PDFFont): 'own' | 'smaller' | null {
  const { acroField } = field;
  if (text.length > (field.getMaxLength() ?? text.length)) return null;
  const isMultiline = field.isMultiline();
  if (!isMultiline && BREAK.test(text)) return null;
  const fitsAt = (points: number) =>
    acroField.getWidgets().every((widget) => {
      const { width, height } = widget.getRectangle();
      // Lines break at whole words, so one line fewer is counted.
      const lines = isMultiline ? Math.max(1, Math.floor(height / (points * LINE_HEIGHT)) - 1) : 1;
      return font.widthOfTextAtSize(text.replaceAll(/[\r\n]/g, ' '), points) <= (width - MARGINS) * lines;
    });
  const points = ownPoints(field);
  if (points > 0 && fitsAt(points)) return 'own';
  return fitsAt(SMALLEST_POINTS) ? 'smaller' : null;
}

const WHY_NOT = {
  does_not_fit: 'does not fit. Shorten it, or enlarge the field.',
  unknown_letters: 'has characters that our typefaces do not cover.',
  unknown_option: 'is not an option of the field.',
} as const;

function unwritable(field: PDFField, reason: keyof typeof WHY_NOT): DomainError {
  const name = field.getName();
  const message = `The value for the form's field ${name} ${WHY_NOT[reason]}`;
  return new DomainError('document_not_applicable', message, { field: name, reason });
}
