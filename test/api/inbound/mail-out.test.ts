// Notices through the email provider: its events find the notice by the id that it gave the e-mail. No e-signature
// provider is set up here.
import test from 'ava';
import { addDays } from '../../../domain/dates.ts';
import { createMail } from '../../../providers/mail.ts';
import { createSigningService } from '../../../providers/signing/boldsign.ts';
import { type LocalEmailProvider, startEmailProvider } from '../../../stand-ins/email-provider/server.ts';
import type { TestClient } from '../../support/client.ts';
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

test.serial(
  'the events of the provider find the notice that it sent, and a bounce ends mail to the address',
  async (t) => {
    const house = await newHouse(platform);
    const underwriter = house.as('underwriter');
    const insuredEmail = `out-${Date.now()}@example.test`;
    const { policyId } = await bound(underwriter, { insuredEmail });
    const policy = async () => bodyOf(await underwriter.get(`/v1/policies/${policyId}`));
    await cancel(underwriter, policyId);
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
  },
);

test.serial(
  'a notice of cancellation that the provider refuses for good is undeliverable, and raises an alert to post it',
  async (t) => {
    const house = await newHouse(platform);
    const underwriter = house.as('underwriter');
    const { policyId } = await bound(underwriter, { insuredEmail: 'refused@example.test' });
    provider.failWith(422);
    await cancel(underwriter, policyId);
    const notices = async () => bodyOf(await underwriter.get(`/v1/policies/${policyId}/notices`)).data;
    const [notice] = await eventually(async () => (await notices()).length > 0 && notices(), { what: 'the notice' });
    provider.failWith(null);
    t.like(notice, { kind: 'cancellation', outcome: 'undeliverable', sentAt: null });
    const query = { type: 'financial.operation_failed', limit: 100 };
    const { data: events } = bodyOf(await house.as('org_admin').get('/v1/events', { query }));
    t.like(events, [{ data: { operation: 'notice.not_delivered', policyId } }]);
    t.regex(events[0].data.message, /the mail server refused the e-mail permanently/);
    t.notRegex(JSON.stringify(events), /refused@/);
  },
);

async function cancel(underwriter: TestClient, policyId: string) {
  const { effectiveDate } = bodyOf(await underwriter.get(`/v1/policies/${policyId}`));
  const order = { reason: 'underwriting', source: 'carrier', effectiveDate: addDays(effectiveDate, 60) };
  bodyOf(await underwriter.post(`/v1/policies/${policyId}/cancel`, order), 201);
}

test('an envelope is refused without delay and void without an e-signature provider: nothing goes out later', async (t) => {
  const house = await newHouse(platform);
  const admin = house.as('org_admin');
  const documentId = await keptDocument(platform, house.orgId);
  const signers = [{ name: 'Ann Signer', email: 'ann@signer.test' }];
  const refused = await admin.post('/v1/envelopes', { documentId, signers });
  t.like(refused, { status: 503, body: { error: 'service_unavailable' } });
  t.is(refused.body.message, 'No e-signature provider is set up here.');
  t.is(refused.headers.get('retry-after'), null, 'waiting does not help');
  const [envelope] = bodyOf(await admin.get('/v1/envelopes', { query: { documentId } })).data;
  t.like(envelope, { status: 'voided', voidReason: 'No e-signature provider is set up.', externalId: null });
});
