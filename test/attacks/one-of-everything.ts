// An organization with one of everything: what the core business leaves behind, and whatever else the route table can
// make.
import type pg from 'pg';
import { eventually } from '../support/eventually.ts';
import { testToday } from '../support/fixed/today.ts';
import { bodyOf, bound, type House, newHouse, quoted, submit } from '../support/house.ts';
import { CLOSED, idPrefixOf, OPERATIONS } from '../support/operations.ts';
import type { Platform } from '../support/run-platform.ts';
import { VALID_BODIES } from '../support/valid-bodies.ts';
import { referencesIn, withReference } from './references.ts';
import { type Ids, idsOf, waitingDocuments } from './rows-of.ts';

export interface Estate {
  house: House;
  orgId: string;
  ids: Ids;
  /** A word in the names of its insureds and people, and nowhere else. */
  mark: string;
}

/** Prefixes of the ids that operations take in paths, queries and bodies. */
export const KINDS: readonly string[] = [
  ...new Set(
    CLOSED.flatMap(({ path, query, body }) => [
      ...[...path.values(), ...query.values()].map(idPrefixOf),
      ...referencesIn(body).map(({ prefix }) => prefix),
    ]).filter((prefix) => prefix !== null),
  ),
];

/** Creates the organization and lets it run until nothing is in progress. */
export async function foundEstate(platform: Platform, sql: pg.Pool, mark: string): Promise<Estate> {
  const house = await newHouse(platform);
  await liveOn(platform, house, mark);
  await payByCard(platform, house, mark);
  await eventually(async () => (await waitingDocuments(sql, house.orgId)) === 0, { what: 'the documents' });
  let ids = await idsOf(sql, house.orgId);
  if (KINDS.some((kind) => !ids.has(kind))) {
    await makeWhatCanBeMade(house, ids);
    ids = await idsOf(sql, house.orgId);
  }
  return { house, orgId: house.orgId, ids, mark };
}

async function liveOn(platform: Platform, house: House, mark: string): Promise<void> {
  const [admin, underwriter, billing] = [house.as('org_admin'), house.as('underwriter'), house.as('billing_admin')];
  const producerId = await house.addProducer(`${mark} Agency`);
  const named = (name: string) => ({ insuredName: `${mark} ${name}`, producerId });
  const [paid, owed, , , open] = await Promise.all([
    bound(underwriter, named('Diner')),
    bound(underwriter, named('Bakery'), 'MONTHLY_10'),
    quoted(underwriter, named('Cafe')),
    quoted(underwriter, { ...named('Bar'), lossesLast5Years: 3 }),
    submit(underwriter, named('Kiosk')),
  ]);
  const [{ id, total }] = paid.invoices;
  bodyOf(await billing.post(`/v1/invoices/${id}/pay`, { amount: total, method: 'check', reference: `${mark} 1` }), 201);
  bodyOf(await billing.post(`/v1/invoices/${owed.invoices[0].id}/payment-intent`, {}), 201);
  bodyOf(await billing.post(`/v1/invoices/${id}/refund`, { amount: 10, reason: 'Paid too much.' }), 201);
  bodyOf(await billing.post('/v1/ledger/entries', VALID_BODIES.makeJournal?.()), 201);
  const change = { effectiveDate: owed.effectiveDate, changes: { annualRevenue: 1_300_000 } };
  bodyOf(await underwriter.post(`/v1/policies/${owed.policyId}/endorse`, change), 201);
  bodyOf(await admin.post('/v1/documents/render-pdf', VALID_BODIES.renderPdf?.()), 201);
  bodyOf(await admin.post('/v1/users', { email: `${mark.toLowerCase()}@example.com`, role: 'auditor' }), 201);
  bodyOf(await admin.post('/v1/api-keys', { name: `${mark} key`, scopes: ['policies:read'] }), 201);
  bodyOf(await admin.post('/v1/billing-holds', { state: 'LA', from: '2030-09-01', to: '2030-09-30' }), 201);
  const loss = { policyId: owed.policyId, lossDate: testToday(), description: `${mark} fell.` };
  const supervisor = house.as('claims_supervisor');
  const claim = `/v1/claims/${bodyOf(await supervisor.post('/v1/claims', loss), 201).id}`;
  bodyOf(await billing.post('/v1/loss-funds/deposits', VALID_BODIES.depositLossFund?.()), 201);
  bodyOf(await supervisor.post(`${claim}/investigate`));
  bodyOf(await supervisor.post(`${claim}/reserves`, VALID_BODIES.reserveClaim?.()), 201);
  bodyOf(await supervisor.post(`${claim}/attachments`, VALID_BODIES.attachToClaim?.()), 201);
  bodyOf(await supervisor.post(`${claim}/payments`, VALID_BODIES.payClaim?.()), 201);
  const payee = await nameOnTheList(platform);
  bodyOf(await supervisor.post(`${claim}/payments`, { kind: 'expense', amount: 1, payee }), 422);
  bodyOf(await billing.post('/v1/bank-statements', VALID_BODIES.uploadBankStatement?.()), 201);
  bodyOf(await billing.post('/v1/bordereaux', VALID_BODIES.createBordereau?.()), 202);
  const { id: runId } = bodyOf(await billing.post('/v1/trust-reconciliations'), 202);
  // Nothing listens there: the log gets an entry all the same.
  const receiver = { url: 'http://127.0.0.1:65001/hooks', events: ['policy.renewed'] };
  const { id: webhookId } = bodyOf(await admin.post('/v1/webhooks', receiver), 201);
  bodyOf(await admin.post(`/v1/webhooks/${webhookId}/test`));
  bodyOf(await admin.put('/v1/flags/auto_renewal', { value: false }));
  const { batchId } = bodyOf(await admin.post('/v1/renewals/batch', { expiringWithinDays: 1 }), 202);
  await eventually(async () => bodyOf(await admin.get(`/v1/renewals/batch/${batchId}`)).status === 'completed', {
    what: 'the renewal batch',
  });
  await eventually(
    async () => bodyOf(await admin.get('/v1/events', { query: { type: 'invoice.paid' } })).data.length > 0,
    { what: 'the payment to be posted' },
  );
  await remit(house, producerId);
  await eventually(async () => bodyOf(await billing.get(`/v1/trust-reconciliations/${runId}`)).status === 'completed', {
    what: 'the reconciliation',
  });
  await eventually(async () => bodyOf(await billing.get('/v1/bordereaux')).data.every(isMade), {
    what: 'the bordereau',
  });
  // The callers of foreign-rows.test.ts participate; otherwise the room would be closed to them for another reason.
  const participants = ['underwriter', 'producer'].map((role) => ({ userId: `usr_intruding_${role}` }));
  const roomOf = { submissionId: open.id, name: `${mark} room`, participants };
  const room = bodyOf(await underwriter.post('/v1/deal-rooms', roomOf), 201);
  bodyOf(await underwriter.post(`/v1/deal-rooms/${room.id}/messages`, { body: `${mark} says hello.` }), 201);
  platform.mails.length = 0;
}

/** A name that must not be paid. */
async function nameOnTheList({ database }: Platform): Promise<string> {
  const [entry] = await database.acrossOrgs('a name on the sanctions list', (em) =>
    em.execute<{ name: string }[]>('select name from sanctions_entries limit 1'),
  );
  return entry?.name ?? '';
}

/** Pays a policy by card, and has the card processor pay out. */
async function payByCard({ providers }: Platform, house: House, mark: string): Promise<void> {
  const billing = house.as('billing_admin');
  const [{ id }] = (await bound(house.as('underwriter'), { insuredName: `${mark} Deli` })).invoices;
  const { paymentIntentId } = bodyOf(await billing.post(`/v1/invoices/${id}/payment-intent`, {}), 201);
  providers.processor.pay(paymentIntentId);
  providers.processor.payOut();
  await eventually(async () => bodyOf(await billing.get('/v1/ledger/card-payouts')).data.length > 0, {
    what: 'the payout of the card processor',
  });
}

/** Prepares one trust payment of each kind that has its own ids. */
async function remit(house: House, producerId: string): Promise<void> {
  const billing = house.as('billing_admin');
  const through = testToday();
  bodyOf(await billing.post('/v1/remittances', { kind: 'stamping', state: 'TX', through }), 201);
  bodyOf(await billing.post('/v1/commissions/payouts', { producerId, through }), 201);
  bodyOf(await billing.post('/v1/ledger/transfers', { through }), 201);
}
const isMade = ({ status }: { status: string }) => status === 'completed';

/** Tries every operation that records something without naming a row in its path; skips those refused. */
async function makeWhatCanBeMade(house: House, ids: Ids): Promise<void> {
  const makers = OPERATIONS.filter(({ method, path, route }) => {
    return (
      method === 'POST' && path.size === 0 && route.response.status === 201 && route.access.kind === 'organization'
    );
  });
  for (const { id, pattern, body } of makers) {
    const filled = referencesIn(body).reduce<unknown>((whole, reference) => {
      const own = ids.get(reference.prefix)?.[0];
      return own ? withReference(whole, reference, own) : whole;
    }, VALID_BODIES[id]?.());
    await house.as('superadmin').post(pattern, filled);
  }
}
