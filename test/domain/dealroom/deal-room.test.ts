import test from 'ava';
import {
  DEAL_ROOM_STATUSES,
  ensureMayWrite,
  ensureOpenForMessages,
  ensureParticipantsMayChange,
  nextDealRoomStatus,
  seesInternal,
} from '../../../domain/dealroom/deal-room.ts';

test('A room is closed, opened again or archived, and an archived one stays so', (t) => {
  t.is(nextDealRoomStatus('open', 'close'), 'closed');
  t.is(nextDealRoomStatus('closed', 'reopen'), 'open');
  t.is(nextDealRoomStatus('closed', 'archive'), 'archived');
  for (const [from, action] of [
    ['open', 'archive'],
    ['open', 'reopen'],
    ['closed', 'close'],
    ['archived', 'reopen'],
    ['archived', 'close'],
  ] as const) {
    t.like(
      t.throws(() => nextDealRoomStatus(from, action)),
      { code: 'invalid_state_transition' },
    );
  }
});

test('Only an open room takes messages, and an archived one keeps its participants', (t) => {
  for (const status of DEAL_ROOM_STATUSES) {
    const code = 'deal_room_closed';
    if (status === 'open') t.notThrows(() => ensureOpenForMessages(status));
    else
      t.like(
        t.throws(() => ensureOpenForMessages(status)),
        { code },
      );
    if (status !== 'archived') t.notThrows(() => ensureParticipantsMayChange(status));
    else
      t.like(
        t.throws(() => ensureParticipantsMayChange(status)),
        { code },
      );
  }
});

test('A producer neither sees nor posts an internal message', (t) => {
  t.false(seesInternal('producer'));
  t.true(seesInternal('underwriter'));
  t.like(
    t.throws(() => ensureMayWrite('internal', 'producer')),
    { code: 'forbidden' },
  );
  t.notThrows(() => ensureMayWrite('all', 'producer'));
  t.notThrows(() => ensureMayWrite('internal', 'underwriter'));
});
