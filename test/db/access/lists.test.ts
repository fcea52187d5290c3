// Lists of random rows compared with the check of each row: what SQL finds is what `may` allows.
import anyTest, { type TestFn } from 'ava';
import { Referral } from '../../../db/entities/authority/referral.ts';
import { DealRoom } from '../../../db/entities/dealroom/deal-room.ts';
import { Producer } from '../../../db/entities/distribution/producer.ts';
import { newId } from '../../../db/ids.ts';
import { addRow } from '../../../db/new-rows.ts';
import { listReferrals } from '../../../db/queries/authority/referrals.ts';
import { addParticipant, listDealRooms } from '../../../db/queries/dealroom/deal-rooms.ts';
import { listProducers } from '../../../db/queries/distribution/producers.ts';
import { authorityFlag } from '../../../domain/authority/authority.ts';
import { OPEN_REFERRAL_STATUSES, REFERRAL_STATUSES } from '../../../domain/authority/referral.ts';
import { type Actor, may, ROLES, type UserAuthority, visibility } from '../../../domain/permissions.ts';
import { producerFacts, referralFacts } from '../../../plans/authority/resource-facts.ts';
import { dieOf } from '../../support/fixed/chance.ts';
import { addOrganization, aSubmission, type DatabaseContext, withDatabase } from '../rows.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test);

const ROWS = 120;
const ACTORS = 300;
const ALL = { limit: 1_000 };
const PEOPLE = ['ann', 'ben', 'cay', 'dee', 'eve'] as const;
const AMOUNTS = [50_000_000, 100_000_000, 200_000_000, 500_000_000];
const CONTRACT_CENTS = 200_000_000;

const die = dieOf('lists');
const chosen = <T>(from: readonly T[]): T => from[die(from.length)] as T;
const some = <T>(from: readonly T[]): T[] => from.filter(() => die(10) < 3);

function authority(): UserAuthority | null {
  const limits = { maxLimitCents: chosen(AMOUNTS), maxPremiumCents: chosen(AMOUNTS) };
  return chosen([null, { ...limits, linesOfBusiness: chosen([null, ['GL'], ['CA', 'GL'], []]) }]);
}

function anActor(orgId: string, given: Partial<Actor> = {}): Actor {
  const at = { orgId, homeOrgId: orgId, scopes: null, producerIds: [] };
  const role = chosen([...ROLES, 'underwriter', 'underwriter', 'underwriter'] as const);
  const own = role === 'underwriter' ? authority() : null;
  return { kind: 'user', id: chosen(PEOPLE), role, ...at, authority: own, ...given };
}

const idsOf = ({ data }: { data: readonly { id: string }[] }) => data.map(({ id }) => id).toSorted();

test('the list of referrals that somebody may decide matches the check, delegated authority included', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const rows = await database.transaction(orgId, async (em) =>
    Array.from({ length: ROWS }, () => {
      const [limitCents, premiumCents] = [chosen([...AMOUNTS, null]), chosen([...AMOUNTS, null])];
      const above = (limitCents ?? 0) > CONTRACT_CENTS;
      const flags = [
        authorityFlag('DA_LOSS_HISTORY', 'Three losses.', 2, 3),
        ...(above
          ? [authorityFlag('DA_LIMIT_EXCEEDED', 'Too much.', CONTRACT_CENTS / 100, (limitCents ?? 0) / 100)]
          : []),
      ];
      const requestedBy = chosen(PEOPLE);
      return addRow(em, Referral, {
        ...{ id: newId('referral'), submissionId: aSubmission(em).id, reason: 'A flag.', requestedBy, flags },
        ...{ requesters: [requestedBy, ...some(PEOPLE)], limitCents, premiumCents },
        ...{ lineOfBusiness: chosen(['GL', 'CA', null]), status: chosen(REFERRAL_STATUSES) },
        ...{ expiresOn: '2030-01-15', nextStepOn: '2030-01-04' },
      });
    }),
  );
  for (let n = 0; n < ACTORS; n += 1) {
    const lender = () => ({ id: chosen(PEOPLE), role: chosen(['underwriter', 'org_admin', 'auditor'] as const) });
    const lenders = some(PEOPLE).map(() => ({ ...lender(), authority: authority() }));
    const actor = anActor(orgId, { lenders });
    const listed = await database.forOrg(orgId, (em) => listReferrals(em, { decider: actor }, ALL));
    const due = rows.filter(
      (row) => OPEN_REFERRAL_STATUSES.includes(row.status) && may(actor, 'referral:decide', referralFacts(row)),
    );
    t.deepEqual(idsOf(listed), idsOf({ data: due }), JSON.stringify(actor));
  }
});

test('the deal rooms and the producers of a list are those that may be read one by one', async (t) => {
  const { database } = t.context;
  const orgId = await addOrganization(database);
  const { rooms, producers } = await database.transaction(orgId, async (em) => {
    const submissionId = aSubmission(em).id;
    await em.flush();
    const room = () => {
      const id = newId('dealRoom');
      const closing = { closeReason: null, closedAt: null, closedBy: null };
      const facts = { name: 'A room', status: 'open' as const, createdBy: 'ann', lastSequence: 0, version: 1 };
      addRow(em, DealRoom, { id, submissionId, ...facts, ...closing });
      const participantIds = some(PEOPLE);
      for (const userId of participantIds) {
        addParticipant(em, { dealRoomId: id, userId, role: chosen(['member', 'observer'] as const), addedBy: 'ann' });
      }
      return { id, participantIds };
    };
    const producer = () => em.create(Producer, { id: newId('producer'), name: 'An agency' }, { persist: true });
    return { rooms: Array.from({ length: ROWS }, room), producers: Array.from({ length: ROWS }, producer) };
  });
  for (let n = 0; n < ACTORS; n += 1) {
    const actor = anActor(orgId, { producerIds: some(producers).map(({ id }) => id) });
    const seen = await database.forOrg(orgId, async (em) => ({
      rooms: await listDealRooms(em, { visibility: visibility(actor, 'deal_room:read') }, ALL),
      producers: await listProducers(em, { visibility: visibility(actor, 'producer:read') }, ALL),
    }));
    const due = {
      rooms: rooms.filter(({ participantIds }) => may(actor, 'deal_room:read', { orgId, participantIds })),
      producers: producers.filter((row) => may(actor, 'producer:read', producerFacts(row))),
    };
    t.deepEqual(idsOf(seen.rooms), idsOf({ data: due.rooms }), JSON.stringify(actor));
    t.deepEqual(idsOf(seen.producers), idsOf({ data: due.producers }), JSON.stringify(actor));
  }
});
