// What insureds' devices are notified of: rows that a real database writes, sent by the production adapter to a server
// that speaks the push service's protocol.
import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import pg from 'pg';
import { loadWorkerConfig } from '../../config.ts';
import { Invoice } from '../../db/entities/billing/invoice.ts';
import { Claim } from '../../db/entities/claim/claim.ts';
import { ClaimParticulars } from '../../db/entities/claim/claim-particulars.ts';
import { Document } from '../../db/entities/document/document.ts';
import { Insured } from '../../db/entities/policy/insured.ts';
import type { Policy } from '../../db/entities/policy/policy.ts';
import { newId } from '../../db/ids.ts';
import { writeEvent } from '../../db/queries/platform/events.ts';
import { announceBillsDue } from '../../db/queries/portal/push-notices.ts';
import { registerPushToken } from '../../db/queries/portal/push-tokens.ts';
import { addDays } from '../../domain/dates.ts';
import { INSURED_KINDS } from '../../domain/portal/documents.ts';
import { type PushKind, pushPauseSeconds } from '../../domain/portal/push.ts';
import { createPushService } from '../../providers/push/fcm.ts';
import { type LocalPushService, startPushService } from '../../stand-ins/push-service/server.ts';
import { startPushDispatch } from '../../workers/push-dispatch.ts';
import { anInvoice, aPolicy, aTransaction, type DatabaseContext, withDatabase } from '../db/rows.ts';
import { eventually } from '../support/eventually.ts';
import { testToday } from '../support/fixed/today.ts';
import { silentLogger } from '../support/logger.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test);

/** For bills, the date stays that of the file's start. */
const BEGAN_MS = Date.now();
const DUE = testToday(BEGAN_MS);
const ENDLESS_MS = 3_600_000;

let service: LocalPushService;
test.before('a push service', async () => {
  service = await startPushService();
});
test.after.always(() => service?.close());

interface Seat {
  policy: Policy;
  token: string;
}

/** An insured with a device. */
async function seated({ database, orgId }: DatabaseContext): Promise<Seat> {
  const token = `device-${newId('request')}`;
  return database.transaction(orgId, async (em) => {
    const policy = aPolicy(em);
    await em.flush();
    await registerPushToken(em, { insuredId: policy.insuredId, token, platform: 'ios' });
    return { policy, token };
  });
}

/** Sends what is due, with an adapter configured like the worker's own. */
async function dispatched(t: ExecutionContext<DatabaseContext>, isDone: () => Promise<boolean> | boolean) {
  const { urls, database } = t.context;
  const { push } = loadWorkerConfig({
    ...{ DATABASE_APP_URL: urls.appUrl, DATABASE_OPS_URL: urls.opsUrl },
    ...{ PUSH_SERVICE_ACCOUNT_KEY: service.accountKey, PUSH_BASE_URL: service.url },
  });
  const work = startPushDispatch({
    ...{ database, push: createPushService(push, Date.now)!, logger: silentLogger, now: () => BEGAN_MS },
    ...{ pauseMs: 10, pauseOfBillsMs: ENDLESS_MS },
  });
  try {
    await eventually(isDone, { what: 'the notices' });
  } finally {
    await work.stop();
  }
}

const noticesOf = ({ database, orgId }: DatabaseContext, { policy }: Seat) =>
  database.forOrg(orgId, (em) =>
    em.execute<{ kind: PushKind; subject_id: string; status: string; attempts: number; waits: number }[]>(
      `select kind, subject_id, status, attempts, extract(epoch from due_at - updated_at)::float8 as waits
         from push_notices where insured_id = ? order by kind, subject_id`,
      [policy.insuredId],
    ),
  );

const takenBy = (token: string) => service.taken.filter((message) => message.token === token);

const MADE = { kind: 'declarations', templateVersion: 'declarations@3f9a01bc' };

const aDocument = (context: DatabaseContext, entityId: string, given: Partial<Document> = {}) =>
  context.database.transaction(context.orgId, async (em) => {
    const id = newId('document');
    const file = { fileName: 'a.pdf', contentType: 'application/pdf', sizeBytes: 1, sha256: 'a'.repeat(64) };
    const row = { ...file, id, key: id, ...MADE, entityType: 'policy' as const, entityId, storageKey: id };
    em.create(Document, { ...row, createdBy: 'system', ...given }, { persist: true });
    return id;
  });

const failPayment = ({ database, orgId }: DatabaseContext, { policy }: Seat, invoiceId = newId('invoice')) =>
  database.transaction(orgId, async (em) => {
    const bill = { invoiceId, invoiceNumber: 'INV-1', policyId: policy.id, amount: 399, reference: 'pi_1' };
    writeEvent(em, 'payment.failed', { ...bill, status: 'failed', severity: 'warning', code: null });
  });

test.serial('a bill, a failed payment, a claim that moves and a document reach the device, each once', async (t) => {
  const [mine, other] = [await seated(t.context), await seated(t.context)];
  const { database, orgId } = t.context;
  const invoices = await database.transaction(orgId, async (em) => {
    const of = aTransaction(em, mine.policy.id);
    const due = [-1, 0, 3, 4].map((days) => anInvoice(em, of, { dueDate: addDays(DUE, days) }));
    const paid = anInvoice(em, of, { dueDate: DUE, paidCents: 10_000 });
    await em.flush();
    return [...due, paid].map(({ id }) => id);
  });
  await failPayment(t.context, mine, invoices[0]);
  const claimId = newId('claim');
  await database.transaction(orgId, async (em) => {
    em.create(ClaimParticulars, { claimId, description: 'Hail broke the sign.' }, { persist: true });
    em.create(Claim, { ...aClaim(mine.policy), id: claimId }, { persist: true });
  });
  await database.transaction(orgId, async (em) => {
    const claim = await em.findOneOrFail(Claim, claimId);
    claim.status = 'investigating';
  });
  // A change that does not affect its status does not count as a move.
  await database.transaction(orgId, async (em) => {
    (await em.findOneOrFail(Claim, claimId)).reserveExpenseCents = 100;
  });
  const documentId = await aDocument(t.context, mine.policy.id);
  const expected = [
    ...[invoices[1], invoices[2]].map((id) => ['payment_due', id]),
    ...[
      ['payment_failed', invoices[0]],
      ['claim_moved', claimId],
      ['document_ready', documentId],
    ],
  ];
  await dispatched(t, () => takenBy(mine.token).length >= expected.length);
  // Another round for the bills, and for everything.
  await dispatched(t, async () => (await noticesOf(t.context, mine)).every(({ status }) => status === 'sent'));
  const taken = takenBy(mine.token);
  t.deepEqual(taken.map(({ data }) => [data.kind, data.id]).toSorted(), expected.toSorted());
  t.deepEqual(takenBy(other.token), []);
  t.is(new Set(taken.map(({ apns }) => apns.headers['apns-collapse-id'])).size, expected.length);
  for (const { notification, data } of taken) {
    t.deepEqual(Object.keys(data).sort(), ['id', 'kind']);
    t.notRegex(`${notification.title} ${notification.body}`, /Diner|GL-|INV-|\d/, 'it names nobody and no amount');
  }
});

test.serial('documents of every kind that an insured sees are announced, and no others', async (t) => {
  const seat = await seated(t.context);
  const own = await Promise.all(INSURED_KINDS.map((kind) => aDocument(t.context, seat.policy.id, { kind })));
  await aDocument(t.context, seat.policy.id, { kind: 'loss_run' });
  // A bill that someone sent us.
  await aDocument(t.context, seat.policy.id, { kind: 'invoice', templateVersion: null });
  await aDocument(t.context, seat.policy.id, { containsPhi: true });
  // Insureds who make a document themselves in the portal already have it.
  await aDocument(t.context, seat.policy.id, { createdBy: seat.policy.id });
  const announced = (await noticesOf(t.context, seat)).map(({ subject_id }) => subject_id);
  t.deepEqual(announced.toSorted(), own.toSorted());
});

const KINDS = ['claim_moved', 'document_ready', 'payment_due', 'payment_failed'] as const satisfies PushKind[];

for (const off of KINDS) {
  test.serial(`an insured who switches off ${off} is notified of everything else`, async (t) => {
    const seat = await seated(t.context);
    const { database, orgId } = t.context;
    const claimId = newId('claim');
    await database.transaction(orgId, async (em) => {
      anInvoice(em, aTransaction(em, seat.policy.id), { dueDate: addDays(DUE, 1) });
      em.create(ClaimParticulars, { claimId, description: 'Hail broke the sign.' }, { persist: true });
      const claimNumber = `CLM-2026-00001${KINDS.indexOf(off)}`;
      em.create(Claim, { ...aClaim(seat.policy), id: claimId, claimNumber }, { persist: true });
    });
    await database.transaction(orgId, async (em) => {
      (await em.findOneOrFail(Claim, claimId)).status = 'investigating';
    });
    await failPayment(t.context, seat);
    await aDocument(t.context, seat.policy.id);
    // Anything written earlier is dropped too.
    await database.transaction(orgId, async (em) => {
      (await em.findOneOrFail(Insured, seat.policy.insuredId)).mutedPushes = [off];
    });
    await dispatched(t, async () => {
      const notices = await noticesOf(t.context, seat);
      return notices.length === KINDS.length && notices.every(({ status }) => status !== 'pending');
    });
    t.deepEqual(
      (await noticesOf(t.context, seat)).map(({ kind, status }) => [kind, status]),
      KINDS.map((kind) => [kind, kind === off ? 'dropped' : 'sent']),
    );
    const heard = takenBy(seat.token).map(({ data }) => data.kind);
    t.deepEqual(
      heard.toSorted(),
      KINDS.filter((kind) => kind !== off),
    );
  });
}

test.serial('a bill that is paid before its notice goes out is not announced as due', async (t) => {
  const seat = await seated(t.context);
  const { database, orgId } = t.context;
  const [due, paid] = await database.transaction(orgId, async (em) => {
    const of = aTransaction(em, seat.policy.id);
    const bills = [1, 2].map((days) => anInvoice(em, of, { dueDate: addDays(DUE, days) }));
    await em.flush();
    await announceBillsDue(em, { from: DUE, to: addDays(DUE, 3) });
    return bills.map(({ id }) => id);
  });
  await database.transaction(orgId, async (em) => {
    const invoice = await em.findOneOrFail(Invoice, paid as string);
    invoice.paidCents = invoice.totalCents;
  });
  await dispatched(t, async () => (await noticesOf(t.context, seat)).every(({ status }) => status !== 'pending'));
  const ended = (await noticesOf(t.context, seat)).map(({ subject_id, status }) => [subject_id, status]);
  t.deepEqual(Object.fromEntries(ended), { [due as string]: 'sent', [paid as string]: 'dropped' });
});

test.serial('news of an insured does not reach a device that has moved to another one', async (t) => {
  const [before, after] = [await seated(t.context), await seated(t.context)];
  const { database, orgId } = t.context;
  await failPayment(t.context, before);
  const moved = { insuredId: after.policy.insuredId, token: before.token, platform: 'ios' as const };
  await database.transaction(orgId, (em) => registerPushToken(em, moved));
  await dispatched(t, async () => (await noticesOf(t.context, before)).every(({ status }) => status === 'dropped'));
  t.deepEqual(takenBy(before.token), []);
});

test.serial(
  'a device that the service no longer knows is removed, and a 404 of anything else removes none',
  async (t) => {
    const [gone, kept] = [await seated(t.context), await seated(t.context)];
    const { database, orgId } = t.context;
    const devices = () =>
      database.forOrg(orgId, async (em) => {
        const sql = 'select token from push_tokens where token in (?, ?)';
        return (await em.execute<{ token: string }[]>(sql, [gone.token, kept.token])).map(({ token }) => token);
      });
    service.unregister(gone.token);
    await failPayment(t.context, gone);
    await dispatched(t, async () => (await devices()).length === 1);
    t.deepEqual(await devices(), [kept.token]);
    t.deepEqual(await noticesOf(t.context, gone), []);
    const rows = await database.forOrg(orgId, (em) =>
      em.execute("select actor_id from audit_entries where action = 'push_token:remove'"),
    );
    t.deepEqual(rows, [{ actor_id: 'push' }]);
    service.failWith({ status: 404 });
    await failPayment(t.context, kept);
    await dispatched(t, async () => (await noticesOf(t.context, kept))[0]?.attempts === 1);
    service.failWith(null);
    t.deepEqual(await devices(), [kept.token]);
    t.like(await noticesOf(t.context, kept), [{ status: 'pending' }]);
  },
);

test.serial('a notification refused for now waits as long as the service says, and then goes out', async (t) => {
  const seat = await seated(t.context);
  service.failWith({ status: 429, retryAfter: 600 });
  await failPayment(t.context, seat);
  await dispatched(t, async () => (await noticesOf(t.context, seat))[0]?.attempts === 1);
  service.failWith(null);
  const [{ waits = 0, status } = {}] = await noticesOf(t.context, seat);
  t.is(status, 'pending');
  t.true(waits > 599 && waits < 660, `${waits}`);
  await hurry(t.context, seat);
  // Meanwhile our token has expired: the next attempt is refused, and the one after it has a new token.
  service.revokeTokens();
  await dispatched(t, async () => {
    await hurry(t.context, seat);
    return takenBy(seat.token).length > 0;
  });
  t.is(takenBy(seat.token).length, 1);
  t.deepEqual(
    [1, 2, 3, 20].map((attempts) => pushPauseSeconds(attempts)),
    [30, 60, 120, 3_600],
  );
});

test.serial('a message with an unknown outcome comes again under the same tag, and not after a day', async (t) => {
  const seat = await seated(t.context);
  service.failWith({ status: 503, takes: true });
  await failPayment(t.context, seat);
  await dispatched(t, async () => (await noticesOf(t.context, seat))[0]?.attempts === 1);
  service.failWith(null);
  await hurry(t.context, seat);
  await dispatched(t, async () => (await noticesOf(t.context, seat))[0]?.status === 'sent');
  const tags = takenBy(seat.token).map(({ apns }) => apns.headers['apns-collapse-id']);
  t.is(tags.length, 2);
  t.is(tags[0], tags[1]);
  await failPayment(t.context, seat);
  await owned(t.context, "update push_notices set created_at = now() - interval '25 hours' where status = 'pending'");
  await dispatched(t, async () => (await noticesOf(t.context, seat)).every(({ status }) => status !== 'pending'));
  t.is(takenBy(seat.token).length, 2);
});

test('no service starts without a service account, and an invalid key is refused at the start', (t) => {
  const variables = { DATABASE_APP_URL: 'postgres://app@localhost/a', DATABASE_OPS_URL: 'postgres://ops@localhost/a' };
  t.is(createPushService(loadWorkerConfig(variables).push, Date.now), null);
  for (const key of [
    'not json',
    '{}',
    JSON.stringify({ ...JSON.parse(service.accountKey), token_uri: 'http://a.test' }),
  ]) {
    const error = t.throws(() => loadWorkerConfig({ ...variables, PUSH_SERVICE_ACCOUNT_KEY: key }));
    t.regex(error.message, /PUSH_SERVICE_ACCOUNT_KEY must be the JSON of a service account/);
  }
});

/** Makes everything that waits due. */
const hurry = (context: DatabaseContext, { policy }: Seat) =>
  owned(
    context,
    `update push_notices set due_at = now() - interval '1 second' where insured_id = '${policy.insuredId}'`,
  );

/** As the owner of the tables, since the application cannot. */
async function owned({ urls }: DatabaseContext, sql: string): Promise<void> {
  const owner = new pg.Client({ connectionString: urls.ownerUrl });
  await owner.connect();
  await owner.query(sql).finally(() => owner.end());
}

function aClaim(policy: Policy) {
  return {
    ...{ claimNumber: 'CLM-2026-000001', status: 'reported' as const, policyId: policy.id, createdBy: 'usr_a' },
    ...{ policyNumber: policy.policyNumber, insuredName: policy.insuredName, state: 'TX', lineOfBusiness: 'GL' },
    ...{ lossDate: DUE, reportedOn: DUE, containsPhi: false, isAssigned: false, coverageFlags: [] },
    ...{ coverage: {} as Claim['coverage'], clocks: {} as Claim['clocks'] },
  };
}
