// The checks on a template before it is stored. Spec 4.7, Contract 3.5.
import type { z } from 'zod';
import type { DocumentTemplate } from '../../../db/entities/document/document-template.ts';
import { findDocument } from '../../../db/queries/document/documents.ts';
import { documentPath } from '../../../domain/document/document.ts';
import type { FieldMap } from '../../../domain/document/field-map.ts';
import { validationError } from '../../../domain/errors.ts';
import { refusingText } from '../../../providers/typesetting/given-up.ts';
import type { RuntimeDeps } from '../../spine/deps.ts';
import type { OrganizationDatabase } from '../../spine/route.ts';
import { present } from '../rows.ts';
import { inPrintingTurn } from './document-turns.ts';
import type { TemplateInputSchema } from './documents.schemas.ts';

const FORM_MAX_BYTES = 5 * 1_048_576;
const SCRIPT = /<script|\son\w+\s*=|javascript:/i;
/** What shows another page, which a document never loads: nothing would be printed. */
const FRAME = /<(iframe|frame|frameset|object|embed)\b/i;
/** A file from another address, which a document never loads: it would be missing on the page. */
const OTHER_FILE = /<link\b|@import\b|\bsrc(set)?\s*=\s*["']?\s*(?!data:)[\w/.]|\burl\(\s*["']?\s*(?!data:)[\w/.]/i;

interface Checker {
  db: OrganizationDatabase;
  deps: Pick<RuntimeDeps, 'typesetter' | 'storage'>;
  orgId: string;
}

/**
 * Checks a template and returns what is stored: it must parse, run no script and use only what the sample of its kind
 * has, and each field in its map must be on the form.
 * @throws DomainError validation_failed, unreadable_document
 */
export async function checkedTemplate(
  { html, documentId, fields }: z.output<typeof TemplateInputSchema>,
  sample: Record<string, unknown>,
  checker: Checker,
): Promise<Pick<DocumentTemplate, 'html' | 'documentId' | 'fields'>> {
  return inPrintingTurn(checker.orgId, async () => {
    if (html === undefined) await checkForm(documentId ?? '', fields ?? {}, sample, checker);
    else await checkPage(html, sample, checker);
    return { html: html ?? null, documentId: documentId ?? null, fields: fields ?? null };
  });
}

async function checkPage(
  html: string,
  sample: Record<string, unknown>,
  { deps: { typesetter } }: Checker,
): Promise<void> {
  const page = await refusingText({ template: 'html' }, () => typesetter.tryPage(html, { ...sample, style: '' }));
  // A branch that the sample does not take is only in the template, and a spelling in pieces only on the page.
  for (const text of [html, page]) ensureStill(text);
}

function ensureStill(text: string): void {
  if (SCRIPT.test(text)) throw validationError('html', 'format', 'A template must not contain script.');
  if (FRAME.test(text)) throw validationError('html', 'format', 'A template must not embed another page.');
  if (!OTHER_FILE.test(text)) return;
  const message = 'A template cannot load files from other addresses. Embed images as data: URLs.';
  throw validationError('html', 'format', message);
}

async function checkForm(
  documentId: string,
  fields: FieldMap,
  sample: Record<string, unknown>,
  { db, deps: { typesetter, storage }, orgId }: Checker,
): Promise<void> {
  const document = await db.read((em) => findDocument(em, documentId));
  // A document of a policy or claim cannot be a form for others.
  if (document === null || document.entityType !== null) {
    throw validationError(
      'documentId',
      'unknown_reference',
      'There is no such document, or it belongs to a policy or a claim.',
    );
  }
  if (document.sizeBytes > FORM_MAX_BYTES) {
    throw validationError('documentId', 'max', 'A form can have at most 5 MiB.', { max: FORM_MAX_BYTES });
  }
  const load = async () => present(await storage.get(documentPath(orgId, documentId)));
  await refusingText('form', () => typesetter.tryForm(load, fields, sample));
}
