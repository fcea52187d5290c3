// Queries on the templates of an organization. A version of one is written `declarations@own-3`.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { TemplateKind } from '../../../domain/document/kinds.ts';
import { DocumentTemplate } from '../../entities/document/document-template.ts';
import { readRows } from '../../plain-table.ts';

const OWN = /@own-(\d+)$/;

/** Reads the newest template of an organization for a kind, or null. */
export async function newestTemplate(
  em: EntityManager,
  kind: TemplateKind,
): Promise<Readonly<DocumentTemplate> | null> {
  const condition = 'org_id = $1 and kind = $2 order by template_version desc limit 1';
  const [newest] = await readRows(em, DocumentTemplate, condition, [kind]);
  return newest ?? null;
}

/** Names a version of an organization's own template. */
export function versionName(
  kind: TemplateKind,
  { templateVersion }: Pick<DocumentTemplate, 'templateVersion'>,
): string {
  return `${kind}@own-${templateVersion}`;
}

/** Names the organization's template version now used for a kind of document; null if it uses ours. */
export async function currentTemplateVersion(em: EntityManager, kind: TemplateKind): Promise<string | null> {
  const newest = await newestTemplate(em, kind);
  return newest && versionName(kind, newest);
}

/** Reads a version; null for one of ours. */
export async function templateOf(
  em: EntityManager,
  kind: TemplateKind,
  version: string | null,
): Promise<DocumentTemplate | null> {
  const [, number] = OWN.exec(version ?? '') ?? [];
  if (number === undefined) return null;
  return em.findOneOrFail(DocumentTemplate, { kind, templateVersion: Number(number) });
}
