import test from 'ava';
import {
  type ClaimClocks,
  lettersOwed,
  meetClocks,
  missedClocks,
  nextClaimDate,
  noteLetter,
  restartedDecision,
  startClaimClocks,
  turnClocks,
} from '../../../domain/claim/clocks.ts';
import { DomainError } from '../../../domain/errors.ts';

// Monday, March 2, 2026.
const NOTICE = '2026-03-02';

test('each state counts its own days, working days without Saturdays and Sundays; others have the shortest general ones', (t) => {
  const due = (state: string) => {
    const { claim_ack, claim_decision } = startClaimClocks(state, NOTICE);
    return [claim_ack.dueDate, claim_decision.dueDate];
  };
  // Two weeks of five working days; three such weeks.
  for (const state of ['AK', 'AZ']) t.deepEqual(due(state), ['2026-03-16', '2026-03-23'], state);
  t.deepEqual(due('AR'), ['2026-03-23', '2026-03-23']);
  t.deepEqual(due('CA'), ['2026-03-17', '2026-04-11']);
  t.deepEqual(due('DE'), ['2026-03-23', '2026-04-01']);
  t.deepEqual(due('TX'), ['2026-03-12', '2026-04-01']);
  // Counting from a Saturday, the first working day is the following Monday.
  t.is(startClaimClocks('AK', '2026-03-07').claim_ack.dueDate, '2026-03-20');
});

test('a due date is announced seven days and one day before, and is missed the day after', (t) => {
  let clocks: ClaimClocks = startClaimClocks('TX', NOTICE);
  const turnTo = (day: string) => {
    const { announced, missed, clocks: turned } = turnClocks(clocks, day);
    clocks = turned;
    return [...announced.map(({ kind, daysLeft }) => `${kind} ${daysLeft}`), ...missed.map((kind) => `${kind} missed`)];
  };
  const days: [string, string[]][] = [
    ['2026-03-05', ['claim_ack 7']],
    ['2026-03-11', ['claim_ack 1']],
    ['2026-03-13', ['claim_ack missed']],
    ['2026-03-25', ['claim_decision 7']],
    ['2026-03-31', ['claim_decision 1']],
    ['2026-04-02', ['claim_decision missed']],
  ];
  for (const [day, expected] of days) {
    t.is(nextClaimDate(clocks)?.on, day);
    t.deepEqual(turnTo(day), expected, day);
    t.deepEqual(turnTo(day), [], `${day}, again`);
  }
  t.is(nextClaimDate(clocks), null);
  t.deepEqual(missedClocks(clocks), ['acknowledgement', 'decision']);
});

test('only the last announcement is made after days without a worker, and none is missed on the due date itself', (t) => {
  const clocks = startClaimClocks('TX', NOTICE);
  const late = turnClocks(clocks, '2026-03-12');
  t.deepEqual(late.announced, [{ kind: 'claim_ack', dueDate: '2026-03-12', daysLeft: 0 }]);
  t.deepEqual(late.missed, []);
  t.is(nextClaimDate(late.clocks)?.on, '2026-03-13');
  t.deepEqual(turnClocks(clocks, '2026-05-01').announced, []);
  t.deepEqual(turnClocks(clocks, '2026-05-01').missed, ['claim_ack', 'claim_decision']);
});

test('a clock that is met keeps its day and has no further step; a reopened claim counts again', (t) => {
  const clocks = startClaimClocks('CA', NOTICE);
  const acknowledged = meetClocks(clocks, ['claim_ack'], '2026-03-04');
  t.is(acknowledged.claim_ack.metOn, '2026-03-04');
  t.is(meetClocks(acknowledged, ['claim_ack'], '2026-03-09').claim_ack.metOn, '2026-03-04');
  t.is(nextClaimDate(acknowledged)?.on, '2026-04-04');
  const decided = meetClocks(acknowledged, ['claim_decision'], '2026-03-20');
  t.is(nextClaimDate(decided), null);
  t.deepEqual(restartedDecision('CA', '2026-06-01'), {
    claim_decision: { dueDate: '2026-07-11', metOn: null, announcedDays: null, isMissed: false },
    claim_status: { dueDate: '2026-08-10', announcedDays: null, everyDays: 30 },
  });
});

test('a status letter is due every 45 or 30 days after the decision date until there is a decision', (t) => {
  const firstLetter = (state: string) => lettersOwed(startClaimClocks(state, NOTICE))?.dueDate ?? null;
  // The decision is due on March 23, in California on April 11.
  for (const state of ['AK', 'AZ', 'AR']) t.is(firstLetter(state), '2026-05-07', state);
  t.is(firstLetter('CA'), '2026-05-11');
  for (const state of ['DE', 'TX']) t.is(firstLetter(state), null, state);
  let clocks = turnClocks(startClaimClocks('CA', NOTICE), '2026-05-03').clocks;
  const days: [string, announced: number[], missed: string[]][] = [
    ['2026-05-04', [7], []],
    ['2026-05-10', [1], []],
    // On its due date it is still owed.
    ['2026-05-11', [], []],
    ['2026-05-12', [], ['2026-05-11']],
    ['2026-06-03', [7], []],
    // Days without a worker: two letters' dates have passed, and the third is near.
    ['2026-07-31', [], ['2026-06-10', '2026-07-10']],
    ['2026-08-08', [1], []],
  ];
  for (const [day, announced, missed] of days) {
    const turn = turnClocks(clocks, day);
    t.deepEqual(turn.lettersMissed, missed, day);
    t.deepEqual(
      turn.announced.map(({ kind, daysLeft }) => [kind, daysLeft]),
      announced.map((daysLeft) => ['claim_status', daysLeft]),
      day,
    );
    clocks = turn.clocks;
    t.deepEqual(turnClocks(clocks, day).announced, [], `${day}, again`);
  }
  t.deepEqual(nextClaimDate(clocks), { on: '2026-08-10', what: 'status letter by 2026-08-09' });
  const decided = meetClocks(clocks, ['claim_decision'], '2026-08-08');
  t.is(lettersOwed(decided), null);
  t.is(nextClaimDate(decided), null);
});

test('a status letter that was sent moves the next one on from that day, never back, and only while one is owed', (t) => {
  const clocks = startClaimClocks('CA', NOTICE);
  const day = (today: string) => ({ earliest: NOTICE, today, status: 'investigating' as const });
  const letters = (found: ClaimClocks) => [found.claim_status?.dueDate, found.claim_status?.sentOn];
  // The first is due on May 11; sending it much earlier does not move the next one up.
  t.deepEqual(letters(noteLetter(clocks, '2026-04-01', day('2026-04-02'))), ['2026-05-11', '2026-04-01']);
  const sent = noteLetter(turnClocks(clocks, '2026-05-04').clocks, '2026-05-05', day('2026-05-05'));
  t.deepEqual(letters(sent), ['2026-06-04', '2026-05-05']);
  t.deepEqual(nextClaimDate(sent)?.on, '2026-05-28', 'seven days before');
  const later = turnClocks(sent, '2026-06-05');
  t.deepEqual([later.lettersMissed, ...letters(later.clocks)], [['2026-06-04'], '2026-07-04', '2026-05-05']);
  for (const [on, rule] of [
    ['2026-05-06', 'max'],
    ['2026-05-04', 'min'],
  ] as const) {
    const refusal = t.throws(() => noteLetter(sent, on, day('2026-05-05')), { instanceOf: DomainError });
    t.like(refusal?.details, { field: 'sentOn', rule });
  }
  const none = [
    [startClaimClocks('TX', NOTICE), 'investigating'],
    [meetClocks(clocks, ['claim_decision'], '2026-04-01'), 'denied'],
    [clocks, 'closed'],
  ] as const;
  for (const [of, status] of none) {
    const refusal = t.throws(() => noteLetter(of, '2026-04-02', { ...day('2026-04-02'), status }), {
      instanceOf: DomainError,
    });
    t.like(refusal, { code: 'invalid_state_transition' }, status);
    t.notDeepEqual(refusal?.details.allowed, []);
  }
});
