// Queries on templates. A version is written `declarations@own-3`, ours `declarations@1`.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { TemplateKind } from '../../../domain/document/kinds.ts';
import { DocumentTemplate } from '../../entities/document/document-template.ts';

/** Of our own templates; it counts up when their words change. */
const DEFAULT_VERSION = 1;
const OWN = /@own-(\d+)$/;

/** Reads the newest template of an organization for a kind, or null. */
export function newestTemplate(em: EntityManager, kind: TemplateKind): Promise<DocumentTemplate | null> {
  return em.findOne(DocumentTemplate, { kind }, { orderBy: { templateVersion: 'desc' } });
}

/** Names a version of an organization's own template; null stands for ours. */
export function versionName(kind: TemplateKind, own: Pick<DocumentTemplate, 'templateVersion'> | null): string {
  return own === null ? `${kind}@${DEFAULT_VERSION}` : `${kind}@own-${own.templateVersion}`;
}

/** Names the version with which a document of a kind is made now. */
export async function currentTemplateVersion(em: EntityManager, kind: TemplateKind): Promise<string> {
  return versionName(kind, await newestTemplate(em, kind));
}

/** Reads a version; null for one of ours. */
export async function templateOf(
  em: EntityManager,
  kind: TemplateKind,
  version: string,
): Promise<DocumentTemplate | null> {
  const [, number] = OWN.exec(version) ?? [];
  if (number === undefined) return null;
  return em.findOneOrFail(DocumentTemplate, { kind, templateVersion: Number(number) });
}
