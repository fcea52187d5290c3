import test from 'ava';
import {
  type ClaimClocks,
  meetClocks,
  missedClocks,
  nextClockStep,
  restartedDecision,
  startClaimClocks,
  turnClocks,
} from '../../../domain/claim/clocks.ts';

// Monday, 2 March 2026.
const NOTICE = '2026-03-02';

test('each state counts its own days, working days without Saturdays and Sundays; others have the shortest general ones', (t) => {
  const due = (state: string) => {
    const { claim_ack, claim_decision } = startClaimClocks(state, NOTICE);
    return [claim_ack.dueDate, claim_decision.dueDate];
  };
  // Two weeks of five working days; three weeks of them.
  for (const state of ['AK', 'AZ']) t.deepEqual(due(state), ['2026-03-16', '2026-03-23'], state);
  t.deepEqual(due('AR'), ['2026-03-23', '2026-03-23']);
  t.deepEqual(due('CA'), ['2026-03-17', '2026-04-11']);
  t.deepEqual(due('DE'), ['2026-03-23', '2026-04-01']);
  t.deepEqual(due('TX'), ['2026-03-12', '2026-04-01']);
  // From a Saturday the first working day is the Monday after it.
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
    t.is(nextClockStep(clocks)?.on, day);
    t.deepEqual(turnTo(day), expected, day);
    t.deepEqual(turnTo(day), [], `${day}, again`);
  }
  t.is(nextClockStep(clocks), null);
  t.deepEqual(missedClocks(clocks), ['acknowledgement', 'decision']);
});

test('after days without a worker only the last announcement is made, and on the due date itself none is missed', (t) => {
  const clocks = startClaimClocks('TX', NOTICE);
  const late = turnClocks(clocks, '2026-03-12');
  t.deepEqual(late.announced, [{ kind: 'claim_ack', dueDate: '2026-03-12', daysLeft: 0 }]);
  t.deepEqual(late.missed, []);
  t.is(nextClockStep(late.clocks)?.on, '2026-03-13');
  t.deepEqual(turnClocks(clocks, '2026-05-01').announced, []);
  t.deepEqual(turnClocks(clocks, '2026-05-01').missed, ['claim_ack', 'claim_decision']);
});

test('a clock that is met keeps its day and has no further step; a reopened claim counts again', (t) => {
  const clocks = startClaimClocks('CA', NOTICE);
  const acknowledged = meetClocks(clocks, ['claim_ack'], '2026-03-04');
  t.is(acknowledged.claim_ack.metOn, '2026-03-04');
  t.is(meetClocks(acknowledged, ['claim_ack'], '2026-03-09').claim_ack.metOn, '2026-03-04');
  t.is(nextClockStep(acknowledged)?.on, '2026-04-04');
  const decided = meetClocks(acknowledged, ['claim_decision'], '2026-03-20');
  t.is(nextClockStep(decided), null);
  t.deepEqual(restartedDecision('CA', '2026-06-01'), {
    ...{ dueDate: '2026-07-11', metOn: null, announcedDays: null, isMissed: false },
  });
});
