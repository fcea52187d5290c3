// Documents sent out for signature: what is ordered from the e-signature provider, and what its events lead to.
import test from 'ava';
import { SigningEnvelope } from '../../../db/entities/signing/signing-envelope.ts';
import { newId } from '../../../db/ids.ts';
import { addRow } from '../../../db/new-rows.ts';
import { addDays } from '../../../domain/dates.ts';
import { eventually } from '../../support/eventually.ts';
import { allPages, bodyOf, bound, newHouse, submit } from '../../support/house.ts';
import { fromBoldSign, fromDocuSign, fromGeneric } from '../../support/inbound-events.ts';
import { house, platform, RECEIVED, recorded, send } from '../inbound/house-with-providers.ts';
import { KEPT_PDF, keptDocument } from './kept-document.ts';

const aDocument = ({ orgId } = house) => keptDocument(platform, orgId);

const signers = [{ name: 'Ann Signer', email: 'ann@signer.test' }];
const envelope = async (id: string, at = house) => bodyOf(await at.as('org_admin').get(`/v1/envelopes/${id}`));

async function create(at = house, extra: object = {}) {
  const documentId = await aDocument(at);
  return bodyOf(await at.as('org_admin').post('/v1/envelopes', { documentId, signers, ...extra }), 201);
}

const atProvider = (externalId: string) => {
  const document = platform.providers.signingRoom.documents.get(externalId);
  if (document === undefined) throw new Error('The provider has no such document');
  return document;
};

/** Everyone has signed, but the provider's event has not reached us. */
const signedUnheard = (externalId: string) => {
  atProvider(externalId).status = 'Completed';
};

/** Who gave an envelope each status, oldest first. */
async function moves(id: string, at = house): Promise<string[][]> {
  const audit = (await allPages(at.as('org_admin'), '/v1/audit', { entity: id })) as unknown as {
    action: string;
    actor: { id: string };
  }[];
  return audit.map(({ action, actor }) => [action, actor.id]).toReversed();
}

test('a document goes to its signers, and the signed file comes back as a document', async (t) => {
  const { signingRoom } = platform.providers;
  const { id, externalId, status } = await create();
  t.is(status, 'sent');
  t.like(signingRoom.documents.get(externalId), { title: 'contract.pdf', signers, metaData: { envelopeId: id } });
  t.is(await signingRoom.happen(externalId, 'Viewed'), 200);
  t.is((await envelope(id)).status, 'viewed');
  t.is(await signingRoom.happen(externalId, 'Completed'), 200);
  await eventually(async () => (await envelope(id)).signedDocumentId !== null, { what: 'the signed file' });
  const { signedDocumentId, completedAt } = await envelope(id);
  t.truthy(completedAt);
  const signed = bodyOf(await house.as('org_admin').get(`/v1/documents/${signedDocumentId}`));
  t.like(signed, { kind: 'signed_document', fileName: 'signed-contract.pdf' });
  t.is(signed.size > KEPT_PDF.length, true);
  // Late and out of order: recorded, with no effect.
  const late = fromBoldSign('Viewed', externalId);
  t.is((await send(late)).status, 200);
  const { event } = JSON.parse(late.body) as { event: { id: string } };
  t.is((await recorded(house.orgId, 'e-signature', event.id))?.outcome, 'ignored');
  t.is((await envelope(id)).status, 'completed');
});

test('each event of the specification gives an envelope its status', async (t) => {
  for (const [event, status] of [
    ['DOCUMENT_OPENED', 'viewed'],
    ['DOCUMENT_SENT', 'sent'],
    ['DOCUMENT_COMPLETED', 'completed'],
    ['DOCUMENT_SIGNED', 'completed'],
    ['DOCUMENT_REJECTED', 'declined'],
    ['DOCUMENT_DECLINED', 'declined'],
    ['DOCUMENT_CANCELLED', 'voided'],
    ['DOCUMENT_VOIDED', 'voided'],
    ['DOCUMENT_EXPIRED', 'expired'],
  ] as const) {
    const { id, externalId } = await create();
    // Created, it is sent: only another status shows that the event sets it.
    if (status === 'sent') t.is((await send(fromGeneric('DOCUMENT_OPENED', externalId))).status, 200);
    const answer = await send(fromGeneric(event, externalId));
    t.deepEqual([answer.status, answer.body], [200, RECEIVED], event);
    const { completedAt, ...shown } = await envelope(id);
    t.is(shown.status, status, event);
    t.is(completedAt !== null, status === 'completed', event);
  }
  t.is((await send(fromGeneric('DOCUMENT_OPENED', 'nobodys'))).status, 200);
});

test('an envelope that has ended stays as it is, whatever is reported later', async (t) => {
  for (const [first, status] of [
    [(externalId: string) => fromDocuSign('envelope-declined', externalId), 'declined'],
    [(externalId: string) => fromDocuSign('envelope-voided', externalId), 'voided'],
    [(externalId: string) => fromGeneric('RECIPIENT_EXPIRED', externalId), 'expired'],
  ] as const) {
    const { id, externalId } = await create();
    t.is((await send(first(externalId))).status, 200);
    const ended = await envelope(id);
    t.is(ended.status, status);
    for (const late of ['Completed', 'Viewed']) {
      const request = fromBoldSign(late, externalId);
      t.is((await send(request)).status, 200);
      const { event: sent } = JSON.parse(request.body) as { event: { id: string } };
      t.is((await recorded(house.orgId, 'e-signature', sent.id))?.outcome, 'ignored', `${status}, ${late}`);
      t.deepEqual(await envelope(id), ended, `${status}, ${late}`);
    }
  }
});

test('an envelope can be called back until it has ended', async (t) => {
  const { id, externalId } = await create();
  const admin = house.as('org_admin');
  const voided = bodyOf(await admin.post(`/v1/envelopes/${id}/void`, { reason: 'Wrong document.' }));
  t.like(voided, { status: 'voided', voidReason: 'Wrong document.' });
  t.is(platform.providers.signingRoom.documents.get(externalId)?.status, 'Revoked');
  const again = await admin.post(`/v1/envelopes/${id}/void`, { reason: 'Once more.' });
  t.deepEqual([again.status, again.body.error], [422, 'invalid_state_transition']);
  const { data } = bodyOf(await admin.get('/v1/envelopes', { query: { status: 'voided', limit: 100 } }));
  t.true(data.some((each: { id: string }) => each.id === id));
});

test('signers are reminded every week, and after thirty days the envelope has expired', async (t) => {
  const alone = await newHouse(platform);
  const { id, externalId, expiresOn } = await create(alone);
  const admin = alone.as('org_admin');
  const { date } = bodyOf(await admin.get('/v1/test-clock'));
  t.is(expiresOn, addDays(date, 30));
  bodyOf(await admin.post('/v1/test-clock', { advanceTo: addDays(date, 8) }));
  t.is(platform.providers.signingRoom.documents.get(externalId)?.reminders, 1);
  bodyOf(await admin.post('/v1/test-clock', { advanceTo: addDays(date, 31) }));
  t.is((await envelope(id, alone)).status, 'expired');
  const document = platform.providers.signingRoom.documents.get(externalId);
  t.like(document, { status: 'Revoked', reminders: 4 });
});

test('only a document that its sender can read goes out, to people with an address', async (t) => {
  const admin = house.as('org_admin');
  const documentId = newId('document');
  const unknown = await admin.post('/v1/envelopes', { documentId, signers });
  t.like(unknown.body, { error: 'validation_failed', details: { field: 'documentId', rule: 'unknown_reference' } });
  const nobody = await admin.post('/v1/envelopes', { documentId: await aDocument(), signers: [] });
  t.is(nobody.status, 400);
  t.is((await house.as('claims_adjuster').post('/v1/envelopes', { documentId, signers })).status, 403);
});

test('an envelope shows the policy, submission and appointment it is about, and is found by each', async (t) => {
  const alone = await newHouse(platform);
  const admin = alone.as('org_admin');
  const submission = await submit(alone.as('underwriter'));
  const { policyId } = await bound(alone.as('underwriter'));
  const appointments = bodyOf(await admin.get(`/v1/producers/${await alone.addProducer()}/appointments`));
  const about = { policyId, submissionId: submission.id, appointmentId: appointments.data[0].id };
  const none = { policyId: null, submissionId: null, appointmentId: null };
  t.like(await create(alone), none);
  const all = await create(alone, about);
  t.like(all, about);
  const ids = async (query: object) => (await allPages(admin, '/v1/envelopes', { ...query })).map(({ id }) => id);
  for (const [name, id] of Object.entries(about)) {
    const only = await create(alone, { [name]: id });
    t.like(await envelope(only.id, alone), { ...none, [name]: id });
    t.deepEqual(await ids({ [name]: id }), [only.id, all.id], name);
    t.deepEqual(await ids({ [name]: newId(name.replace('Id', '') as 'policy') }), [], name);
  }
});

test('a document that is signed already is not void: its envelope is completed, and the signed file is fetched', async (t) => {
  const { id, externalId } = await create();
  signedUnheard(externalId);
  const refused = await house.as('org_admin').post(`/v1/envelopes/${id}/void`, { reason: 'Too late.' });
  t.like(refused, { status: 422, body: { error: 'invalid_state_transition', details: { from: 'completed' } } });
  await eventually(async () => (await envelope(id)).signedDocumentId !== null, { what: 'the signed file' });
  t.like(await envelope(id), { status: 'completed', voidReason: null });
  t.is(atProvider(externalId).status, 'Completed');
});

test('the next reminder, or at the latest the expiry, completes an envelope that was signed unheard', async (t) => {
  const alone = await newHouse(platform);
  const admin = alone.as('org_admin');
  const [early, late] = [await create(alone), await create(alone)];
  const { date } = bodyOf(await admin.get('/v1/test-clock'));
  signedUnheard(early.externalId);
  bodyOf(await admin.post('/v1/test-clock', { advanceTo: addDays(date, 8) }));
  t.like(await envelope(early.id, alone), { status: 'completed', remindedAt: null });
  // The last reminder is on the 28th day.
  bodyOf(await admin.post('/v1/test-clock', { advanceTo: addDays(date, 29) }));
  signedUnheard(late.externalId);
  bodyOf(await admin.post('/v1/test-clock', { advanceTo: addDays(date, 31) }));
  for (const { id } of [early, late]) {
    await eventually(async () => (await envelope(id, alone)).signedDocumentId !== null, { what: 'the signed file' });
    t.is((await envelope(id, alone)).status, 'completed');
  }
});

test('a void repeated under its key after its response was lost returns the first response', async (t) => {
  const { id } = await create();
  const admin = house.as('org_admin', 'usr_of_the_lost_void');
  const call = () =>
    admin.post(`/v1/envelopes/${id}/void`, { reason: 'Wrong.' }, { headers: { 'Idempotency-Key': 'lost void' } });
  const first = bodyOf(await call());
  await platform.database.transaction(house.orgId, (em) =>
    em.execute("update idempotency_keys set state = 'released', status = null, headers = null, body = null"),
  );
  const again = await call();
  t.deepEqual([again.status, again.body], [200, first]);
  t.is(again.headers.get('idempotent-replayed'), null);
});

test.serial(
  'the audit names the person who took an envelope back, even when the provider reports it first',
  async (t) => {
    const { id, externalId } = await create();
    const admin = house.as('org_admin', 'usr_who_takes_back');
    // The provider is slow to answer, and its event arrives at that moment.
    const { signingRoom } = platform.providers;
    signingRoom.failWith(503);
    const voiding = admin.post(`/v1/envelopes/${id}/void`, { reason: 'Wrong.' });
    await eventually(
      () =>
        platform.database.forOrg(house.orgId, async (em) => {
          const [row] = await em.execute('select void_reason from signing_envelopes where id = ?', [id]);
          return row?.void_reason !== null;
        }),
      { what: 'the order' },
    );
    t.is(await signingRoom.happen(externalId, 'Revoked'), 200);
    signingRoom.failWith(null);
    bodyOf(await voiding);
    const [, provider, person] = (await moves(id)).filter(([action]) => action !== 'envelope:sent');
    t.deepEqual(
      [provider, person],
      [
        ['envelope:voided', 'e-signature'],
        ['envelope:voided', 'usr_who_takes_back'],
      ],
    );
  },
);

test('an overdue envelope is expired, even when the provider reports first that it was taken back', async (t) => {
  const [id, externalId, lastDay] = [newId('envelope'), `overdue-${Date.now()}`, '2026-01-31'];
  const documentId = await aDocument();
  const dates = { expiresOn: lastDay, nextStepOn: lastDay, sentAt: new Date(), remindedAt: null, completedAt: null };
  const about = { policyId: null, submissionId: null, appointmentId: null };
  await platform.database.transaction(house.orgId, async (em) => {
    const rest = { voidReason: null, signedDocumentId: null, createdBy: 'test', version: 1 };
    addRow(em, SigningEnvelope, { id, documentId, signers, ...about, status: 'sent', externalId, ...dates, ...rest });
  });
  t.is((await send(fromBoldSign('Revoked', externalId))).status, 200);
  t.is((await envelope(id)).status, 'expired');
});

test('a document goes out to as many as twenty signers, and each has a place to sign', async (t) => {
  const people = Array.from({ length: 20 }, (_, n) => ({ name: `Signer ${n}`, email: `s${n}@signer.test` }));
  const { status, externalId } = await create(house, { signers: people });
  t.is(status, 'sent');
  t.deepEqual(atProvider(externalId).signers, people);
});
