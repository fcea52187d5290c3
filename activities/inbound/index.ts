// The activities of this slice, by name.
import type { Deps } from '../context.ts';
import { recordEmailEvent } from './email-events.ts';
import { recordIdentityEvent } from './identity-events.ts';
import { recordSigningEvent } from './signing-events.ts';

export const inboundActivities = (deps: Deps) => ({
  recordIdentityEvent: recordIdentityEvent(deps),
  recordEmailEvent: recordEmailEvent(deps),
  recordSigningEvent: recordSigningEvent(deps),
});
