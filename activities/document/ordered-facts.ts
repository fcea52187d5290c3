/** Fixes an ordered document's content and its template version. */
import { randomInt } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Certificate } from '../../db/entities/document/certificate.ts';
import type { DocumentOrder } from '../../db/entities/document/document-order.ts';
import { Policy } from '../../db/entities/policy/policy.ts';
import { newId } from '../../db/ids.ts';
import { addRow, writeNewRows } from '../../db/new-rows.ts';
import { lockRow } from '../../db/plain-table.ts';
import { certificatesIssued, newestCertificate } from '../../db/queries/document/certificates.ts';
import { changeOrder, ordersOf } from '../../db/queries/document/document-orders.ts';
import { currentTemplateVersion } from '../../db/queries/document/document-templates.ts';
import { nextCertificateNumber } from '../../db/queries/platform/counters.ts';
import { type CertificateWish, holderKey } from '../../domain/document/certificate.ts';
import { isClaimLetter, isOfTransaction } from '../../domain/document/kinds.ts';
import type { Cargo } from '../../domain/document/mcs90.ts';
import { DomainError } from '../../domain/errors.ts';
import { certificateFacts, ensureCertifiable } from '../../plans/document/certificate-facts.ts';
import { claimLetterFacts } from '../../plans/document/claim-letter-facts.ts';
import { invoicePageFacts } from '../../plans/document/invoice-facts.ts';
import { mcs90Facts } from '../../plans/document/mcs90-facts.ts';
import { receiptFacts } from '../../plans/document/receipt-facts.ts';
import { transactionFacts } from '../../plans/document/transaction-facts.ts';
import { businessDay } from '../../plans/platform/business-day.ts';
import type { Deps } from '../context.ts';
import { isAwaited } from './awaited.ts';

/** An order's content, as written into its row. */
type Said = Pick<DocumentOrder, 'facts' | 'supersedes'>;

/** Writes the document's content into its order. @throws DomainError document_not_applicable, not_found */
export async function fixFacts(
  em: EntityManager,
  order: Readonly<DocumentOrder>,
  deps: Deps,
): Promise<Readonly<DocumentOrder>> {
  const { kind } = order;
  const said = kind === 'certificate' ? await numbered(em, order, deps) : await factsOf(em, order, deps);
  const templateVersion = kind === 'rendered' ? order.templateVersion : await currentTemplateVersion(em, kind);
  return changeOrder(em, order, { ...said, templateVersion });
}

async function factsOf(em: EntityManager, order: Readonly<DocumentOrder>, deps: Deps): Promise<Pick<Said, 'facts'>> {
  const { kind, input, entityId } = order;
  if (kind === 'rendered') return { facts: {} };
  if (isOfTransaction(kind)) return { facts: await transactionFacts(em, entityId ?? '', String(input.transactionId)) };
  if (kind === 'invoice') return { facts: await invoicePageFacts(em, entityId ?? '') };
  if (kind === 'receipt') return { facts: await receiptFacts(em, String(input.paymentId)) };
  if (isClaimLetter(kind)) return { facts: await claimLetterFacts(em, order) };
  if (kind === 'mcs90') {
    const { today } = await businessDay(em, order.orgId, deps.now());
    const policy = await lockRow(em, Policy, entityId ?? '');
    if (policy !== null) return { facts: await mcs90Facts(em, policy, input.cargo as Cargo, today) };
  }
  throw new DomainError('not_found', 'The policy, claim, invoice or payment for this document was not found.');
}

/** Gives a certificate its number, once its content is known to be true. */
async function numbered(em: EntityManager, order: Readonly<DocumentOrder>, deps: Deps): Promise<Said> {
  const [{ today }, policy] = await Promise.all([
    businessDay(em, order.orgId, deps.now()),
    lockRow(em, Policy, order.entityId ?? ''),
  ]);
  if (policy === null) throw new DomainError('not_found', 'There is no such policy.');
  const { baseUrl, ...wish } = order.input as unknown as CertificateWish & { baseUrl: string };
  const key = holderKey(wish.holder);
  const [terms, prior, { issued }] = await Promise.all([
    ensureCertifiable(em, policy, wish, today),
    newestCertificate(em, policy.id, key),
    certificatesIssued(em, policy.id, key),
  ]);
  // The caller heard that it was not made, and has since ordered another.
  if (prior !== null && !isAwaited() && (await isOrderedAfter(em, prior.documentId, order))) throw overtaken();
  const number = `${await nextCertificateNumber(em, Number(today.slice(0, 4)))}-${unguessable()}`;
  addRow(em, Certificate, {
    ...{ id: newId('certificate'), certificateNumber: number, documentId: order.id },
    ...{ policyId: policy.id, producerId: policy.producerId, holder: wish.holder, holderKey: key },
    ...{ notifyHolder: wish.notifyHolder === true, supersedes: prior?.id ?? null, createdBy: order.createdBy },
  });
  await writeNewRows(em);
  const verifyUrl = `${baseUrl}/v1/coi/${number}/verify`;
  const identity = { number, revision: issued + 1, verifyUrl };
  return {
    facts: await certificateFacts(em, policy, terms, { wish, today, identity }),
    supersedes: prior?.documentId ?? null,
  };
}

async function isOrderedAfter(
  em: EntityManager,
  documentId: string,
  { createdAt }: Readonly<DocumentOrder>,
): Promise<boolean> {
  const [other] = await ordersOf(em, [documentId]);
  return other !== undefined && other.createdAt > createdAt;
}

function overtaken(): DomainError {
  return new DomainError('document_not_applicable', 'Another certificate for this holder has been ordered since.', {
    field: 'holder',
  });
}

const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Knowing one number must not reveal the next. */
function unguessable(): string {
  return Array.from({ length: 8 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
