// Whose claim it is, and what that shows: the person who files it sees the claim; only the assigned adjuster sees its
// policy too.
import test from 'ava';
import { Certificate } from '../../../db/entities/document/certificate.ts';
import { newId } from '../../../db/ids.ts';
import { addRow } from '../../../db/new-rows.ts';
import { placeOrder } from '../../../db/queries/document/document-orders.ts';
import { keepDocument } from '../../../db/queries/document/documents.ts';
import type { TestClient } from '../../support/client.ts';
import { bodyOf } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { type Covered, covered, notice } from './claim-calls.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

/** A change in an audit row. */
interface Change {
  field: string;
  before: unknown;
  after: unknown;
}

/** A certificate of the policy, as if printed. */
async function policyDocument({ house, policyId }: Covered): Promise<string> {
  const id = newId('document');
  await platform.database.transaction(house.orgId, async (em) => {
    const file = { fileName: 'certificate.pdf', contentType: 'application/pdf', sizeBytes: 1, sha256: '0'.repeat(64) };
    const of = { entityType: 'policy', entityId: policyId } as const;
    const facts = { id, kind: 'certificate', ...of, createdBy: 'usr_issuer' } as const;
    await placeOrder(em, { ...facts, input: {} });
    await keepDocument(em, { ...facts, ...file });
    const holder = { name: 'City of Austin', address: '1 Main St' };
    addRow(em, Certificate, {
      ...{ id: newId('certificate'), certificateNumber: 'COI-1', documentId: id, policyId, producerId: null },
      ...{ holder, holderKey: 'austin', notifyHolder: false, supersedes: null, createdBy: 'usr_issuer' },
    });
  });
  return id;
}

test('filing gives no sight of a policy, an assignment does; an adjuster who loses the assignment loses sight of the claim and of its policy at the same moment; both moves are on record', async (t) => {
  const policy = await covered(platform);
  const { house, supervisor, policyId } = policy;
  const [first, second] = ['usr_adjuster_7', 'usr_adjuster_8'].map((sub) => house.as('claims_adjuster', sub)) as [
    TestClient,
    TestClient,
  ];
  const filed = await first.post('/v1/claims', { ...notice(policyId, policy.today), containsPhi: true });
  const { id, adjusterId } = bodyOf(filed, 201);
  t.is(adjusterId, 'usr_adjuster_7');
  const documentId = await policyDocument(policy);
  const ofPolicy = [`/v1/policies/${policyId}`, `/v1/documents/${documentId}`];
  const paths = [`/v1/claims/${id}`, `/v1/claims/${id}/timeline`, ...ofPolicy];
  const lists = ['claims', 'policies', `documents?entityType=policy&entityId=${policyId}`, 'certificates'];
  const seen = async (client: TestClient) => {
    const statuses = await Promise.all(paths.map(async (path) => (await client.get(path)).status));
    const listed = await Promise.all(lists.map((name) => client.get(`/v1/${name}`)));
    const check = await client.post('/v1/permissions/check', { action: 'policy:read', resource: policyId });
    return [...statuses, ...listed.map((list) => bodyOf(list).data.length), bodyOf(check).allowed];
  };
  const [all, none, ofClaim] = [
    [200, 200, 200, 200, 1, 1, 1, 1, true],
    [403, 403, 403, 403, 0, 0, 0, 0, false],
    [200, 200, 403, 403, 1, 0, 0, 0, false],
  ];
  t.deepEqual([await seen(first), await seen(second)], [ofClaim, none]);
  const taken = await first.post(`/v1/claims/${id}/investigate`, { adjusterId: 'usr_adjuster_8' });
  t.like(taken, { status: 403, body: { details: { permission: 'claim:assign' } } });
  bodyOf(await first.post(`/v1/claims/${id}/investigate`, { adjusterId: 'usr_adjuster_7' }));
  t.deepEqual(await seen(first), ofClaim);
  bodyOf(await supervisor.post(`/v1/claims/${id}/assign`, { adjusterId: 'usr_adjuster_7' }));
  t.deepEqual([await seen(first), await seen(second)], [all, none]);
  bodyOf(await supervisor.post(`/v1/claims/${id}/assign`, { adjusterId: 'usr_adjuster_8' }));
  t.deepEqual([await seen(first), await seen(second)], [none, all]);
  t.is((await first.post(`/v1/claims/${id}/deny`, { reason: 'Mine.' })).status, 403);
  const { data } = bodyOf(await house.as('org_admin').get('/v1/audit', { query: { entity: id } }));
  const moves = data.filter(({ action }: { action: string }) => /:(file|assign)$/.test(action));
  t.deepEqual(
    moves.flatMap(({ changes }: { changes: Change[] }) => changes.filter(({ field }) => field === 'adjusterId')),
    [
      { field: 'adjusterId', before: 'usr_adjuster_7', after: 'usr_adjuster_8' },
      { field: 'adjusterId', before: null, after: 'usr_adjuster_7' },
    ],
  );
  const tuples = await platform.database.forOrg(house.orgId, (em) =>
    em.execute("select object_id, subject_id from relations where relation = 'adjuster'"),
  );
  t.deepEqual(tuples, [{ object_id: id, subject_id: 'usr_adjuster_8' }]);
});

test('a supervisor assigns a claim by naming the adjuster who filed it, who then sees the policy', async (t) => {
  const { house, supervisor, policyId, file } = await covered(platform);
  const filer = house.as('claims_adjuster', 'usr_filer');
  const { id } = bodyOf(await file({}, filer), 201);
  t.is((await filer.get(`/v1/policies/${policyId}`)).status, 403);
  bodyOf(await supervisor.post(`/v1/claims/${id}/investigate`, { adjusterId: 'usr_filer' }));
  t.is((await filer.get(`/v1/policies/${policyId}`)).status, 200);
});
