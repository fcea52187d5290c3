/** The bytes of an ordered document: what it says in the template that was fixed with it, a page or a form. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { activityInfo } from '@temporalio/activity';
import type { DocumentOrder } from '../../db/entities/document/document-order.ts';
import { templateOf } from '../../db/queries/document/document-templates.ts';
import { documentPath } from '../../domain/document/document.ts';
import type { FieldMap } from '../../domain/document/field-map.ts';
import { isTemplateKind } from '../../domain/document/kinds.ts';
import { DomainError } from '../../domain/errors.ts';
import { BROUGHT_PAGE_MAX_SECONDS } from '../../domain/limits.ts';
import { defaultTemplate, PRINT_STYLE } from '../../plans/document/own-templates.ts';
import type { PdfEngine } from '../../providers/ports.ts';
import type { Deps } from '../context.ts';

/** A browser may have died of something else. */
const ATTEMPTS_AT_A_BROUGHT_PAGE = 3;

type Template = { html: string; field: string } | { documentId: string; fields: FieldMap };

/**
 * Prints an order, or fills its form.
 * @throws DomainError validation_failed for a template that cannot be used, document_not_applicable for a form that
 * cannot hold a value, unreadable_document, payload_too_large, service_unavailable
 */
export async function bytesOf(order: Readonly<DocumentOrder>, deps: Deps): Promise<Uint8Array> {
  const { kind, orgId, input, facts } = order;
  const data = kind === 'rendered' ? ((input.data ?? {}) as Record<string, unknown>) : (facts ?? {});
  const template = await deps.database.forOrg(orgId, (em) => templateFor(em, order));
  if ('fields' in template) return filledForm(template, { orgId, data }, deps);
  const { pdf, typesetter } = deps;
  if (pdf === null)
    throw new DomainError(
      'service_unavailable',
      'Documents cannot be printed right now: no browser is running. Try again shortly.',
    );
  const html = await typesetter.page(template.html, { ...data, style: PRINT_STYLE }, template.field);
  const { bytes } = kind === 'rendered' ? await renderBrought(pdf, html) : await pdf.render(html);
  return bytes;
}

async function templateFor(em: EntityManager, order: Readonly<DocumentOrder>): Promise<Template> {
  const { kind, input, templateVersion } = order;
  if (typeof input.html === 'string') return { html: input.html, field: 'html' };
  const templateKind = kind === 'rendered' ? String(input.templateId) : kind;
  if (!isTemplateKind(templateKind)) throw new Error(`${templateKind} has no template`);
  const own = templateVersion === null ? null : await templateOf(em, templateKind, templateVersion);
  const { html = null, documentId = null, fields = null } = own ?? {};
  if (documentId !== null && fields !== null) return { documentId, fields };
  return { html: html ?? defaultTemplate(templateKind), field: 'templateId' };
}

function filledForm(
  { documentId, fields }: Extract<Template, { fields: FieldMap }>,
  { orgId, data }: { orgId: string; data: Record<string, unknown> },
  { typesetter, storage }: Deps,
): Promise<Uint8Array> {
  const load = async () => {
    const form = await storage.get(documentPath(orgId, documentId));
    if (form === null) throw new Error(`${documentId} is not in the storage`);
    return form;
  };
  return typesetter.fillForm(load, fields, data);
}

/**
 * Prints a page that a caller brought. One that the browser fails at each time is not tried for longer.
 * @throws DomainError unreadable_document, payload_too_large
 */
async function renderBrought(pdf: Pick<PdfEngine, 'render'>, html: string) {
  try {
    return await pdf.render(html, BROUGHT_PAGE_MAX_SECONDS);
  } catch (error) {
    if (error instanceof DomainError || activityInfo().attempt < ATTEMPTS_AT_A_BROUGHT_PAGE) throw error;
    throw new DomainError('unreadable_document', 'The browser cannot print the page.', { reason: 'too_heavy' });
  }
}
