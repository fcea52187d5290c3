// What a story is: one path through the workflows, and the runs whose histories are kept.
import type { Engine, Tenant } from '../run-engine.ts';

/** A run whose history is kept; `suffix` tells several of one story apart. */
export interface HistoryName {
  workflowId: string;
  runId?: string;
  suffix?: string;
}

export type Story = (tenant: Tenant, engine: Engine) => Promise<HistoryName[]>;
