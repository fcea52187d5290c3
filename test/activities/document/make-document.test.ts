// What makes a document fail for good: a text that someone wrote and that cannot be used, but never a busy worker.
import test from 'ava';
import type { Deps } from '../../../activities/context.ts';
import { makeDocument } from '../../../activities/document/make-document.ts';
import type { Urgency } from '../../../contracts/machinery/queues.ts';
import { DocumentOrder } from '../../../db/entities/document/document-order.ts';
import { DocumentTemplate } from '../../../db/entities/document/document-template.ts';
import { newId } from '../../../db/ids.ts';
import { addRow } from '../../../db/new-rows.ts';
import { type NewOrder, placeOrder } from '../../../db/queries/document/document-orders.ts';
import { versionName } from '../../../db/queries/document/document-templates.ts';
import { DomainError } from '../../../domain/errors.ts';
import { BrowserFault } from '../../../providers/pdf/browser-fault.ts';
import { type FaultReason, ThreadFault } from '../../../providers/threads/pool.ts';
import { createTypesetter } from '../../../providers/typesetting/typesetter.ts';
import { silentLogger } from '../../support/logger.ts';
import { InsuredLife } from '../policy/insured-life.ts';
import { attempt, prepareSteps, type Steps } from '../steps.ts';

const patient = createTypesetter();
test.after.always(() => patient.close());
const givingUp = (reason: FaultReason) => ({ ...patient, page: () => Promise.reject(new ThreadFault(reason)) });
const [hasty, starved] = [givingUp('took_too_long'), givingUp('machine_busy')];

const printing: Deps['pdf'] = { render: async (html) => ({ bytes: Buffer.from(html), pages: 1 }) };
const slow: Deps['pdf'] = {
  render: async () => {
    throw new DomainError('unreadable_document', 'The page did not come to its end.', { reason: 'too_slow' });
  },
};

const dying: Deps['pdf'] = {
  render: async () => {
    throw new BrowserFault('The browser died while it printed.');
  },
};
const wrong: Deps['pdf'] = {
  render: async () => {
    throw new TypeError('a mistake of ours');
  },
};

type Parts = Pick<Deps, 'typesetter' | 'pdf'> & Partial<Deps>;

async function ordered(steps: Steps, order: Pick<NewOrder, 'kind' | 'input'> & Partial<NewOrder>) {
  const { orgId, database } = steps;
  const documentId = newId('document');
  const row = { id: documentId, entityType: null, entityId: null, facts: {}, createdBy: 'usr_1', ...order };
  await database.transaction(orgId, (em) => placeOrder(em, row));
  const failure = () =>
    database.forOrg(orgId, async (em) => (await em.findOneOrFail(DocumentOrder, documentId)).failure);
  /** Makes it on the nth attempt: `made`, or how it failed and what its order records about that. */
  const made = async (number: number, parts: Parts, urgency?: Urgency): Promise<unknown> => {
    const known = { database, storage: steps.providers.storage, logger: silentLogger, now: Date.now };
    const make = makeDocument({ ...known, ...parts } as unknown as Deps);
    const outcome = await attempt(number, () => make({ orgId, documentId }), urgency).then(
      () => null,
      (error: { type: string; nonRetryable: boolean }) => error,
    );
    if (outcome === null) return 'made';
    return [outcome.type, outcome.nonRetryable ? 'final' : 'again', await failure()];
  };
  return made;
}

test('a notice from our own template is never given up because a worker was busy: its caller may retry', async (t) => {
  const steps = await prepareSteps(t);
  const made = await ordered(steps, { kind: 'cancellation_notice', input: {} });
  for (const parts of [
    { typesetter: hasty, pdf: printing },
    { typesetter: patient, pdf: slow },
    { typesetter: patient, pdf: dying },
  ]) {
    t.deepEqual(await made(1, parts), ['service_unavailable', 'again', null]);
    // The attempts are used up, and its order stays due.
    t.deepEqual(await made(3, parts), ['service_unavailable', 'final', null]);
  }
  t.deepEqual(await made(3, { typesetter: patient, pdf: wrong }), ['internal_error', 'final', null]);
  t.is(await made(1, { typesetter: patient, pdf: printing }), 'made');
});

test('a page from a caller is refused after three attempts, and on the first one for its content', async (t) => {
  const steps = await prepareSteps(t);
  const made = await ordered(steps, { kind: 'rendered', input: { html: '<p>{{ a }}</p>' } });
  t.deepEqual(await made(1, { typesetter: hasty, pdf: printing }), ['service_unavailable', 'again', null]);
  t.deepEqual(await made(2, { typesetter: hasty, pdf: printing }), ['service_unavailable', 'again', null]);
  const forNow = ['service_unavailable', 'final', null];
  t.deepEqual(await made(3, { typesetter: starved, pdf: printing }), forNow, 'the machine was busy');
  const refusal = ['validation_failed', 'final', 'validation_failed'];
  t.deepEqual(await made(3, { typesetter: hasty, pdf: printing }), refusal);
  const unread = await ordered(steps, { kind: 'rendered', input: { html: '{% if %}' } });
  t.deepEqual(await unread(1, { typesetter: patient, pdf: printing }), refusal);
  const heavy = await ordered(steps, { kind: 'rendered', input: { html: '<p>Heavy</p>' } });
  t.deepEqual(await heavy(1, { typesetter: patient, pdf: slow }), [
    ...['unreadable_document', 'final', 'unreadable_document'],
  ]);
});

test('a template of the organization is refused after two attempts that a caller waits for, and after three otherwise', async (t) => {
  const steps = await prepareSteps(t);
  const kind = 'cancellation_notice' as const;
  const templateVersion = await steps.database.transaction(steps.orgId, async (em) => {
    const row = { id: newId('documentTemplate'), kind, templateVersion: 1, html: '<p>Our own</p>', createdBy: 'usr_1' };
    addRow(em, DocumentTemplate, { ...row, documentId: null, fields: null });
    return versionName(kind, { templateVersion: 1 });
  });
  const order = { kind: 'cancellation_notice', input: {}, templateVersion } as const;
  const made = await ordered(steps, order);
  const again = ['service_unavailable', 'again', null];
  for (const number of [1, 2]) {
    t.deepEqual(await made(number, { typesetter: patient, pdf: slow }, 'batch'), again);
    t.deepEqual(await made(number, { typesetter: hasty, pdf: printing }, 'batch'), again);
  }
  t.deepEqual(await made(1, { typesetter: patient, pdf: slow }), again);
  const refusal = ['validation_failed', 'final', 'validation_failed'];
  t.deepEqual(await made(3, { typesetter: hasty, pdf: printing }, 'batch'), refusal);
  t.deepEqual(await (await ordered(steps, order))(2, { typesetter: hasty, pdf: printing }), refusal);
  t.deepEqual(await (await ordered(steps, order))(2, { typesetter: patient, pdf: slow }), [
    ...['unreadable_document', 'final', 'unreadable_document'],
  ]);
});

test('a certificate reordered meanwhile is made afterwards only for a caller who repeats the first call', async (t) => {
  const life = await InsuredLife.begin(t);
  await life.activate();
  const { steps, policyId } = life;
  const parts = { typesetter: patient, pdf: printing, now: () => Date.parse(life.today) };
  const input = {
    holder: { name: 'Harbor County', address: { line1: '1 Quay St', city: 'Galveston', state: 'TX', zip: '77550' } },
    baseUrl: 'http://localhost',
  };
  const order = { kind: 'certificate', entityType: 'policy', entityId: policyId, input, facts: null } as const;
  const first = await ordered(steps, order);
  const second = await ordered(steps, order);
  t.is(await second(1, parts), 'made');
  const refusal = ['document_not_applicable', 'final', 'document_not_applicable'];
  t.deepEqual(await first(1, parts, 'batch'), refusal);
  t.is(await first(1, parts), 'made');
});
