// What the application may do with the texts and history of claims: add to them, and nothing else.
import anyTest, { type TestFn } from 'ava';
import { type DatabaseContext, withDatabase } from '../rows.ts';

const test = anyTest as TestFn<DatabaseContext>;
withDatabase(test, 2);

test('the records of a claim are append-only: no row is changed or deleted', async (t) => {
  const { database, orgId } = t.context;
  const statements = ['claim_particulars', 'claim_notes', 'claim_payees', 'claim_references', 'claim_entries'].flatMap(
    (table) => [`update ${table} set created_at = created_at`, `delete from ${table}`],
  );
  const ofClaims = ['update claims set contains_phi = false', 'update claims set policy_id = policy_id'];
  for (const statement of [...statements, ...ofClaims, 'delete from claims']) {
    const attempt = database.forOrg(orgId, (em) => em.execute(statement));
    await t.throwsAsync(attempt, { message: /permission denied/ }, statement);
  }
});
