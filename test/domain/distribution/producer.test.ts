import test from 'ava';
import {
  ensureAppointable,
  ensureSells,
  movedProducerStatus,
  PRODUCER_STATUSES,
  sellerGap,
} from '../../../domain/distribution/producer.ts';
import { refusal } from './refusal.ts';

const verified = { inquiryId: 'inq_1', completedAt: '2026-01-01T00:00:00.000Z' };

/** Each status → those that a person may set for a producer whose identity has been verified. */
const MOVES = {
  pending: ['active', 'terminated'],
  active: ['suspended', 'terminated'],
  suspended: ['active', 'terminated'],
  terminated: [],
} as const;

for (const from of PRODUCER_STATUSES) {
  test(`a producer who is ${from} moves to ${MOVES[from].join(', ') || 'nothing'}, and the refusal names these`, (t) => {
    for (const to of PRODUCER_STATUSES) {
      const move = () => movedProducerStatus({ status: from, identity: verified }, to);
      const isAllowed = to === from || (MOVES[from] as readonly string[]).includes(to);
      if (isAllowed) t.is(move(), to);
      else t.deepEqual(refusal(move).details, { resource: 'producer', from, action: to, allowed: [...MOVES[from]] });
    }
  });
}

test('nobody becomes active before their identity has been verified', (t) => {
  for (const identity of [null, { inquiryId: 'inq_1', completedAt: null }]) {
    for (const status of ['pending', 'suspended'] as const) {
      const { code, details } = refusal(() => movedProducerStatus({ status, identity }, 'active'));
      t.is(code, 'invalid_state_transition');
      t.deepEqual(details, { resource: 'producer', from: status, action: 'active', allowed: ['terminated'] });
    }
  }
});

test('a refusal names no move to active before the identity has been verified', (t) => {
  const move = () => movedProducerStatus({ status: 'pending', identity: null }, 'suspended');
  t.deepEqual(refusal(move).details.allowed, ['terminated']);
});

test('a producer who is suspended or terminated cannot place new business', (t) => {
  t.notThrows(() => ensureSells('active'));
  t.notThrows(() => ensureSells('pending'));
  const { code, details } = refusal(() => ensureSells('suspended'));
  t.is(code, 'not_ready');
  t.deepEqual(details, { missing: [], blockers: ['PRODUCER_SUSPENDED'] });
  t.deepEqual(refusal(() => ensureSells('terminated')).details.blockers, ['PRODUCER_TERMINATED']);
});

test('the first thing that a seller lacks is named, and the name of a carrier counts without case and space around it', (t) => {
  const seller = { status: 'active', isLicensed: true, carriers: ['Pioneer'] } as const;
  t.is(sellerGap(seller, 'Pioneer'), null);
  t.is(sellerGap(seller, ' PIONEER'), null);
  t.is(sellerGap(seller, null), null);
  t.is(sellerGap(seller, 'Frontier'), 'carrier');
  t.is(sellerGap({ ...seller, isLicensed: false }, 'Pioneer'), 'license');
  t.is(sellerGap({ ...seller, status: 'suspended' }, 'Pioneer'), 'status');
  t.is(sellerGap({ ...seller, carriers: [] }, null), 'appointment');
});

test('a terminated producer is not appointed', (t) => {
  t.notThrows(() => ensureAppointable('suspended'));
  t.is(refusal(() => ensureAppointable('terminated')).code, 'invalid_state_transition');
});
