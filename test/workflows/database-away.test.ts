import test from 'ava';
import { findSubmission } from '../../db/queries/submission/submissions.ts';
import { cuttableLine } from '../support/servers/cuttable-line.ts';
import { createTestDatabase } from '../support/servers/database.ts';
import { startEngine } from './engine.ts';
import { quotesOf } from './quotes-of.ts';

test('commands that meet an unavailable database wait in their order and are carried out once it is back', async (t) => {
  const line = await cuttableLine(await createTestDatabase(t));
  const engine = await startEngine(t, { database: line.database });
  const submissionId = await engine.created();

  line.cut();
  const refused = line.refused(3);
  const quoting = engine.lifecycle.quoteSubmission(engine.command(submissionId, {}));
  await refused;
  const withdrawing = engine.lifecycle.withdrawSubmission(engine.command(submissionId, {}));
  line.mend();

  t.is((await quoting).status, 'quoted');
  t.is((await withdrawing).status, 'withdrawn');
  const [row, quotes] = await engine.database.forOrg(engine.orgId, async (em) => [
    await findSubmission(em, submissionId),
    await quotesOf(em, submissionId),
  ]);
  t.is(row?.status, 'withdrawn');
  t.is(quotes.length, 1);
});
