// The activities of this slice, by name.
import type { Deps } from '../context.ts';
import { endSaga, healOrganization } from './healing.ts';
import { acceptClockAdvance, walkTestClock } from './test-clock.ts';

export const platformActivities = (deps: Deps) => ({
  endSaga: endSaga(deps),
  healOrganization: healOrganization(deps),
  acceptClockAdvance: acceptClockAdvance(deps),
  walkTestClock: walkTestClock(deps),
});
