// What people do to a policy, through the API.
import { addDays, type BusinessDate } from '../../domain/dates.ts';
import type { TestClient } from '../support/client.ts';
import { bodyOf } from '../support/house.ts';
import type { Story } from './model.ts';

export interface Desk {
  admin: TestClient;
  /** The day that the story counts from. */
  begin: BusinessDate;
}

/** Every risk's initial revenue, in dollars. */
export const REVENUE = 1_000_000;

type Deed = Story['deeds'][number];

export async function act({ admin, begin }: Desk, policyId: string, deed: Deed): Promise<void> {
  const today = addDays(begin, deed.on);
  const post = async (path: string, body: object, status = 201) => bodyOf(await admin.post(`/v1${path}`, body), status);
  const toPolicy = (command: string, body: object, status?: number) =>
    post(`/policies/${policyId}/${command}`, body, status);
  switch (deed.deed) {
    case 'pay': {
      const dueDate = addDays(begin, deed.due);
      const { id, invoiceNumber, balance: amount } = await billOf({ admin, policyId, dueDate });
      return post(`/invoices/${id}/pay`, {
        amount,
        method: 'check',
        reference: `Check of ${today} for ${invoiceNumber}`,
      });
    }
    case 'cancel':
      return toPolicy('cancel', { effectiveDate: today, reason: 'insured_request' });
    case 'non_renew':
      return toPolicy('non-renew', { reason: 'Underwriting.' }, 200);
    case 'endorse':
      return toPolicy('endorse', {
        effectiveDate: today,
        changes: { annualRevenue: (REVENUE * deed.toPercent) / 100 },
      });
    case 'reinstate':
      await sendChecks(admin, policyId);
      return toPolicy('reinstate', { effectiveDate: addDays(begin, deed.asOf) });
    case 'reverse': {
      const { id } = await billOf({ admin, policyId });
      const { payments } = bodyOf(await admin.get(`/v1/invoices/${id}`));
      return post(`/payments/${payments[0].id}/reverse`, { reason: 'nsf' });
    }
    case 'refund': {
      const { id } = await billOf({ admin, policyId });
      return post(`/invoices/${id}/refund`, { amount: deed.cents / 100, reason: 'Goodwill.' });
    }
    case 'bill_again': {
      const { id } = await billOf({ admin, policyId });
      return post(`/invoices/${id}/void`, { reason: 'A wrong address.', reissue: true }, 200);
    }
  }
}

/** Issues the policy's pending return checks: an unissued one would pay the new bill once that is past due. */
async function sendChecks(admin: TestClient, policyId: string): Promise<void> {
  const { data } = bodyOf(await admin.get('/v1/disbursements', { query: { policyId, status: 'pending' } }));
  for (const { id } of data) bodyOf(await admin.post(`/v1/disbursements/${id}/issue`, { checkNumber: id }));
}

interface Wanted {
  admin: TestClient;
  policyId: string;
  /** Of an open bill; without it, the policy's only bill. */
  dueDate?: BusinessDate;
}

async function billOf({ admin, policyId, dueDate }: Wanted) {
  const { data } = bodyOf(await admin.get('/v1/invoices', { query: { policyId } }));
  const found = data.filter((bill: { dueDate: string; balance: number }) =>
    dueDate === undefined ? true : bill.dueDate === dueDate && bill.balance > 0,
  );
  if (found.length !== 1) throw new Error(`${found.length} bills of ${policyId} are due on ${dueDate ?? 'any day'}`);
  return found[0];
}
