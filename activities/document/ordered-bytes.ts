/** The bytes of an ordered document: its facts in the template fixed with it, a page or a form. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { activityInfo } from '@temporalio/activity';
import type { DocumentOrder } from '../../db/entities/document/document-order.ts';
import { templateOf } from '../../db/queries/document/document-templates.ts';
import { documentPath } from '../../domain/document/document.ts';
import type { FieldMap } from '../../domain/document/field-map.ts';
import { isClaimLetter, isTemplateKind, type TemplateKind } from '../../domain/document/kinds.ts';
import { DomainError } from '../../domain/errors.ts';
import { BROUGHT_PAGE_MAX_SECONDS } from '../../domain/limits.ts';
import { withClaimWords } from '../../plans/document/claim-letter-facts.ts';
import { defaultTemplate, defaultVersion, PRINT_STYLE } from '../../plans/document/own-templates.ts';
import { BrowserFault } from '../../providers/pdf/browser-fault.ts';
import { ThreadFault } from '../../providers/threads/pool.ts';
import { refusalOfText } from '../../providers/typesetting/given-up.ts';
import { type Deps, NotDoneInTime } from '../context.ts';
import { isAwaited } from './awaited.ts';

/**
 * Threads and pages may time out because the worker is busy, not the text heavy; a browser may die for other reasons.
 */
const ATTEMPTS_AT_A_BROUGHT_TEXT = 3;
/** A waiting caller's call ends before a third attempt would, and a repeated call starts over. */
const ATTEMPTS_WITHIN_A_CALL = 2;

type Writer = 'us' | 'organization' | 'caller';

type Template =
  | { html: string; field: string; writer: Writer }
  | { documentId: string; fields: FieldMap; writer: 'organization' };

/**
 * Prints an order, or fills its form.
 * @throws DomainError validation_failed for an unusable template, document_not_applicable for a form field that cannot
 * hold a value, unreadable_document, payload_too_large, service_unavailable
 */
export async function bytesOf(order: Readonly<DocumentOrder>, deps: Deps): Promise<Uint8Array> {
  const { orgId } = order;
  const { data, template } = await deps.database.forOrg(orgId, async (em) => ({
    data: await dataFor(em, order),
    template: await templateFor(em, order),
  }));
  try {
    if (isSpecimen(order)) return await specimenOf(template, data, deps);
    if ('fields' in template) return await filledForm(template, { orgId, data }, deps);
    return await printedPage(template, data, deps);
  } catch (error) {
    throw judged(error, template);
  }
}

async function dataFor(em: EntityManager, order: Readonly<DocumentOrder>): Promise<Record<string, unknown>> {
  const { kind, input, facts } = order;
  if (kind === 'rendered') return (input.data ?? {}) as Record<string, unknown>;
  return isClaimLetter(kind) ? withClaimWords(em, order) : (facts ?? {});
}

const NO_BROWSER = 'Documents cannot be printed right now: no browser is running. Try again shortly.';

/** These state coverage, so they are issued from a policy. The same page with a caller's figures is a specimen. */
const ISSUED_KINDS: readonly string[] = ['certificate', 'mcs90'] satisfies TemplateKind[];
const SPECIMEN = 'SPECIMEN';

function isSpecimen({ kind, input }: Readonly<DocumentOrder>): boolean {
  return kind === 'rendered' && ISSUED_KINDS.includes(String(input.templateId));
}

/** @throws DomainError document_not_applicable for a form, which has no room for the specimen mark */
async function specimenOf(template: Template, data: Record<string, unknown>, deps: Deps): Promise<Uint8Array> {
  if ('fields' in template) {
    const message = 'This form can only be filled in from a policy. Issue it from the policy instead.';
    throw new DomainError('document_not_applicable', message, { field: 'templateId' });
  }
  return deps.typesetter.mark(await printedPage(template, data, deps), SPECIMEN);
}

async function printedPage(
  { html, field, writer }: Extract<Template, { html: string }>,
  data: Record<string, unknown>,
  { pdf, typesetter }: Deps,
): Promise<Uint8Array> {
  if (pdf === null) throw new DomainError('service_unavailable', NO_BROWSER);
  // A caller's own page may bring its own style; our templates use ours whatever the data says.
  const words = field === 'html' ? { style: PRINT_STYLE, ...data } : { ...data, style: PRINT_STYLE };
  const page = await typesetter.page(html, words, field);
  // Our own pages always finish. Two attempts at one that does not must fit into a call's time.
  const isBrought = writer === 'caller' || (writer === 'organization' && isAwaited());
  const options = isBrought ? { maxSeconds: BROUGHT_PAGE_MAX_SECONDS } : { canWait: !isAwaited(), ...boundOf(writer) };
  return (await pdf.render(page, options)).bytes;
}

/** An organization's slow page must not hold a place that others need for long. */
function boundOf(writer: Writer): { maxSeconds?: number } {
  return writer === 'organization' ? { maxSeconds: 2 * BROUGHT_PAGE_MAX_SECONDS } : {};
}

async function templateFor(em: EntityManager, order: Readonly<DocumentOrder>): Promise<Template> {
  const { kind, input, templateVersion } = order;
  if (typeof input.html === 'string') return { html: input.html, field: 'html', writer: 'caller' };
  const templateKind = templateKindOf(order);
  const own = await templateOf(em, templateKind, templateVersion);
  const { html = null, documentId = null, fields = null } = own ?? {};
  if (documentId !== null && fields !== null) return { documentId, fields, writer: 'organization' };
  const writer = kind === 'rendered' ? 'caller' : html === null ? 'us' : 'organization';
  return { html: html ?? defaultTemplate(templateKind), field: 'templateId', writer };
}

/** Names an order's template: the organization's, or our current one; null for a caller's page. */
export function templateNameOf(order: Readonly<DocumentOrder>): string | null {
  if (typeof order.input.html === 'string') return null;
  return order.templateVersion ?? defaultVersion(templateKindOf(order));
}

function templateKindOf({ kind, input }: Readonly<DocumentOrder>): TemplateKind {
  const templateKind = kind === 'rendered' ? String(input.templateId) : kind;
  if (!isTemplateKind(templateKind)) throw new Error(`${templateKind} has no template`);
  return templateKind;
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
 * Judges why an attempt failed. A timeout may be due to a busy worker: text written by a caller or an organization is
 * refused for it only after several attempts, and a document from our own template is never given up.
 */
function judged(error: unknown, { writer, ...template }: Template): unknown {
  const isWithinACall = writer === 'organization' && isAwaited();
  const isLast = activityInfo().attempt >= (isWithinACall ? ATTEMPTS_WITHIN_A_CALL : ATTEMPTS_AT_A_BROUGHT_TEXT);
  if (error instanceof DomainError) {
    const mayBeRefused = writer === 'caller' || (writer === 'organization' && isLast);
    return mayBeRefused || !mayBeOfAHurry(error) ? error : notInTime(error);
  }
  if (writer === 'us' || !isLast) return isOfTheMachine(error) ? notInTime(error) : error;
  const refusal = refusalOfText(error, 'field' in template ? { template: template.field } : 'form');
  if (refusal !== null || error instanceof ThreadFault || writer === 'organization') return refusal ?? error;
  return new DomainError('unreadable_document', 'The browser cannot print the page.', { reason: 'too_heavy' });
}

/** Templates and pages have a time limit; a stored template was filled once before it was stored. */
function mayBeOfAHurry({ code, details }: DomainError): boolean {
  if (code === 'service_unavailable') return details.retryAfterSeconds !== undefined;
  return code === 'validation_failed' || (code === 'unreadable_document' && details.reason === 'too_slow');
}

/** A terminated thread, or a browser that died or did not answer; not a bug of ours. */
function isOfTheMachine(error: unknown): boolean {
  return error instanceof BrowserFault || (error instanceof ThreadFault && error.reason !== 'failed');
}

function notInTime(cause: unknown): NotDoneInTime {
  return new NotDoneInTime('The document could not be made in time.', { cause });
}
