// Reconciliation of the books: clean lives have no findings, and anything changed behind the application's back is
// found, along with the changed row. Contract 3.2 "Parts tie out", 3.4, domain facts 4.4.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { receiptPath } from '../../../activities/billing/payments/receipts.ts';
import { Invoice } from '../../../db/entities/billing/invoice.ts';
import { Payment } from '../../../db/entities/billing/payment.ts';
import { TAMPERED_CARDS } from './cards/tampered-cards.ts';
import { TAMPERED_PAYOUTS } from './cards/tampered-payouts.ts';
import { TAMPERED_EVENTS } from './events/tampered-events.ts';
import { TAMPERED_JOURNALS } from './journals/tampered-journals.ts';
import { TAMPERED_LATER } from './later/tampered-later.ts';
import { ReconciledBook } from './reconciled-book.ts';
import { TAMPERED_REMITTANCES } from './remittances/tampered-remittances.ts';
import { TAMPERED_BILLS } from './tampered-bills.ts';
import { TAMPERED_MONEY } from './tampered-money.ts';
import type { Tampering } from './tampering.ts';

let book: ReconciledBook;

test.before('a book of lives', async (t) => {
  book = await ReconciledBook.open(t);
});

test.after.always('the book is closed', () => book?.close());

test.serial('policy lives that follow the rules have no findings', async (t) => {
  const results = await book.reconcile();
  t.deepEqual(
    results.flatMap(({ findings }) => findings),
    [],
  );
  t.true(results.every(({ status }) => status === 'passed'));
});

for (const tampering of [
  ...TAMPERED_BILLS,
  ...TAMPERED_MONEY,
  ...TAMPERED_EVENTS,
  ...TAMPERED_REMITTANCES,
  ...TAMPERED_CARDS,
  ...TAMPERED_PAYOUTS,
  ...TAMPERED_JOURNALS,
  ...TAMPERED_LATER,
]) {
  const { what, finds, names, change } = tampering;
  test.serial(`${finds} finds it when ${what}`, async (t) => {
    const places = await placesOf(tampering);
    const put = (sql: string) => sql.replaceAll(/:(policy|invoice|org)\b/g, (_, name: string) => `'${places[name]}'`);
    const named = (await book.owner.query({ text: put(names), rowMode: 'array' })).rows.flat();
    try {
      t.true((await book.tamper(...change.map(put))) > 0, 'something is changed');
      const results = await book.reconcile();
      const found = results.find(({ name }) => name === finds)?.findings ?? [];
      t.true(named.length > 0 && found.some(({ entityId }) => named.includes(entityId)), JSON.stringify(results));
    } finally {
      await book.restore();
    }
  });
}

test.serial('the restored books are clean after all that', async (t) => {
  t.deepEqual(
    (await book.reconcile()).filter(({ found }) => found > 0),
    [],
  );
});

/** Receipts older than a week are read once in so many days. */
const ROTATION_DAYS = 30;

test.serial('an old receipt that is missing or was changed is found within thirty days', async (t) => {
  const { activities, orgId, providers, database, passDays } = book.steps;
  const receipts = await database.forOrg(orgId, (em) =>
    em.find(Payment, { receiptSha256: { $ne: null } }, { orderBy: { id: 'asc' } }),
  );
  // This clock stands still within a day, so that further receipts of one invoice would have the same path.
  const [first, second] = receipts.filter(({ invoiceId }) => isAlone(receipts, invoiceId));
  if (!first || !second) return t.fail('there are receipts');
  const foundInRotation = async () => {
    const found = new Set<string>();
    for (let day = 0; day < ROTATION_DAYS; day += 1) {
      const { results } = await activities.checkReceipts({ orgId, after: '' });
      for (const { entityId, part } of results.flatMap(({ findings }) => findings)) {
        if ([first.id, second.id].includes(entityId)) found.add(`${entityId} ${part}`);
      }
      passDays(1);
    }
    return [...found].sort();
  };
  t.deepEqual(await foundInRotation(), []);
  const pathOf = async ({ invoiceId, createdAt }: Payment) => {
    const invoice = await database.forOrg(orgId, (em) => em.findOneOrFail(Invoice, { id: invoiceId ?? '' }));
    return receiptPath(orgId, invoice.invoiceNumber, createdAt);
  };
  await providers.storage.put(await pathOf(first), 'Paid twice as much', 'text/html');
  rmSync(join(providers.folder, await pathOf(second)));
  t.deepEqual(await foundInRotation(), [`${first.id} changed`, `${second.id} missing`]);
});

test.serial('the checks against the card processor are skipped without its statement, and never passed', async (t) => {
  const { activities, orgId } = book.steps;
  const statement = { from: null, reason: 'The card processor could not be reached.' };
  const { results } = await activities.checkBooksPage({ orgId, statement, from: null });
  const skipped = results.filter(({ status }) => status === 'skipped').map(({ name, reason }) => [name, reason]);
  t.deepEqual(skipped, [
    ['card_statement', statement.reason],
    ['card_payments', statement.reason],
  ]);
});

function isAlone(receipts: readonly Payment[], invoiceId: string | null): boolean {
  return receipts.filter((receipt) => receipt.invoiceId === invoiceId).length === 1;
}

/** The policy, its first invoice and the organization, under the names that the statements use for them. */
async function placesOf({ life }: Tampering): Promise<Record<string, string>> {
  const { policyId } = book.lives[life];
  const [invoice] = await book.lives[life].invoices();
  return { policy: policyId, invoice: invoice?.id ?? '', org: book.steps.orgId };
}
