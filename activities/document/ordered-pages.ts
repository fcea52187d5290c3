/** The page of an ordered document: what it says in the template that was fixed with it. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { DocumentOrder } from '../../db/entities/document/document-order.ts';
import { templateText } from '../../db/queries/document/document-templates.ts';
import { isTemplateKind } from '../../domain/document/kinds.ts';
import { defaultTemplate, pageOfTemplate } from '../../plans/document/page.ts';

/** Gives the page. @throws DomainError validation_failed for a template that cannot be used */
export async function pageOfOrder(em: EntityManager, order: Readonly<DocumentOrder>): Promise<string> {
  const { kind, input, facts, templateVersion } = order;
  const data = kind === 'rendered' ? ((input.data ?? {}) as Record<string, unknown>) : (facts ?? {});
  if (typeof input.html === 'string') return pageOfTemplate(input.html, data);
  const templateKind = kind === 'rendered' ? String(input.templateId) : kind;
  if (!isTemplateKind(templateKind)) throw new Error(`${templateKind} has no template`);
  const own = templateVersion === null ? null : await templateText(em, templateKind, templateVersion);
  return pageOfTemplate(own ?? defaultTemplate(templateKind), data, 'templateId');
}
