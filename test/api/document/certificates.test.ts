// Certificates of insurance over time: what they say about a policy that ends, which ones they replace, and how they
// are numbered.
import test from 'ava';
import { pino } from 'pino';
import { documentWorkflowId } from '../../../contracts/machinery/start.ts';
import { addDays, dayText } from '../../../domain/dates.ts';
import type { TestClient } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { testToday } from '../../support/fixed/today.ts';
import { templateForm } from '../../support/forms/template-forms.ts';
import { bodyOf, bound, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import { picturesOf, readQrCode } from '../../support/printing/pictures.ts';
import { startPress } from '../../support/printing/press.ts';
import { textOf } from '../../support/printing/text-of.ts';
import type { Platform } from '../../support/run-platform.ts';
import { type Insured, insured, pay } from '../policy/policy-calls.ts';

const TODAY = testToday();
const HOLDER = {
  name: 'Harbor Landlord LLC',
  address: { line1: '9 Pier Road', city: 'Austin', state: 'TX', postalCode: '78701' },
};

let platform: Platform;

const warnings: string[] = [];
/** Waits before a printed page is stored. */
let held = async () => {};

test.before('a platform that prints', async (t) => {
  const press = startPress();
  const render: typeof press.render = async (...page) => {
    const printed = await press.render(...page);
    await held();
    return printed;
  };
  const pdf = { render, isReady: true, refusedRequests: 0, close: press.close };
  platform = await startCheckedPlatform(t, {
    pdf,
    logger: pino({ level: 'warn' }, { write: (line) => warnings.push(line) }),
  });
});

const certify = (client: TestClient, policyId: string, changes: object = {}) =>
  client.post('/v1/coi/generate', { policyId, holder: HOLDER, ...changes });

const standing = async ({ certificateNumber }: { certificateNumber: string }) =>
  bodyOf(await platform.anonymous.get(`/v1/coi/${certificateNumber}/verify`)).status;

async function downloaded({ downloadUrl }: { downloadUrl: string }): Promise<Buffer> {
  const answer = await fetch(`${platform.url}${new URL(downloadUrl).pathname}`);
  return Buffer.from(await answer.arrayBuffer());
}

const printed = async (issued: { downloadUrl: string }) => textOf(await downloaded(issued));

/** The workflow that makes a document and sends the e-mails that go with it. */
const workflowOf = ({ house }: Insured, documentId: string) =>
  platform.temporal.client.workflow.getHandle(documentWorkflowId(house.orgId, documentId));

test('a certificate names the policy, its days, the insurer and the work, gives no rights, and counts its revisions', async (t) => {
  const { client, policyId } = await insured(platform, 'PAY_IN_FULL', { effectiveDate: TODAY });
  const { policyNumber, expirationDate } = bodyOf(await client.get(`/v1/policies/${policyId}`));
  const description = 'Snow removal at 9 Pier Road';
  const text = await printed(bodyOf(await certify(client, policyId, { description }), 201));
  const says = [
    ...[policyNumber, dayText(TODAY), dayText(expirationDate), description],
    'gives the certificate holder no rights',
    'notice will be given in accordance with the policy provisions',
  ];
  for (const part of says) t.true(text.includes(part), part);
  t.regex(text, /A: \S+/);
  t.regex(text, /REVISION 1\b/);
  // Neither an additional insured nor a waiver of subrogation.
  t.regex(text, /Occurrence\s+N\s+N\s/);
  t.regex(await printed(bodyOf(await certify(client, policyId, { description }), 201)), /REVISION 2\b/);
});

test('a certificate names the producer with their address and telephone number', async (t) => {
  const house = await newHouse(platform);
  const producerId = await house.addProducer('Lone Star Agency');
  const contact = { phone: '+1 512 555 0100', address: { ...HOLDER.address, line1: '5 Oak Lane' } };
  bodyOf(await house.as('org_admin').patch(`/v1/producers/${producerId}`, contact));
  const underwriter = house.as('underwriter');
  const { policyId } = await bound(underwriter, { effectiveDate: TODAY, producerId });
  const text = (await printed(bodyOf(await certify(underwriter, policyId), 201))).replaceAll(/\s+/g, ' ');
  for (const part of ['Lone Star Agency', '5 Oak Lane', '512', '555']) t.true(text.includes(part), part);
});

test('an endorsement dated ahead is not on a certificate before its day, and supersedes it on that day', async (t) => {
  const policy = await insured(platform, 'PAY_IN_FULL', { effectiveDate: TODAY });
  await pay(policy);
  const day = addDays(TODAY, 20);
  bodyOf(await policy.change('endorse', { effectiveDate: day, changes: { requestedLimit: 500_000 } }), 201);
  const first = bodyOf(await certify(policy.client, policy.policyId), 201);
  t.true((await printed(first)).includes('$1,000,000'));
  await policy.advance(day);
  t.is(await standing(first), 'superseded');
  const text = await printed(bodyOf(await certify(policy.client, policy.policyId), 201));
  t.true(text.includes('$500,000'));
  t.false(text.includes('$2,000,000'), 'the aggregate limit has followed');
});

test('a certificate of a policy under notice says when coverage ends: on the day of the cancellation that stands', async (t) => {
  const policy = await insured(platform);
  const day = (days: number) => addDays(policy.effectiveDate, days);
  await policy.advance(day(12));
  const endOn = async () => {
    const text = await printed(bodyOf(await certify(policy.client, policy.policyId), 201));
    t.regex(text, /Notice of cancellation has been given. Unless it is withdrawn, coverage ends/);
    t.notRegex(text, /has been cancelled/);
    return /coverage ends at 12:01 a\.m\. on (.*?\d{4})\./.exec(text)?.[1];
  };
  t.is((await policy.read()).cancellation.effectiveDate, day(21));
  // A later one waits behind the notice for nonpayment, and takes effect once the debt is paid.
  bodyOf(await policy.change('cancel', { effectiveDate: day(60), reason: 'insured_request' }), 201);
  t.is(await endOn(), dayText(day(21)));
  const holder = { ...HOLDER, name: 'Another landlord' };
  const other = bodyOf(await certify(policy.client, policy.policyId, { holder }), 201);
  t.is(await standing(other), 'valid');
  await pay(policy);
  const isPaid = async () => (await policy.read()).cancellation.effectiveDate === day(60);
  await eventually(isPaid, { what: 'the cancellation that waited' });
  t.is(await standing(other), 'superseded', 'it names a day that no longer stands');
  t.is(await endOn(), dayText(day(60)));
  const last = bodyOf(await certify(policy.client, policy.policyId, { holder }), 201);
  bodyOf(await policy.change('reinstate', {}), 201);
  t.is(await standing(last), 'superseded', 'the notice on it was withdrawn');
});

test('a certificate names the days without coverage before a reinstatement, and supersedes those that do not', async (t) => {
  const policy = await insured(platform, 'PAY_IN_FULL', { effectiveDate: TODAY });
  await pay(policy);
  const first = bodyOf(await certify(policy.client, policy.policyId), 201);
  t.false((await printed(first)).includes('There was no coverage'));
  const [ended, again] = [addDays(TODAY, 10), addDays(TODAY, 25)];
  bodyOf(await policy.change('cancel', { effectiveDate: ended, reason: 'insured_request' }), 201);
  await policy.advance(again);
  t.is(await standing(first), 'cancelled');
  bodyOf(await policy.change('reinstate', { effectiveDate: again }), 201);
  t.is(await standing(first), 'superseded', 'it says that the coverage was continuous');
  const holder = { ...HOLDER, name: 'Another landlord' };
  const second = bodyOf(await certify(policy.client, policy.policyId, { holder }), 201);
  const gap = `There was no coverage from 12:01 a.m. on ${dayText(ended)} to 12:01 a.m. on ${dayText(again)}.`;
  t.true((await printed(second)).replaceAll(/\s+/g, ' ').includes(gap));
  t.is(await standing(second), 'valid');
});

test('a certificate is superseded once the insured has another address, and cancelled once the policy is', async (t) => {
  const insuredAddress = { line1: '1 Main St', city: 'Austin', state: 'TX', postalCode: '78701' };
  const policy = await insured(platform, 'PAY_IN_FULL', { effectiveDate: TODAY, insuredAddress });
  const first = bodyOf(await certify(policy.client, policy.policyId), 201);
  t.is(await standing(first), 'valid');
  const typed = first.certificateNumber.toLowerCase();
  t.is(await standing({ certificateNumber: typed }), 'valid', 'a number that someone has typed');
  const changes = { insuredAddress: { ...insuredAddress, line1: '2 Main St' } };
  bodyOf(await policy.change('endorse', { effectiveDate: TODAY, changes }), 201);
  t.is(await standing(first), 'superseded');
  bodyOf(await policy.change('cancel', { effectiveDate: TODAY, reason: 'insured_request' }), 201);
  t.is(await standing(first), 'cancelled', 'no other one has replaced it');
});

test('a certificate takes the place of the last one that was printed, past one that could not be', async (t) => {
  const policy = await insured(platform, 'PAY_IN_FULL', { effectiveDate: TODAY });
  const { client, policyId, house } = policy;
  const email = `holder-${policyId}@example.com`;
  const wish = { holder: { ...HOLDER, email }, notifyHolder: true };
  const first = bodyOf(await certify(client, policyId, wish), 201);
  const put = async (body: object) =>
    bodyOf(await house.as('org_admin').put('/v1/document-templates/certificate', body));
  const contentBase64 = Buffer.from(await (await templateForm()).save()).toString('base64');
  const form = { contentBase64, fileName: 'form-12.pdf', contentType: 'application/pdf' };
  const { id: documentId } = bodyOf(await house.as('org_admin').post('/v1/documents/ingest', form), 201);
  await put({ documentId, fields: { 'Holder.Name': 'บริษัท' } });
  t.is(bodyOf(await certify(client, policyId, wish), 422).error, 'document_not_applicable');
  const copied = await client.post('/v1/documents/render-pdf', { templateId: 'certificate', data: {} });
  t.like(bodyOf(copied, 422), { error: 'document_not_applicable', details: { field: 'templateId' } }, 'no specimen');
  t.is(await standing(first), 'valid');
  await put({ html: '<p>{{ certificate.number }}</p>' });
  const second = bodyOf(await certify(client, policyId, wish), 201);
  t.is(await standing(first), 'superseded');
  t.is(await standing(second), 'valid');
  t.is(second.supersedes, first.id);
  const { data } = bodyOf(await client.get('/v1/certificates', { query: { policyId } }));
  const named = data.map((each: Record<string, string>) => [each.id, each.supersedes, each.supersededBy]);
  t.deepEqual(named, [
    [second.id, first.id, null],
    [first.id, null, second.id],
  ]);
  const document = bodyOf(await client.get(`/v1/documents/${second.documentId}`));
  t.deepEqual([document.version, document.supersedes], [2, first.documentId]);
  await workflowOf(policy, second.documentId).result();
  const subjects = platform.providers.mails.filter(({ to }) => to === email).map(({ subject }) => subject);
  t.deepEqual(subjects, [`Certificate replaced: certificate ${first.certificateNumber}`]);
});

test.serial(
  'two certificates for one holder that are printed at the same time are both made, and the newer stands',
  async (t) => {
    const policy = await insured(platform);
    await policy.advance(policy.effectiveDate);
    const first = bodyOf(await certify(policy.client, policy.policyId), 201);
    const both = Promise.withResolvers<void>();
    let printed = 0;
    held = async () => {
      printed += 1;
      if (printed === 2) both.resolve();
      await both.promise;
    };
    const made = await Promise.all([1, 2].map(() => certify(policy.client, policy.policyId)));
    held = async () => {};
    for (const each of made) bodyOf(each, 201);
    t.deepEqual(warnings, [], 'neither was made twice');
    const listed = await policy.client.get('/v1/certificates', { query: { policyId: policy.policyId } });
    const rows: { id: string; supersedes: string | null; status: string }[] = bodyOf(listed).data;
    const replacing = (id: string | null) => rows.find(({ supersedes }) => supersedes === id);
    const older = replacing(first.id);
    const newer = replacing(older?.id ?? '');
    t.is(rows.length, 3);
    t.deepEqual([replacing(null)?.status, older?.status, newer?.status], ['superseded', 'superseded', 'valid']);
  },
);

test('one name at two addresses is two holders, and one address is the same however it is written', async (t) => {
  const { client, policyId } = await insured(platform, 'PAY_IN_FULL', { effectiveDate: TODAY });
  const at = async (address: unknown) =>
    bodyOf(await certify(client, policyId, { holder: { ...HOLDER, address } }), 201);
  const austin = await at(HOLDER.address);
  const dallas = await at({ line1: '2 Elm Street', city: 'Dallas', state: 'TX', postalCode: '75201' });
  t.deepEqual([await standing(austin), await standing(dallas)], ['valid', 'valid']);
  const again = await at('9 PIER ROAD\nAustin, \r\nTX  78701\n');
  const { data } = bodyOf(await client.get('/v1/certificates', { query: { policyId } }));
  t.is(data[0].holder.address, '9 PIER ROAD, Austin, TX  78701', 'line breaks become commas');
  const endless = await certify(client, policyId, {
    holder: { ...HOLDER, address: `9${' '.repeat(500_000)}Pier Road` },
  });
  t.like(endless, { status: 400, body: { details: { field: 'holder.address' } } });
  t.deepEqual(
    [await standing(austin), await standing(dallas), await standing(again)],
    ['superseded', 'valid', 'valid'],
  );
});

test('a holder is notified of a cancellation once, even when endorsements issue it again', async (t) => {
  const policy = await insured(platform, 'PAY_IN_FULL', { effectiveDate: TODAY });
  const holder = { ...HOLDER, email: `landlord-${policy.policyId}@example.com` };
  const { certificateNumber } = bodyOf(
    await certify(policy.client, policy.policyId, { holder, notifyHolder: true }),
    201,
  );
  const day = addDays(TODAY, 40);
  bodyOf(await policy.change('cancel', { effectiveDate: day, reason: 'insured_request' }), 201);
  for (const deductible of [2_500, 5_000]) {
    bodyOf(await policy.change('endorse', { effectiveDate: TODAY, changes: { deductible } }), 201);
  }
  const notices = (await policy.timeline()).filter(({ type }: { type: string }) => type === 'cancellation');
  t.is(notices.length, 3);
  for (const { documentId } of notices) {
    const isMade = async () => (await policy.client.get(`/v1/documents/${documentId}`)).status === 200;
    await eventually(isMade, { what: 'the notice' });
    await workflowOf(policy, documentId).result();
  }
  const received = platform.providers.mails.filter(({ to }) => to === holder.email);
  t.deepEqual(
    received.map(({ subject }) => subject),
    [`Policy cancelled: certificate ${certificateNumber}`],
  );
  t.true(received[0]?.text.includes(`Coverage ends at 12:01 a.m. on ${dayText(day)}.`));
});

test('certificates are counted by organization, and each shows the address at which its number is checked, also as a QR code', async (t) => {
  const pattern = new RegExp(`^COI-${TODAY.slice(0, 4)}-(\\d{6})-`);
  for (const _organization of ['first', 'second']) {
    const { client, policyId } = await insured(platform, 'PAY_IN_FULL', { effectiveDate: TODAY });
    const [one, two] = [bodyOf(await certify(client, policyId), 201), bodyOf(await certify(client, policyId), 201)];
    const counts = [one, two].map(({ certificateNumber }) => pattern.exec(certificateNumber)?.[1]);
    t.deepEqual(counts, ['000001', '000002']);
    const address = `${platform.config.baseUrl}/v1/coi/${two.certificateNumber}/verify`;
    const bytes = await downloaded(two);
    const text = (await textOf(bytes)).replaceAll(/\s/g, '');
    t.true(text.includes(address), text);
    const [picture] = await picturesOf(bytes, 'certificate');
    t.is(picture && readQrCode(picture), address);
  }
});

test('the count of certificates starts again at one with each year of the business date', async (t) => {
  // A term that begins on January 1 ends as the next year begins.
  const policy = await insured(platform, 'PAY_IN_FULL', {
    effectiveDate: addDays(TODAY, TODAY.endsWith('12-22') ? 11 : 10),
  });
  await pay(policy);
  await policy.advance(policy.effectiveDate);
  const year = Number(policy.effectiveDate.slice(0, 4));
  const issue = async () => bodyOf(await certify(policy.client, policy.policyId), 201).certificateNumber.slice(0, 15);
  t.deepEqual([await issue(), await issue()], [`COI-${year}-000001`, `COI-${year}-000002`]);
  await policy.advance(`${year + 1}-01-01`);
  t.deepEqual([await issue(), await issue()], [`COI-${year + 1}-000001`, `COI-${year + 1}-000002`]);
});

test('a policy whose term is over gets no certificate, and one that it had has expired', async (t) => {
  const policy = await insured(platform, 'PAY_IN_FULL');
  await pay(policy);
  await policy.advance(policy.effectiveDate);
  const issued = bodyOf(await certify(policy.client, policy.policyId), 201);
  bodyOf(await policy.change('non-renew', { reason: 'loss_ratio above 80%' }));
  await policy.advance(policy.expirationDate);
  const { error, details } = bodyOf(await certify(policy.client, policy.policyId), 422);
  t.deepEqual([error, details.status], ['document_not_applicable', 'expired']);
  t.is(await standing(issued), 'expired');
});
