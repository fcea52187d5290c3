// The activities of this slice, by name.
import type { Deps } from '../context.ts';
import { deliverEvents } from './deliveries.ts';

export const deliveryActivities = (deps: Deps) => ({ deliverEvents: deliverEvents(deps) });
