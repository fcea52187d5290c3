// One organization's heavy pages: how they affect other organizations' documents.
import test from 'ava';
import { inPrintingTurn, inReadingTurn } from '../../../api/routes/document/document-turns.ts';
import { madeDocument } from '../../../api/routes/document/made-documents.ts';
import type { Document } from '../../../db/entities/document/document.ts';
import type { DomainError } from '../../../domain/errors.ts';
import type { TestClient } from '../../support/client.ts';
import { testToday } from '../../support/fixed/today.ts';
import { bodyOf, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import { startPress } from '../../support/printing/press.ts';
import type { Platform } from '../../support/run-platform.ts';
import { insured } from '../policy/policy-calls.ts';

const TODAY = testToday();

let platform: Platform;

test.before('a platform that prints', async (t) => {
  platform = await startCheckedPlatform(t, { pdf: startPress() });
});

const render = (client: TestClient, html: string, key: string) =>
  client.post('/v1/documents/render-pdf', { html }, { headers: { 'idempotency-key': key } });

test.serial('heavy pages of one organization take no place from another', async (t) => {
  const [heavy, light] = [await newHouse(platform), await newHouse(platform)].map((house) => house.as('underwriter'));
  await render(light as TestClient, '<p>Ready</p>', 'ready');
  const arrivals: string[] = [];
  const arrived = async (whose: string, answer: ReturnType<typeof render>) => {
    const { status } = await answer;
    arrivals.push(`${whose} ${status}`);
  };
  // Its layout never ends.
  const endless = '<div style="height:99999999px">x</div>';
  const refused = [1, 2, 3].map((each) => arrived('heavy', render(heavy as TestClient, endless, `heavy ${each}`)));
  await arrived('light', render(light as TestClient, '<p>Light</p>', 'light'));
  await Promise.all(refused);
  t.deepEqual(arrivals, ['light 201', 'heavy 422', 'heavy 422', 'heavy 422']);
});

test.serial('a caller who waits for a page of an endless template is refused as too slow, each time', async (t) => {
  const { house, policyId } = await insured(platform, 'PAY_IN_FULL', { effectiveDate: TODAY });
  const html = '<div style="height:99999999px">{{ policy.number }}</div>';
  bodyOf(await house.as('org_admin').put('/v1/document-templates/certificate', { html }));
  const address = { line1: '9 Pier Road', city: 'Austin', state: 'TX', postalCode: '78701' };
  const body = { policyId, holder: { name: 'Harbor Landlord LLC', address } };
  const underwriter = house.as('underwriter');
  for (const key of ['endless', 'endless', 'endless again']) {
    const answer = await underwriter.post('/v1/coi/generate', body, { headers: { 'idempotency-key': key } });
    t.like(answer, { status: 422, body: { error: 'unreadable_document', details: { reason: 'too_slow' } } });
  }
});

test('an organization has two turns, the longest-waiting caller goes next, and waiting has an end', async (t) => {
  const done: string[] = [];
  const works = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
  const taken = works.map(({ promise }, place) =>
    inPrintingTurn('org_a', async () => {
      await promise;
      done.push(`work ${place}`);
    }),
  );
  await inPrintingTurn('org_b', async () => void done.push('other'));
  const refused = await t.throwsAsync<DomainError>(inPrintingTurn('org_a', async () => {}, 1));
  t.is(refused?.code, 'rate_limited');
  works[2]?.resolve();
  works[1]?.resolve();
  await Promise.all([taken[1], taken[2]]);
  works[0]?.resolve();
  await taken[0];
  t.deepEqual(done, ['other', 'work 1', 'work 2', 'work 0']);
});

test('an organization has one file read at a time: the files of others do not wait for its own', async (t) => {
  const read: string[] = [];
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const reading =
    (name: string, end: Promise<void> = Promise.resolve()) =>
    async () => {
      await end;
      read.push(name);
    };
  const many = [
    inReadingTurn('org_d', reading('large', first.promise)),
    inReadingTurn('org_d', reading('next', second.promise)),
  ];
  await inReadingTurn('org_e', reading('other'));
  const refused = await t.throwsAsync<DomainError>(inReadingTurn('org_d', reading('one too many'), 1));
  t.is(refused?.code, 'rate_limited');
  second.resolve();
  first.resolve();
  await Promise.all(many);
  t.deepEqual(read, ['other', 'large', 'next']);
});

test('a page from a caller is checked and made within one turn', async (t) => {
  const done: string[] = [];
  let kept: Document | null = null;
  let second = Promise.resolve();
  const held = Array.from({ length: 2 }, () => Promise.withResolvers<void>());
  const others = held.map(({ promise }) => inPrintingTurn('org_c', () => promise));
  const maker = {
    db: { read: async () => kept, transaction: async () => {} },
    command: () => ({ orgId: 'org_c' }),
    lifecycle: {
      makeDocument: async () => {
        done.push('made');
        kept = {} as Document;
      },
    },
  } as unknown as Parameters<typeof madeDocument>[1];
  const check = async () => {
    second = inPrintingTurn('org_c', async () => void done.push('second'));
    done.push('checked');
  };
  const made = madeDocument({ id: 'doc_1' } as Parameters<typeof madeDocument>[0], maker, { check });
  held[0]?.resolve();
  await made;
  await second;
  t.deepEqual(done, ['checked', 'made', 'second']);
  held[1]?.resolve();
  await Promise.all(others);
});
