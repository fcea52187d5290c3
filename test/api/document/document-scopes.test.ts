// Documents as API keys see them: along with what they belong to.
import test, { type ExecutionContext } from 'ava';
import type { TestClient } from '../../support/client.ts';
import { allPages, bodyOf, submit } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { covered } from '../claim/claim-calls.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

const LOSSES = 'Claim Number,Date of Loss,Description,Status,Paid\nC-1001,04/10/2025,A fall,Open,$100.00\n';

const ingest = (client: TestClient, content: string, facts: Record<string, string | undefined>) =>
  client.post('/v1/documents/ingest', { contentBase64: Buffer.from(content).toString('base64'), ...facts });

/** A caller with an API key of these scopes. */
async function keyHolder(admin: TestClient, scopes: readonly string[]): Promise<TestClient> {
  const { key } = bodyOf(await admin.post('/v1/api-keys', { name: 'A reader', scopes }), 201);
  return platform.as({ apiKey: key });
}

interface Listed {
  id: string;
  entityType: string | null;
}

/** The list for one kind of owner equals that part of the whole list. */
async function listsByKind(t: ExecutionContext, reader: TestClient, listed: readonly Listed[]): Promise<void> {
  for (const kind of new Set(listed.map(({ entityType }) => entityType))) {
    if (kind === null) continue;
    const ofKind = (await allPages(reader, '/v1/documents', { entityType: kind })) as unknown as Listed[];
    t.deepEqual(
      ofKind.map(({ id }) => id),
      listed.filter(({ entityType }) => entityType === kind).map(({ id }) => id),
      `${kind} alone`,
    );
  }
}

test('a key lists, reads and files only documents that its other scopes let it read', async (t) => {
  const { house, file, policyId } = await covered(platform);
  const admin = house.as('org_admin');
  const { id: claimId } = bodyOf(await file({ containsPhi: false }), 201);
  const { id: submissionId } = await submit(house.as('underwriter'));
  const named = { fileName: 'a.csv', contentType: 'text/csv' };
  const made = new Map<string, string | null>();
  for (const owner of [
    {},
    { entityType: 'policy', entityId: policyId },
    { entityType: 'claim', entityId: claimId },
    { entityType: 'submission', entityId: submissionId },
  ]) {
    const { id } = bodyOf(await ingest(admin, LOSSES, { ...named, ...owner }), 201);
    made.set(id, owner.entityType ?? null);
  }
  for (const [scopes, kinds] of [
    [['documents:read'], [null]],
    [
      ['documents:read', 'policies:read'],
      [null, 'policy'],
    ],
    [
      ['documents:read', 'claims:write'],
      [null, 'claim'],
    ],
    [['*'], [null, 'policy', 'claim', 'submission']],
  ] as const) {
    const reader = await keyHolder(admin, scopes);
    const listed = (await allPages(reader, '/v1/documents')) as unknown as Listed[];
    t.deepEqual(
      listed.map(({ entityType }) => entityType).filter((each) => !kinds.some((kind) => kind === each)),
      [],
      String(scopes),
    );
    await listsByKind(t, reader, listed);
    for (const [id, kind] of made) {
      const isSeen = kinds.some((each) => each === kind);
      t.is(
        listed.some((row) => row.id === id),
        isSeen,
        `${scopes} and ${kind}`,
      );
      t.is((await reader.get(`/v1/documents/${id}`)).status, isSeen ? 200 : 403, 'one by one as in the list');
    }
  }
  const filing = { ...named, entityType: 'claim', entityId: claimId };
  const details = { permission: 'claim:read', requiredScope: 'claims:read' };
  const refused = await ingest(await keyHolder(admin, ['documents:ingest']), `${LOSSES}2`, filing);
  t.like(refused, { status: 403, body: { error: 'forbidden', details } });
  const scopes = ['documents:ingest', 'claims:read'];
  t.is((await ingest(await keyHolder(admin, scopes), `${LOSSES}2`, filing)).status, 201);
});
