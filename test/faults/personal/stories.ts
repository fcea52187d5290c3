// Stories whose people, addresses and words occur nowhere else, so that a test can search for them afterwards.
import { addDays } from '../../../domain/dates.ts';
import type { SigningRoom } from '../../../stand-ins/e-signature/server.ts';
import type { TestClient } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { testToday } from '../../support/fixed/today.ts';
import { bodyOf, risk } from '../../support/house.ts';
import { fromMailer, fromVerifier, inquiryEvent, mailEvent, type SignedRequest } from '../../support/inbound-events.ts';
import type { Platform } from '../platform.ts';

/** Each is searched for verbatim, so none is part of another. */
export const PERSONAL = {
  insuredName: 'Zephyrine Quillfeather Diner',
  insuredEmail: 'zephyrine@quillfeather.example',
  insuredPhone: '+1 512 555 0147',
  street: '1907 Larkspur Hollow',
  description: 'Owned by Thaddeus Wolverhampton',
  reference: 'Check of T. Wolverhampton',
};
/** A loss's particulars pass through no workflow at all. */
const LOSS = {
  description: 'Ottoline Featherstonehaugh broke a hip',
  claimant: { name: 'Ottoline Featherstonehaugh' },
};
export const LOSS_SEEDS = ['Ottoline', 'Featherstonehaugh', 'broke a hip'];
/** The people around the insured: a colleague, a producer, a certificate holder, a signer, and what they write. */
const AROUND = {
  colleague: { name: 'Bartholomew Ravenscroft', email: 'bartholomew@ravenscroft.example' },
  producer: { name: 'Perpetua Dunmore Agency', email: 'perpetua@dunmore.example', phone: '+1 214 555 0183' },
  holder: { name: 'Ignatius Oglethorpe', email: 'ignatius@oglethorpe.example', street: '28 Tamarack Terrace' },
  signer: { name: 'Lavinia Somerwick', email: 'lavinia@somerwick.example' },
  message: 'Cornelius Blackthorne called about a knee',
  moved: { phone: '+1 713 555 0162', street: '66 Pomegranate Court' },
  payee: 'Hortensia Vandergriff',
};

export const SEEDS = [
  ...Object.values(PERSONAL),
  ...['Zephyrine', 'Quillfeather', 'quillfeather', 'Larkspur', 'Wolverhampton'],
  ...LOSS_SEEDS,
  ...Object.values(AROUND).flatMap((each) => (typeof each === 'string' ? each : Object.values(each))),
  ...['Ravenscroft', 'ravenscroft', 'Dunmore', 'dunmore', 'Oglethorpe', 'oglethorpe', 'Tamarack', 'Somerwick'],
  ...['somerwick', 'Blackthorne', 'Pomegranate', 'Vandergriff'],
];

const address = (line1: string) => ({ line1, city: 'Austin', state: 'TX', postalCode: '78701' });

export interface Story {
  orgId: string;
  admin: TestClient;
  policyId: string;
  claimId: string;
}

/** From the submission to a claim, with a payment and a refusal along the way. */
export async function insuredWithALoss(platform: Platform): Promise<Story> {
  const orgId = bodyOf(await platform.machine.post('/v1/organizations', { name: 'Personal Data' }), 201).id;
  const admin = await platform.as({ role: 'org_admin', org: orgId });
  const { street, reference, ...insured } = PERSONAL;
  const effectiveDate = addDays(testToday(), 10);
  const submission = { ...risk(), ...insured, insuredAddress: address(street), effectiveDate };
  const { id } = bodyOf(await admin.post('/v1/submissions', submission), 201);
  const twin = bodyOf(await admin.post('/v1/submissions', submission), 201);
  bodyOf(await admin.post(`/v1/submissions/${twin.id}/decline`, { reason: PERSONAL.description }));
  await admin.post(`/v1/submissions/${twin.id}/quote`);
  const quote = bodyOf(await admin.post(`/v1/submissions/${id}/quote`), 201);
  if (!quote.bindable) throw new Error(`the quote cannot be bound: ${JSON.stringify(quote)}`);
  const { policyId, invoices } = bodyOf(
    await admin.post(`/v1/submissions/${id}/bind`, { installmentPlan: 'QUARTERLY_4' }),
    201,
  );
  const [first] = invoices as { id: string; total: number }[];
  const payment = { amount: first?.total, method: 'check', reference };
  bodyOf(await admin.post(`/v1/invoices/${first?.id}/pay`, payment), 201);
  await admin.post(`/v1/invoices/${first?.id}/pay`, { ...payment, reference: `${reference} again` });
  await admin.post('/v1/test-clock', { advanceTo: addDays(effectiveDate, 5) });
  const loss = { ...LOSS, policyId, lossDate: effectiveDate, containsPhi: true };
  const claim = bodyOf(await admin.post('/v1/claims', loss), 201);
  return { orgId, admin, policyId, claimId: claim.id };
}

/** Invites a colleague, takes on a producer and messages them, issues a certificate and sends it out for signature. */
export async function peopleAround({ orgId, admin, policyId }: Story, platform: Platform, room: SigningRoom) {
  const { colleague, producer, holder, signer, message } = AROUND;
  bodyOf(await admin.post('/v1/users', { ...colleague, role: 'underwriter' }), 201);
  const licenses = [{ state: 'TX', number: 'TX-1', expirationDate: addDays(testToday(), 400) }];
  const taken = { ...producer, npn: '77001', licenses, address: address(holder.street) };
  const { id: producerId } = bodyOf(await admin.post('/v1/producers', taken), 201);
  await received(platform, fromVerifier(verifiedAs(producerId)));
  const agentId = 'usr_agent-of-the-story';
  bodyOf(await admin.put(`/v1/producers/${producerId}/members/${agentId}`));
  const { id: submissionId } = bodyOf(await admin.post('/v1/submissions', risk({ producerId })), 201);
  const opened = { submissionId, name: message, participants: [{ userId: agentId }] };
  const { id: roomId } = bodyOf(await admin.post('/v1/deal-rooms', opened), 201);
  bodyOf(await admin.post(`/v1/deal-rooms/${roomId}/messages`, { body: message }), 201);
  const wanted = { ...holder, address: address(holder.street), street: undefined };
  const certificate = bodyOf(await admin.post('/v1/coi/generate', { policyId, holder: wanted }), 201);
  const envelope = { documentId: certificate.documentId, signers: [signer], policyId };
  const { id: envelopeId } = bodyOf(await admin.post('/v1/envelopes', envelope), 201);
  const externalId = await eventually(() => [...room.documents.keys()][0], { what: 'the document to be sent out' });
  if ((await room.happen(externalId, 'Completed')) !== 200) throw new Error('the event of the signing was refused');
  await eventually(async () => bodyOf(await admin.get(`/v1/envelopes/${envelopeId}`)).signedDocumentId !== null, {
    what: 'the signed document',
  });
  const bounced = mailEvent('email.bounced', 'mail-1', PERSONAL.insuredEmail, { subject: PERSONAL.insuredName });
  await received(platform, fromMailer(bounced));
  await insuredAtThePortal(platform, { orgId, policyId });
}

/** The insured signs in, has moved, and reports another loss. */
async function insuredAtThePortal(platform: Platform, { orgId, policyId }: Pick<Story, 'orgId' | 'policyId'>) {
  const insured = await platform.as({ role: 'policyholder', org: orgId, sub: policyId });
  const { policyNumber } = bodyOf(await insured.get(`/v1/portal/policies/${policyId}`));
  bodyOf(await insured.post('/auth/policyholder-otp-request', { policyNumber }));
  const { phone, street } = AROUND.moved;
  bodyOf(await insured.put('/v1/portal/profile', { phone, address: address(street) }));
  const lossDate = addDays(testToday(), 11);
  bodyOf(await insured.post('/v1/portal/claims', { policyId, lossDate, description: LOSS.description }), 201);
}

/** Pays one claim and denies another; then the carrier cancels, and the insured gets e-mail about it. */
export async function endOf({ admin, policyId, claimId }: Story, isMailSent: () => boolean): Promise<void> {
  const path = `/v1/claims/${claimId}`;
  const { message, payee } = AROUND;
  bodyOf(await admin.post(`${path}/investigate`, { adjusterId: 'usr_adjuster' }));
  bodyOf(await admin.post(`${path}/reserves`, { indemnity: 9_000, expense: 500, reason: message }), 201);
  bodyOf(await admin.post(`${path}/payments`, { kind: 'indemnity', amount: 400, payee }), 201);
  const other = { ...LOSS, policyId, lossDate: addDays(testToday(), 12), containsPhi: true };
  const { id } = bodyOf(await admin.post('/v1/claims', other), 201);
  bodyOf(await admin.post(`/v1/claims/${id}/deny`, { reason: LOSS.description }));
  const effectiveDate = addDays(testToday(), 70);
  bodyOf(await admin.post(`/v1/policies/${policyId}/cancel`, { effectiveDate, reason: 'underwriting' }), 201);
  await eventually(isMailSent, { what: 'the mail' });
  await admin.post('/v1/test-clock', { advanceTo: addDays(effectiveDate, 1) });
  const isCancelled = async () => bodyOf(await admin.get(`/v1/policies/${policyId}`)).status === 'cancelled';
  await eventually(isCancelled, { what: 'the cancellation' });
}

/** As the verifier sends it: with the person's name. */
function verifiedAs(producerId: string) {
  const event = inquiryEvent(producerId);
  Object.assign(event.data.attributes.payload.data.attributes, { 'name-first': AROUND.producer.name });
  return event;
}

async function received({ machine }: Platform, { path, body, headers }: SignedRequest): Promise<void> {
  const { status, text } = await machine.send('POST', path, body, { headers });
  if (status !== 200) throw new Error(`${path} was answered with ${status}: ${text}`);
}
