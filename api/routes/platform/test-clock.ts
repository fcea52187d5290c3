// The test clock of the local and sandbox environments: moves the organization's business date forward. Contract 3.9.
import { z } from 'zod';
import { withDeadlineOfItsOwn } from '../../../db/deadline.ts';
import { businessDateAt } from '../../../domain/business-day.ts';
import { addDays } from '../../../domain/dates.ts';
import { validationError } from '../../../domain/errors.ts';
import { TEST_CLOCK_DEADLINE_MS, TEST_CLOCK_MAX_DAYS_AHEAD } from '../../../domain/limits.ts';
import { allow } from '../../spine/access.ts';
import type { AppDeps } from '../../spine/deps.ts';
import { route } from '../../spine/route.ts';
import { isoDate } from '../../spine/schemas.ts';

const TAG = 'Test clock';
const SPEC = 'Contract 3.9';
const path = '/test-clock';
const ENVIRONMENTS = ['local', 'sandbox'] as const;

const TestClockSchema = z
  .strictObject({ date: isoDate.meta({ description: 'The business date.' }), realDate: isoDate })
  .meta({ id: 'TestClock' });

const AdvancedClockSchema = z.strictObject({ date: isoDate }).meta({ id: 'AdvancedClock' });

const AdvanceClockSchema = z.strictObject({ advanceTo: isoDate }).meta({ id: 'AdvanceClock' });

const readTestClock = route({
  method: 'get',
  path,
  environments: ENVIRONMENTS,
  operationId: 'readTestClock',
  tag: TAG,
  spec: SPEC,
  summary: 'Read the business date',
  description:
    '`date` is the business date, which every rule of the organization uses; `realDate` is the day in UTC. The clock exists in local and sandbox environments only.',
  access: allow('test_clock:read'),
  response: { status: 200, body: TestClockSchema },
  errors: [],
  handler: ({ org, deps }) => ({ date: org.today, realDate: realDate(deps) }),
});

const advanceTestClock = route({
  method: 'post',
  path,
  environments: ENVIRONMENTS,
  operationId: 'advanceTestClock',
  tag: TAG,
  spec: SPEC,
  summary: 'Move the business date forward',
  description: `Returns when everything due up to that date has happened, in date order. The date cannot go back, nor more than ${TEST_CLOCK_MAX_DAYS_AHEAD} days ahead of the calendar.`,
  access: allow('test_clock:advance'),
  body: AdvanceClockSchema,
  response: { status: 200, body: AdvancedClockSchema },
  deadlineMs: TEST_CLOCK_DEADLINE_MS,
  errors: ['invalid_state_transition'],
  handler: async ({ body, org, deps, lifecycle, command }) => {
    const latest = addDays(realDate(deps), TEST_CLOCK_MAX_DAYS_AHEAD);
    if (body.advanceTo > latest)
      throw validationError('advanceTo', 'max', `advanceTo must not be later than ${latest}.`, { latest });
    try {
      const { date } = await withDeadlineOfItsOwn(TEST_CLOCK_DEADLINE_MS, () =>
        lifecycle.advanceTestClock(command(body, org.id)),
      );
      return { date };
    } finally {
      // The clock may have moved on its way even if it has not arrived.
      deps.organizations.forget(org.id);
    }
  },
});

export const testClockRoutes = [readTestClock, advanceTestClock];

function realDate({ now }: AppDeps): string {
  return businessDateAt(now(), 0);
}
