/**
 * Checks that stored receipts exist and are unchanged: last week's on every run, each older one on one day in thirty,
 * so that a large archive is not read in full every day.
 */

import type { ReceiptsChecked, ReceiptsPage } from '../../../contracts/trust.ts';
import { receiptsToCheck, type StoredReceipt } from '../../../db/queries/billing/receipts.ts';
import { outstandingSince } from '../../../domain/billing/ledger/trust.ts';
import { checkResult, type Finding } from '../../../domain/billing/reconciliation/report.ts';
import { DAY_MS } from '../../../domain/dates.ts';
import { activityFailure, type Deps } from '../../context.ts';
import { digestOf, receiptPath } from '../payments/receipts.ts';

const RECENT_DAYS = 7;
const PAGE_ROWS = 500;
const AT_ONCE = 16;

/** Reads the next page of receipts from storage and checks each against its digest. */
export const checkReceipts =
  (deps: Deps) =>
  async ({ orgId, after }: ReceiptsPage): Promise<ReceiptsChecked> => {
    const nowMs = deps.now();
    const order = {
      ...{ after, rows: PAGE_ROWS, since: outstandingSince(nowMs), day: Math.floor(nowMs / DAY_MS) },
      recentSince: new Date(nowMs - RECENT_DAYS * DAY_MS),
    };
    try {
      const receipts = await deps.database.forOrg(orgId, (em) => receiptsToCheck(em, order));
      const findings: Finding[] = [];
      for (let i = 0; i < receipts.length; i += AT_ONCE) {
        const some = receipts.slice(i, i + AT_ONCE);
        findings.push(...(await Promise.all(some.map((receipt) => judge(deps, orgId, receipt)))).flat());
      }
      const next = receipts.length < PAGE_ROWS ? null : (receipts.at(-1)?.paymentId ?? null);
      return { results: [checkResult('receipt_document', findings)], next };
    } catch (error) {
      throw activityFailure(deps, { kind: 'checkReceipts', orgId }, error);
    }
  };

/** A receipt stored before digests were kept only has to exist. */
async function judge({ storage }: Deps, orgId: string, receipt: StoredReceipt): Promise<Finding[]> {
  const { paymentId, invoiceNumber, recordedAt, sha256, bytes } = receipt;
  const content = await storage.get(receiptPath(orgId, invoiceNumber, recordedAt));
  const stored = content && digestOf(content);
  if (stored !== null && (sha256 === null || (stored.sha256 === sha256 && stored.bytes === bytes))) return [];
  const part = stored === null ? 'missing' : 'changed';
  const finding = { check: 'receipt_document', entityType: 'payment', entityId: paymentId, unit: 'count' } as const;
  return [{ ...finding, part, expected: 1, actual: 0 }];
}
