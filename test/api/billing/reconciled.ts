// A reconciliation of an organization's books, from start to result.
import type { TestClient } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { bodyOf } from '../../support/house.ts';

const PATH = '/v1/trust-reconciliations';

/**
 * Reconciles the books and returns the new run, with the names of the failed checks.
 * @param billing may start a run
 */
export async function reconciled(billing: TestClient) {
  const { id } = bodyOf(await billing.post(PATH), 202);
  const run = await eventually(
    async () => {
      const read = bodyOf(await billing.get(`${PATH}/${id}`));
      return read.status === 'completed' && read;
    },
    { what: 'the reconciliation' },
  );
  const failed = run.checks.filter(({ status }: { status: string }) => status === 'failed');
  return { ...run, failed: failed.map(({ name }: { name: string }) => name) };
}
