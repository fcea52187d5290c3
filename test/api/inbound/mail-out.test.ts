// Notices through the email provider: the id that it gives to an e-mail is how its events find the notice. No
// e-signature provider is set up here.
import test from 'ava';
import { addDays } from '../../../domain/dates.ts';
import { createMail } from '../../../providers/mail.ts';
import { createSigningService } from '../../../providers/signing/boldsign.ts';
import { type LocalEmailProvider, startEmailProvider } from '../../../stand-ins/email-provider/server.ts';
import { eventually } from '../../support/eventually.ts';
import { bodyOf, bound, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { INBOUND_VARIABLES } from '../../support/servers/providers.ts';
import { keptDocument } from '../signing/kept-document.ts';

const KEY = 're_key-of-the-tests-0123456789';

let platform: Platform;
let provider: LocalEmailProvider;

test.before('a platform that sends mail through the provider', async (t) => {
  const webhookSecret = INBOUND_VARIABLES.EMAIL_PROVIDER_WEBHOOK_SECRET;
  provider = await startEmailProvider({ apiKey: KEY, webhookSecret });
  const emailProvider = { apiKey: KEY, baseUrl: provider.url };
  const mail = createMail({ smtpUrl: null, emailProvider, mailFrom: 'no-reply@bindery.test', dataDir: '' });
  const signing = createSigningService({ apiKey: null, baseUrl: 'https://api.boldsign.com', provider: 'boldsign' });
  platform = await startCheckedPlatform(t, { mail, signing });
  provider.deliverTo(`${platform.url}/v1/webhooks/resend`);
});

test.after.always('the provider is stopped', () => provider?.close());

test('the events of the provider find the notice that it sent, and a bounce ends mail to the address', async (t) => {
  const house = await newHouse(platform);
  const underwriter = house.as('underwriter');
  const insuredEmail = `out-${Date.now()}@example.test`;
  const { policyId } = await bound(underwriter, { insuredEmail });
  const policy = async () => bodyOf(await underwriter.get(`/v1/policies/${policyId}`));
  const day = addDays((await policy()).effectiveDate, 60);
  const order = { reason: 'underwriting', source: 'carrier', effectiveDate: day };
  bodyOf(await underwriter.post(`/v1/policies/${policyId}/cancel`, order), 201);
  const notice = async () => bodyOf(await underwriter.get(`/v1/policies/${policyId}/notices`)).data[0];
  const { messageId } = await eventually(notice, { what: 'the notice' });
  const sent = [...provider.emails.values()].filter(({ to }) => to.includes(insuredEmail));
  t.is(sent.length, 1);
  const [{ id, headers }] = sent as [(typeof sent)[0]];
  t.is(headers['Message-ID'], `<${messageId}>`);
  for (const type of ['email.sent', 'email.delivered', 'email.opened'] as const) {
    t.is(await provider.happen(id, type), 200, type);
  }
  const isRead = async () => {
    const { deliveredAt, openedAt } = await notice();
    return deliveredAt !== null && openedAt !== null;
  };
  await eventually(isRead, { what: 'both reports' });
  t.false((await policy()).contact.undeliverable);
  t.is(await provider.happen(id, 'email.bounced'), 200);
  await eventually(async () => (await policy()).contact.undeliverable, { what: 'the address to be known' });
});

test('without an e-signature provider an envelope is refused without delay, and is void: nothing goes out later', async (t) => {
  const house = await newHouse(platform);
  const admin = house.as('org_admin');
  const documentId = await keptDocument(platform, house.orgId);
  const signers = [{ name: 'Ann Signer', email: 'ann@signer.test' }];
  const refused = await admin.post('/v1/envelopes', { documentId, signers });
  t.like(refused, { status: 503, body: { error: 'service_unavailable' } });
  t.regex(refused.body.message, /e-signature provider is not set up/);
  const [envelope] = bodyOf(await admin.get('/v1/envelopes', { query: { documentId } })).data;
  t.like(envelope, { status: 'voided', voidReason: 'No e-signature provider is set up.', externalId: null });
});
