// The first page of the portal, read in one round trip: the statements are sent together. Contract 3.7.
import type { EntityClass, EntityManager } from '@mikro-orm/postgresql';
import { Invoice } from '../../entities/billing/invoice.ts';
import { Payment } from '../../entities/billing/payment.ts';
import { Claim } from '../../entities/claim/claim.ts';
import { Document } from '../../entities/document/document.ts';
import { type IssuedTransaction, PolicyTransaction } from '../../entities/policy/policy-transaction.ts';
import { readRows } from '../../plain-table.ts';
import { onOneConnection } from '../../prepared.ts';
import { OWED } from '../billing/invoices.ts';
import { type PolicyWithBilling, termsWithBilling } from '../billing/void-invoices.ts';
import { successorsById } from '../document/documents.ts';
import { IS_OWN, IS_OWN_DOCUMENT } from './own-rows.ts';

/** Maximum rows of each kind: the newest ones, but the bills due first. */
const MOST = 100;

const NEWEST_DOCUMENTS = `${IS_OWN_DOCUMENT} order by created_at desc, id desc limit ${MOST}` as const;
const OPEN_INVOICES = `org_id = $1 and ${IS_OWN} and ${OWED}` as const;

export interface HomeRows {
  policies: PolicyWithBilling[];
  /** All terms' transactions, each in order of issue. */
  transactions: IssuedTransaction[];
  /** Invoices with a balance, by due date. */
  invoices: Readonly<Invoice>[];
  /** Payments on these invoices, oldest first. */
  payments: Readonly<Payment>[];
  /** Claims that are not closed, newest first. */
  claims: Readonly<Claim>[];
  /** Newest first. */
  documents: Readonly<Document>[];
  /** Their replacements, by id. */
  successors: Map<string, string>;
}

/** Reads the home page of a policy's insured. */
export function readHome(em: EntityManager, policyId: string): Promise<HomeRows> {
  return onOneConnection(em, async (one) => {
    const rows = <E extends object>(entity: EntityClass<E>, condition: string) =>
      readRows(one, entity, `org_id = $1 and ${condition}`, [policyId]);
    const [policies, transactions, invoices, payments, claims, documents, successors] = await Promise.all([
      termsWithBilling(one, policyId, MOST),
      rows(PolicyTransaction, `${IS_OWN} order by sequence`),
      rows(Invoice, `${IS_OWN} and ${OWED} order by due_date, invoice_number limit ${MOST}`),
      rows(Payment, `invoice_id in (select id from invoices where ${OPEN_INVOICES}) order by id`),
      rows(Claim, `${IS_OWN} and status <> 'closed' order by id desc limit ${MOST}`),
      rows(Document, NEWEST_DOCUMENTS),
      rows(
        Document,
        `${IS_OWN_DOCUMENT} and supersedes in (select id from documents where org_id = $1 and ${NEWEST_DOCUMENTS})`,
      ),
    ]);
    return {
      ...{ policies, transactions: transactions as IssuedTransaction[], invoices, payments, claims, documents },
      successors: successorsById(successors),
    };
  });
}
