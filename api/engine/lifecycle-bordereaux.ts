/** Making bordereaux, which no caller waits for. Part of `lifecycle.ts`. */

import { bordereauTarget } from '../../contracts/machinery/targets.ts';
import type { Gateway } from './gateway.ts';

export interface BordereauLifecycle {
  /** Starts making a bordereau whose row exists. Does nothing if it is in progress. */
  startBordereau(orgId: string, bordereauId: string): Promise<void>;
}

/** Builds the command on a gateway. */
export function bordereauLifecycle(gateway: Gateway, deadlineMs: number): BordereauLifecycle {
  return {
    startBordereau: (orgId, bordereauId) => gateway.ensure(bordereauTarget(orgId, bordereauId), deadlineMs),
  };
}
