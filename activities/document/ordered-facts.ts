/** Fixes what an ordered document says, and the version of the template that says it. */
import { randomInt } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Certificate } from '../../db/entities/document/certificate.ts';
import type { DocumentOrder } from '../../db/entities/document/document-order.ts';
import { newId } from '../../db/ids.ts';
import { addRow, writeNewRows } from '../../db/new-rows.ts';
import { countCertificates, newestCertificate } from '../../db/queries/document/certificates.ts';
import { ordersOf } from '../../db/queries/document/document-orders.ts';
import { currentTemplateVersion } from '../../db/queries/document/document-templates.ts';
import { nextCertificateNumber } from '../../db/queries/platform/counters.ts';
import { lockPolicy } from '../../db/queries/policy/policies.ts';
import { type CertificateWish, holderKey } from '../../domain/document/certificate.ts';
import { isClaimLetter, isOfTransaction } from '../../domain/document/kinds.ts';
import type { Cargo } from '../../domain/document/mcs90.ts';
import { DomainError } from '../../domain/errors.ts';
import { certificateFacts, ensureCertifiable } from '../../plans/document/certificate-facts.ts';
import { claimLetterFacts } from '../../plans/document/claim-letter-facts.ts';
import { invoiceFacts } from '../../plans/document/invoice-facts.ts';
import { mcs90Facts } from '../../plans/document/mcs90-facts.ts';
import { receiptFacts } from '../../plans/document/receipt-facts.ts';
import { transactionFacts } from '../../plans/document/transaction-facts.ts';
import { businessDay } from '../business-day.ts';
import type { Deps } from '../context.ts';
import { isAwaited } from './awaited.ts';

/** Writes into the order what its document says. @throws DomainError document_not_applicable, not_found */
export async function fixFacts(em: EntityManager, order: DocumentOrder, deps: Deps): Promise<void> {
  const { kind } = order;
  order.facts = await factsOf(em, order, deps);
  if (kind !== 'rendered') order.templateVersion = await currentTemplateVersion(em, kind);
}

async function factsOf(em: EntityManager, order: DocumentOrder, deps: Deps): Promise<Record<string, unknown>> {
  const { kind, input, entityId } = order;
  if (kind === 'rendered') return {};
  if (isOfTransaction(kind)) return transactionFacts(em, entityId ?? '', String(input.transactionId));
  if (kind === 'invoice') return invoiceFacts(em, entityId ?? '');
  if (kind === 'receipt') return receiptFacts(em, String(input.paymentId));
  if (isClaimLetter(kind)) return claimLetterFacts(em, order);
  if (kind === 'certificate') return numbered(em, order, deps);
  if (kind === 'mcs90') {
    const { today } = await businessDay(em, order.orgId, deps.now());
    const policy = await lockPolicy(em, entityId ?? '');
    if (policy !== null) return mcs90Facts(em, policy, input.cargo as Cargo, today);
  }
  throw new DomainError('not_found', 'The policy, claim, invoice or payment for this document was not found.');
}

/** Gives a certificate its number, once all that it says is known to be true. */
async function numbered(em: EntityManager, order: DocumentOrder, deps: Deps): Promise<Record<string, unknown>> {
  const { today } = await businessDay(em, order.orgId, deps.now());
  const policy = await lockPolicy(em, order.entityId ?? '');
  if (policy === null) throw new DomainError('not_found', 'There is no such policy.');
  const { baseUrl, ...wish } = order.input as unknown as CertificateWish & { baseUrl: string };
  await ensureCertifiable(em, policy, wish, today);
  const key = holderKey(wish.holder);
  const prior = await newestCertificate(em, policy.id, key);
  // Its caller heard that it was not made, and has another one since.
  if (prior !== null && !isAwaited() && (await isOrderedAfter(em, prior.documentId, order))) throw overtaken();
  const revision = (await countCertificates(em, policy.id, key)) + 1;
  const number = `${await nextCertificateNumber(em, Number(today.slice(0, 4)))}-${unguessable()}`;
  const id = newId('certificate');
  addRow(em, Certificate, {
    ...{ id, certificateNumber: number, documentId: order.id, policyId: policy.id, producerId: policy.producerId },
    ...{
      holder: wish.holder,
      holderKey: key,
      notifyHolder: wish.notifyHolder === true,
      supersedes: prior?.id ?? null,
      createdBy: order.createdBy,
    },
  });
  await writeNewRows(em);
  order.supersedes = prior?.documentId ?? null;
  const verifyUrl = `${baseUrl}/v1/coi/${number}/verify`;
  return certificateFacts(em, policy, { wish, today, identity: { number, revision, verifyUrl } });
}

async function isOrderedAfter(em: EntityManager, documentId: string, { createdAt }: DocumentOrder): Promise<boolean> {
  const [other] = await ordersOf(em, [documentId]);
  return other !== undefined && other.createdAt > createdAt;
}

function overtaken(): DomainError {
  return new DomainError('document_not_applicable', 'Another certificate for this holder has been ordered since.', {
    field: 'holder',
  });
}

const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A number that is known must not lead to the next one. */
function unguessable(): string {
  return Array.from({ length: 8 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
