// The activities of this slice, by name.
import type { Deps } from '../context.ts';
import { failBordereau, makeBordereau } from './bordereaux.ts';
import { announceDeadlines, organizationsWithDeadlines } from './deadlines.ts';
import { openMonthlyBordereaux } from './monthly-bordereaux.ts';

export const insightActivities = (deps: Deps) => ({
  announceDeadlines: announceDeadlines(deps),
  organizationsWithDeadlines: organizationsWithDeadlines(deps),
  makeBordereau: makeBordereau(deps),
  failBordereau: failBordereau(deps),
  openMonthlyBordereaux: openMonthlyBordereaux(deps),
});
