// The bare saga's activities: one statement each, so that it leaves one row per step.
import type pg from 'pg';

export type FloorSteps = ReturnType<typeof createFloorSteps>;

export function createFloorSteps(pool: pg.Pool) {
  const insert = (id: string) => pool.query('insert into bench_steps (id) values ($1) on conflict do nothing', [id]);
  return {
    record: async (paymentId: string): Promise<void> => {
      await insert(paymentId);
    },
    step: async ({ paymentId, number }: { paymentId: string; number: number }): Promise<void> => {
      await insert(`${paymentId}/${number}`);
    },
  };
}
