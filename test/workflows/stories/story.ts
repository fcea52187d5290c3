// What a story is: one path through the workflows, and the runs whose histories are stored.
import type { Engine, Tenant } from '../run-engine.ts';

/** A run whose history is stored; `suffix` distinguishes several runs of one story. */
export interface HistoryName {
  workflowId: string;
  runId?: string;
  suffix?: string;
}

export type Story = (tenant: Tenant, engine: Engine) => Promise<HistoryName[]>;
