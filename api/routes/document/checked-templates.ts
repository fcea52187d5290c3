// What a template is held against before it is kept. Spec 4.7, Contract 3.5.
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
import { inTurn } from './document-turns.ts';
import type { TemplateInputSchema } from './documents.schemas.ts';

const FORM_MAX_BYTES = 5 * 1_048_576;
const SCRIPT = /<script|\son\w+\s*=|javascript:/i;

interface Checker {
  db: OrganizationDatabase;
  deps: Pick<RuntimeDeps, 'typesetter' | 'storage'>;
  orgId: string;
}

/**
 * Checks a template and gives what is kept of it: it parses, runs no script, and names only what documents of its kind
 * know; each field of its map is one of the form's.
 * @throws DomainError validation_failed, unreadable_document
 */
export async function checkedTemplate(
  { html, documentId, fields }: z.output<typeof TemplateInputSchema>,
  names: readonly string[],
  checker: Checker,
): Promise<Pick<DocumentTemplate, 'html' | 'documentId' | 'fields'>> {
  return inTurn(checker.orgId, async () => {
    if (html === undefined) await checkForm(documentId ?? '', fields ?? {}, names, checker);
    else await checkPage(html, names, checker);
    return { html: html ?? null, documentId: documentId ?? null, fields: fields ?? null };
  });
}

async function checkPage(html: string, names: readonly string[], { deps: { typesetter } }: Checker): Promise<void> {
  const template = { template: 'html' };
  ensureKnown(await refusingText(template, () => typesetter.names(html)), ['style', ...names], 'html');
  if (SCRIPT.test(html)) throw validationError('html', 'format', 'A template must not contain script.');
  await refusingText(template, () => typesetter.page(html, {}));
}

async function checkForm(
  documentId: string,
  fields: FieldMap,
  names: readonly string[],
  { db, deps: { typesetter, storage }, orgId }: Checker,
): Promise<void> {
  const document = await db.read((em) => findDocument(em, documentId));
  // What belongs to a policy or a claim is no form for others.
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
  ensureKnown(await refusingText('form', () => typesetter.checkForm(load, fields)), names, 'fields');
}

function ensureKnown(named: readonly string[], known: readonly string[], field: string): void {
  const unknown = named.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const message = `The template uses ${unknown}, which documents of this kind do not have.`;
  throw validationError(field, 'unknown_reference', message);
}
