/**
 * Makes one document from its order: fixes its content, prints it, stores it, records it. The content is fixed before
 * printing, so that a second attempt prints the same; two runs make one document.
 */
import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { activityInfo, heartbeat } from '@temporalio/activity';
import type { DocumentOutcome, DocumentWorkflowInput } from '../../contracts/document.ts';
import type { DocumentOrder } from '../../db/entities/document/document-order.ts';
import {
  certificateOfDocument,
  certificateReplacedBy,
  certificatesIssued,
} from '../../db/queries/document/certificates.ts';
import { changeOrder, lockOrder, reopenOrder } from '../../db/queries/document/document-orders.ts';
import { findDocument, findSuccessor, keepDocument, newestDocument } from '../../db/queries/document/documents.ts';
import { documentPath } from '../../domain/document/document.ts';
import { type DocumentKind, isClaimLetter } from '../../domain/document/kinds.ts';
import { DomainError } from '../../domain/errors.ts';
import { isProtectedOrder } from '../../plans/document/claim-letter-facts.ts';
import { activityFailure, type Deps, transaction } from '../context.ts';
import { bytesOf, templateNameOf } from './ordered-bytes.ts';
import { fixFacts } from './ordered-facts.ts';

const PDF = 'application/pdf';
const HEARTBEAT_MS = 3_000;

/** Makes the document of an order. @throws ApplicationFailure with the refusal's code */
export const makeDocument =
  (deps: Deps) =>
  async ({ orgId, documentId }: DocumentWorkflowInput): Promise<DocumentOutcome> => {
    const step = { kind: 'makeDocument', orgId };
    // A local activity needs no heartbeat: Temporal watches the workflow task that it runs in.
    const beating = activityInfo().isLocal ? undefined : setInterval(heartbeat, HEARTBEAT_MS);
    try {
      const { order, isMade, concernsHolders } = await deps.database.transaction(orgId, async (em) => {
        const opened = await openOrder(em, documentId, deps);
        return { ...opened, concernsHolders: await mayConcernHolders(em, opened.order) };
      });
      if (!isMade) await print(order, deps);
      return { documentId, ...(concernsHolders && { concernsHolders }) };
    } catch (error) {
      if (isFinal(error)) await transaction(deps, step, (em) => noteFailure(em, documentId, error.code));
      throw activityFailure(deps, step, error);
    } finally {
      clearInterval(beating);
    }
  };

/** Returns the order, with its facts fixed, and whether its document exists. @throws DomainError not_found */
async function openOrder(em: EntityManager, documentId: string, deps: Deps) {
  const [order, made] = await Promise.all([lockOrder(em, documentId), findDocument(em, documentId)]);
  if (order === null) throw new DomainError('not_found', 'There is no such document.');
  if (made !== null) return { order, isMade: true };
  const open = order.failure === null ? order : await reopenOrder(em, order);
  return { order: open.facts === null ? await fixFacts(em, open, deps) : open, isMade: false };
}

/**
 * Documents that are sent by e-mail: those that end certificates (a cancellation of their policy, or a certificate
 * replacing one whose holder wants to be notified), and claim letters.
 */
async function mayConcernHolders(em: EntityManager, order: Readonly<DocumentOrder>): Promise<boolean> {
  const { id, kind, supersedes } = order;
  if (kind !== 'certificate') return isClaimLetter(kind) || kind === 'cancellation_notice';
  const issued = supersedes === null ? null : await certificateOfDocument(em, id);
  return issued !== null && (await certificatesIssued(em, issued.policyId, issued.holderKey)).isAwaitingNews;
}

async function print(order: Readonly<DocumentOrder>, deps: Deps): Promise<void> {
  const { storage, database } = deps;
  const { id, orgId, kind, entityType, entityId, createdBy } = order;
  const bytes = await bytesOf(order, deps);
  await storage.put(documentPath(orgId, id), bytes, PDF);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await database.transaction(orgId, async (em) => {
    const supersedes = await documentReplacedBy(em, order);
    const containsPhi = await isProtectedOrder(em, order);
    const templateVersion = templateNameOf(order);
    const facts = { id, kind, entityType, entityId, templateVersion, createdBy, supersedes, containsPhi };
    await keepDocument(em, {
      ...facts,
      fileName: fileNameOf(order),
      contentType: PDF,
      sizeBytes: bytes.length,
      sha256,
    });
    await changeOrder(em, order, { madeAt: new Date() });
  });
}

/**
 * A document replaces the newest one printed before it. If a later certificate was printed first, it replaces none; a
 * one-of-a-kind document replaces the one printed first.
 */
async function documentReplacedBy(em: EntityManager, order: Readonly<DocumentOrder>) {
  for (let earlierId = await idOfEarlier(em, order); earlierId !== null; ) {
    // Two printed at the same time take turns here.
    await lockOrder(em, earlierId);
    const successor = await findSuccessor(em, earlierId);
    if (successor === null) return findDocument(em, earlierId);
    earlierId = ONE_OF_A_KIND.includes(order.kind) ? successor.id : null;
  }
  return null;
}

/** Only one of these is current per row: a policy's MCS-90, an invoice's last print. */
const ONE_OF_A_KIND: readonly string[] = ['mcs90', 'invoice'] satisfies DocumentKind[];

/** The same holder's certificate, or the one of its kind. */
async function idOfEarlier(em: EntityManager, { id, kind, entityType, entityId, supersedes }: Readonly<DocumentOrder>) {
  if (ONE_OF_A_KIND.includes(kind) && entityType !== null && entityId !== null) {
    return (await newestDocument(em, { entityType, entityId, kind }))?.id ?? null;
  }
  const certificate = supersedes === null ? null : await certificateOfDocument(em, id);
  return (certificate && (await certificateReplacedBy(em, certificate)))?.documentId ?? null;
}

/** An unprintable page stays unprintable; a missing browser may come back. */
function isFinal(error: unknown): error is DomainError {
  return error instanceof DomainError && error.code !== 'service_unavailable';
}

async function noteFailure(em: EntityManager, documentId: string, code: string): Promise<void> {
  const order = await lockOrder(em, documentId);
  if (order !== null) await changeOrder(em, order, { failure: code });
}

function fileNameOf({ id, kind, input, facts }: Readonly<DocumentOrder>): string {
  if (kind === 'rendered' && typeof input.fileName === 'string') return input.fileName;
  const { certificate, invoice, claim, policy } = (facts ?? {}) as Record<string, { number?: string } | undefined>;
  const number = certificate?.number ?? invoice?.number ?? claim?.number ?? policy?.number ?? id;
  return `${kind.replaceAll('_', '-')}-${number}.pdf`;
}
