// Parts of the producer tests: an agency with a license, and what other parts of the platform do to its rows.
import { Filing } from '../../../db/entities/insight/filing.ts';
import { lockProducer } from '../../../db/queries/distribution/producers.ts';
import { bodyOf, type House } from '../../support/house.ts';
import type { Platform } from '../../support/run-platform.ts';

export const LICENSE = { state: 'TX', number: 'TX-1', lines: ['GL'], status: 'active', expirationDate: '2090-01-01' };
export const AGENCY = { name: 'Gulf Coast Brokers', email: 'desk@gulfcoast.example', npn: '555', licenses: [LICENSE] };

/** The codes of flags. */
export const codesOf = (flags: { code: string }[]): string[] => flags.map(({ code }) => code);

/** Leaves the row as the identity verifier's event does, without the move to active. */
export async function verify({ database }: Platform, { orgId }: House, id: string): Promise<void> {
  await database.transaction(orgId, async (em) => {
    const producer = await lockProducer(em, id);
    if (producer) producer.identity = { inquiryId: 'inq_1', completedAt: new Date().toISOString() };
  });
}

/** Pays everything owed on a policy. */
export async function pay(house: House, policyId: string): Promise<void> {
  const billing = house.as('billing_admin');
  for (const { id, balance } of bodyOf(await billing.get('/v1/invoices', { query: { policyId } })).data) {
    const payment = { amount: balance, method: 'check', reference: id };
    if (balance > 0) bodyOf(await billing.post(`/v1/invoices/${id}/pay`, payment), 201);
  }
}

/** The subjects of its filings, their due dates and statuses, oldest first. */
export function filings(
  { database }: Platform,
  { orgId }: House,
  producerId: string,
  kind: string,
): Promise<(string | null)[][]> {
  return database.forOrg(orgId, async (em) => {
    const rows = await em.find(Filing, { producerId, kind }, { orderBy: { id: 'asc' } });
    return rows.map((row) => [row.appointmentId ?? row.licenseNumber, row.dueDate, row.status]);
  });
}
