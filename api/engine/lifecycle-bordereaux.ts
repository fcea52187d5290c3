/** The making of bordereaux, which nobody waits for. Part of `lifecycle.ts`. */

import { bordereauTarget } from '../../contracts/machinery/targets.ts';
import type { Gateway } from './gateway.ts';

export interface BordereauLifecycle {
  /** Starts the making of a bordereau whose row is there. Does nothing when it is under way. */
  startBordereau(orgId: string, bordereauId: string): Promise<void>;
}

/** Builds the command on a gateway. */
export function bordereauLifecycle(gateway: Gateway, deadlineMs: number): BordereauLifecycle {
  return {
    startBordereau: (orgId, bordereauId) => gateway.ensure(bordereauTarget(orgId, bordereauId), deadlineMs),
  };
}
