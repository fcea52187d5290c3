// What events of the identity verifier and the email provider lead to, from the request to the row, and what is
// started at the verifier.
import test from 'ava';
import { emailEventWorkflowId, inboundWorkflowId } from '../../../contracts/machinery/start.ts';
import { Producer } from '../../../db/entities/distribution/producer.ts';
import { newId } from '../../../db/ids.ts';
import { PLATFORM_SCOPE } from '../../../db/scope.ts';
import { addDays } from '../../../domain/dates.ts';
import { eventually } from '../../support/eventually.ts';
import { bodyOf, bound, type House, newHouse } from '../../support/house.ts';
import { fromMailer, fromVerifier, inquiryEvent, mailEvent } from '../../support/inbound-events.ts';
import { filings } from '../distribution/producer-calls.ts';
import { house, platform, RECEIVED, recorded, send } from './house-with-providers.ts';

async function addProducer(status: 'pending' | 'suspended' | 'terminated'): Promise<string> {
  const id = newId('producer');
  await platform.database.transaction(house.orgId, async (em) => {
    em.create(Producer, { id, name: 'Lone Star', status }, { persist: true });
  });
  return id;
}

const producer = (id: string) => platform.database.forOrg(house.orgId, (em) => em.findOneOrFail(Producer, { id }));

test('a completed inquiry makes a producer active from any status', async (t) => {
  for (const before of ['pending', 'suspended', 'terminated'] as const) {
    const id = await addProducer(before);
    const event = inquiryEvent(id);
    const answer = await send(fromVerifier(event));
    t.deepEqual([answer.status, answer.body], [200, RECEIVED], answer.text);
    const { status, identity } = await producer(id);
    t.is(status, 'active');
    const verified = { inquiryId: 'inq_2CVZ4HyVg7qaboXz2PUHknAn', completedAt: '2026-11-21T02:19:59.000Z' };
    t.deepEqual(identity, verified);
    const done = platform.temporal.client.workflow.getHandle(inboundWorkflowId('identity-verifier', event.data.id));
    t.is((await done.describe()).status.name, 'COMPLETED');
  }
});

test('the renewals of licenses that a termination took back are on file again once an inquiry makes the producer active', async (t) => {
  const officer = house.as('compliance_officer');
  const license = { state: 'TX', number: 'TX-7', expirationDate: '2090-01-01' };
  const { id } = bodyOf(await officer.post('/v1/producers', { name: 'Lone Star', licenses: [license] }), 201);
  bodyOf(await officer.patch(`/v1/producers/${id}`, { status: 'terminated' }));
  t.is((await send(fromVerifier(inquiryEvent(id)))).status, 200);
  t.deepEqual(await filings(platform, house, id, 'licence_renewal'), [
    ['TX-7', license.expirationDate, 'withdrawn'],
    ['TX-7', license.expirationDate, 'open'],
  ]);
});

test('one of several simultaneous copies of a request is processed, and the others are replays', async (t) => {
  const request = fromVerifier(inquiryEvent(await addProducer('pending')));
  const answers = await Promise.all(Array.from({ length: 8 }, () => send(request)));
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
  t.deepEqual(statuses, [200, ...Array.from({ length: 7 }, () => 409)]);
});

test('a producer has one open inquiry, however many start one', async (t) => {
  const path = `/v1/producers/${await addProducer('pending')}/identity-inquiry`;
  const start = async () => bodyOf(await house.as('org_admin').post(path), 201).inquiryId;
  const started = await Promise.all(Array.from({ length: 6 }, start));
  t.is(new Set([...started, await start()]).size, 1);
});

test('an inquiry that names nobody we know is acknowledged and recorded as nobody’s', async (t) => {
  const event = inquiryEvent(newId('producer'));
  t.deepEqual((await send(fromVerifier(event))).body, RECEIVED);
  t.is((await recorded(PLATFORM_SCOPE, 'identity-verifier', event.data.id))?.outcome, 'unmatched');
});

test('an inquiry is started at the verifier, whose event then makes the producer active', async (t) => {
  const id = await addProducer('pending');
  const admin = house.as('org_admin');
  const { inquiryId, url } = bodyOf(await admin.post(`/v1/producers/${id}/identity-inquiry`), 201);
  t.true(url.startsWith(platform.providers.verifier.url));
  t.deepEqual((await producer(id)).identity, { inquiryId, completedAt: null });
  t.is((await producer(id)).status, 'pending');
  t.is(await platform.providers.verifier.complete(inquiryId), 200);
  t.like(bodyOf(await admin.get(`/v1/producers/${id}`)), { status: 'active', identity: { inquiryId } });
  const again = await admin.post(`/v1/producers/${id}/identity-inquiry`);
  t.is(again.body.error, 'invalid_state_transition', again.text);
  t.is((await house.as('underwriter').post(`/v1/producers/${id}/identity-inquiry`)).status, 403);
});

test('a bounce stops mail of its organization to the address, and mending the address starts it again', async (t) => {
  const insuredEmail = `insured-${Date.now()}@example.test`;
  const [here, there] = [house, await newHouse(platform)];
  const { policyId } = await bound(here.as('underwriter'), { insuredEmail });
  const elsewhere = await bound(there.as('underwriter'), { insuredEmail });
  const contact = async (at: House, id: string) => bodyOf(await at.as('underwriter').get(`/v1/policies/${id}`)).contact;
  t.deepEqual(await contact(here, policyId), { email: insuredEmail, phone: null, undeliverable: false });
  await cancel(policyId);
  await eventually(async () => (await noticesOf(here, policyId)).length === 1, { what: 'the notice' });
  const [{ messageId }] = await noticesOf(here, policyId);
  const emailId = `mail-${messageId}`.replaceAll(/[^\w-]/g, '-');
  const passing = mailEvent('email.bounced', emailId, insuredEmail, { bounce: { type: 'Transient' } });
  const id = `msg_${Date.now()}_passing`;
  t.deepEqual((await send(fromMailer(passing, { id }))).body, RECEIVED);
  await eventually(async () => (await recorded(here.orgId, 'email-provider', id)) !== null, { what: 'the bounce' });
  t.false((await contact(here, policyId)).undeliverable);
  t.is((await noticesOf(here, policyId))[0].bouncedAt, null);
  t.is((await send(fromMailer(mailEvent('email.complained', emailId, insuredEmail.toUpperCase())))).status, 200);
  await eventually(async () => (await contact(here, policyId)).undeliverable, { what: 'the address to be known' });
  t.false((await contact(there, elsewhere.policyId)).undeliverable);
  const again = await bound(here.as('underwriter'), { insuredEmail });
  await cancel(again.policyId);
  await eventually(async () => (await noticesOf(here, again.policyId)).length === 1, { what: 'the second notice' });
  const [unsent] = await noticesOf(here, again.policyId);
  t.like(unsent, { kind: 'cancellation', outcome: 'undeliverable', sentAt: null });
  t.is(platform.providers.mails.filter(({ to }) => to === insuredEmail).length, 1);
  t.is((await alertsAbout(here, again.policyId)).length, 1);
  await cancel(elsewhere.policyId, there);
  await eventually(async () => (await noticesOf(there, elsewhere.policyId))[0]?.outcome === 'sent', {
    what: 'its notice',
  });
  bodyOf(await here.as('underwriter').patch(`/v1/policies/${again.policyId}`, { insuredEmail }));
  t.false((await contact(here, policyId)).undeliverable);
});

test('a notice of cancellation for which there is no address is shown, and raises an alert to post it', async (t) => {
  const { policyId } = await bound(house.as('underwriter'), { insuredEmail: undefined });
  await cancel(policyId);
  await eventually(async () => (await noticesOf(house, policyId)).length === 1, { what: 'the notice' });
  const [notice] = await noticesOf(house, policyId);
  t.like(notice, { kind: 'cancellation', outcome: 'no_address', sentAt: null, deliveredAt: null });
  const [alert] = await alertsAbout(house, policyId);
  t.like(alert, { severity: 'critical', requiresManualReview: true, operation: 'notice.not_delivered' });
  t.regex(alert.message, /no e-mail address is on file/);
});

const noticesOf = async (at: House, policyId: string) =>
  bodyOf(await at.as('underwriter').get(`/v1/policies/${policyId}/notices`)).data;

/** `data` of the alerts that name a policy. */
async function alertsAbout(at: House, policyId: string) {
  const query = { type: 'financial.operation_failed', limit: 100 };
  const { data } = bodyOf(await at.as('org_admin').get('/v1/events', { query }));
  return data
    .map((event: { data: unknown }) => event.data)
    .filter((each: { policyId?: string }) => each.policyId === policyId);
}

/** Cancels a policy, and the insured gets notice of it. */
async function cancel(policyId: string, at = house): Promise<void> {
  const underwriter = at.as('underwriter');
  const { effectiveDate } = bodyOf(await underwriter.get(`/v1/policies/${policyId}`));
  const day = addDays(effectiveDate, 60);
  const order = { reason: 'underwriting', source: 'carrier', effectiveDate: day };
  bodyOf(await underwriter.post(`/v1/policies/${policyId}/cancel`, order), 201);
}

test('a notice shows when it was delivered and first opened, and comes back for good', async (t) => {
  const insuredEmail = `opened-${Date.now()}@example.test`;
  const { policyId } = await bound(house.as('underwriter'), { insuredEmail });
  await cancel(policyId);
  const notices = async () => bodyOf(await house.as('underwriter').get(`/v1/policies/${policyId}/notices`)).data;
  await eventually(async () => (await notices()).length === 1, { what: 'the notice' });
  const [{ messageId }] = await notices();
  const emailId = `mail-${messageId}`.replaceAll(/[^\w-]/g, '-');
  t.like((await notices())[0], { kind: 'cancellation', deliveredAt: null, openedAt: null });
  const delivered = mailEvent('email.delivered', emailId, insuredEmail);
  const id = `msg_${Date.now()}_delivered`;
  t.is((await send(fromMailer(delivered, { id }))).status, 200);
  const opened = { ...mailEvent('email.opened', emailId, insuredEmail), created_at: '2026-11-21T03:00:00.000Z' };
  t.is((await send(fromMailer(opened))).status, 200);
  await eventually(async () => (await notices())[0].openedAt !== null && (await notices())[0].deliveredAt !== null, {
    what: 'both reports',
  });
  t.like((await notices())[0], { deliveredAt: '2026-11-21T02:00:00.000Z', openedAt: '2026-11-21T03:00:00.000Z' });
  await t.notThrowsAsync(platform.temporal.client.workflow.getHandle(emailEventWorkflowId(id)).result());
  t.is((await send(fromMailer(mailEvent('email.bounced', emailId, insuredEmail)))).status, 200);
  await eventually(async () => (await notices())[0].bouncedAt !== null, { what: 'the bounce' });
});

/** A policy whose insured was sent notice of its cancellation, and the provider's id for that e-mail. */
async function notified(name: string) {
  const insuredEmail = `${name}-${Date.now()}@example.test`;
  const { policyId } = await bound(house.as('underwriter'), { insuredEmail });
  await cancel(policyId);
  await eventually(async () => (await noticesOf(house, policyId)).length === 1, { what: 'the notice' });
  const [{ messageId }] = await noticesOf(house, policyId);
  const emailId = `mail-${messageId}`.replaceAll(/[^\w-]/g, '-');
  const report = async (type: string, extra: object = {}) => {
    const id = `msg_${Date.now()}_${name}_${type}`;
    await send(fromMailer(mailEvent(type, emailId, insuredEmail, extra), { id }));
    await eventually(async () => (await recorded(house.orgId, 'email-provider', id)) !== null, { what: type });
  };
  const isUndeliverable = async (): Promise<boolean> =>
    bodyOf(await house.as('underwriter').get(`/v1/policies/${policyId}`)).contact.undeliverable;
  return { policyId, insuredEmail, messageId, report, isUndeliverable };
}

test('a notice that bounces for good after a bounce that passed has come back, and has to be posted', async (t) => {
  const { policyId, insuredEmail, report, isUndeliverable } = await notified('twice');
  await report('email.bounced', { bounce: { type: 'Transient' } });
  t.deepEqual([await isUndeliverable(), (await alertsAbout(house, policyId)).length], [false, 0]);
  await report('email.bounced', { bounce: { type: 'Permanent' } });
  t.true(await isUndeliverable());
  const again = await bound(house.as('underwriter'), { insuredEmail });
  await cancel(again.policyId);
  await eventually(async () => (await noticesOf(house, again.policyId)).length === 1, { what: 'the second notice' });
  t.like((await noticesOf(house, again.policyId))[0], { outcome: 'undeliverable', sentAt: null });
  t.is(platform.providers.mails.filter(({ to }) => to === insuredEmail).length, 1);
  t.truthy((await noticesOf(house, policyId))[0].bouncedAt);
  t.like(await alertsAbout(house, policyId), [{ operation: 'notice.not_delivered' }]);
});

test('an event finds a notice by its Message-ID if the provider took it by SMTP', async (t) => {
  const { policyId, messageId, insuredEmail } = await notified('by-smtp');
  for (const [type, header] of [
    ['email.delivered', `<${messageId}>`],
    ['email.opened', messageId],
  ]) {
    const event = mailEvent(type as string, 'an-id-of-the-server', insuredEmail, { message_id: header });
    t.is((await send(fromMailer(event))).status, 200);
  }
  await eventually(async () => (await noticesOf(house, policyId))[0].openedAt !== null, { what: 'the second report' });
  await eventually(async () => (await noticesOf(house, policyId))[0].deliveredAt !== null, { what: 'the first' });
  t.like((await noticesOf(house, policyId))[0], { outcome: 'sent', bouncedAt: null });
});

test('a notice that the provider suppresses or cannot send has to be posted once, and a suppressed address takes no more mail', async (t) => {
  const suppressed = await notified('suppressed');
  await suppressed.report('email.suppressed');
  await suppressed.report('email.failed');
  const failed = await notified('failed');
  await failed.report('email.failed', { failed: { reason: 'reached_daily_quota' } });
  t.deepEqual([await suppressed.isUndeliverable(), await failed.isUndeliverable()], [true, false]);
  const later = await notified('suppressed-later');
  await later.report('email.failed');
  t.false(await later.isUndeliverable());
  await later.report('email.suppressed');
  t.true(await later.isUndeliverable());
  for (const { policyId } of [suppressed, failed]) {
    t.like((await noticesOf(house, policyId))[0], { outcome: 'sent', bouncedAt: null });
    t.truthy((await noticesOf(house, policyId))[0].failedAt);
    const alerts = await alertsAbout(house, policyId);
    t.is(alerts.length, 1);
    t.regex(alerts[0].message, /could not send/);
  }
});
