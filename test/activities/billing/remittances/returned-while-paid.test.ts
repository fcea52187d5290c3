// A return of money and the remittance of its shares, at the same moment: whichever commits second sees the other.
import { setImmediate as nextTurn } from 'node:timers/promises';
import test from 'ava';
import { newId } from '../../../../db/ids.ts';
import { lockInvoice } from '../../../../db/queries/billing/invoices.ts';
import { postEntry } from '../../../../db/queries/billing/ledger.ts';
import { heldFor } from '../../../../db/queries/billing/remittances/owed.ts';
import { keepTrustWhole } from '../../../../db/queries/billing/remittances/shortfalls.ts';
import { returnEntry } from '../../../../domain/billing/ledger/entries.ts';
import { NO_SPLIT } from '../../../../domain/billing/ledger/returned-part.ts';
import { Rows } from '../../../faults/bind.ts';
import { eventually } from '../../../support/eventually.ts';
import { SAMPLE_TOTAL_CENTS } from '../../../workflows/billing/billed.ts';
import { prepareSteps, refused } from '../../steps.ts';
import { insuredBy, Money } from '../returns.ts';
import { prepared } from './remitted.ts';

const TRANSFER = { kind: 'transfer', payee: '' } as const;
const APPROVER = { kind: 'user', id: 'test-approver', role: 'billing_admin' } as const;
const WAITING = `select 1 from pg_locks l join pg_database d on d.oid = l.database
  where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`;

test('a payment that is approved while a return takes some of it back waits, and is then refused', async (t) => {
  const steps = await prepareSteps(t);
  const { activities, command, database, orgId, today } = steps;
  const rows = new Rows(steps.ownerUrl);
  const money = await Money.on(steps, await insuredBy(steps));
  await money.payByCheck(SAMPLE_TOTAL_CENTS);
  await money.finish();
  const remittanceId = await prepared(steps, TRANSFER.kind, TRANSFER.payee);
  const approval = { ...command(remittanceId, { decision: 'approve' as const, reason: null }), actor: APPROVER };

  let isDecided = false;
  const approving = { refusal: Promise.resolve({}) };
  await database.transaction(orgId, async (em) => {
    const invoice = await lockInvoice(em, money.invoiceId);
    if (invoice === null) throw new Error('There is no invoice');
    const { id: invoiceId, policyId } = invoice;
    const source = { sourceType: 'refund', sourceId: newId('refund'), date: today, policyId, invoiceId } as const;
    postEntry(em, returnEntry({ ...NO_SPLIT, mgaCents: 1_000 }, 0), { ...source, description: 'Returned' });
    await keepTrustWhole(em, invoice, today);
    await em.flush();
    approving.refusal = refused(t, activities.decideRemittance(approval), 'not_ready').finally(() => {
      isDecided = true;
    });
    await nextTurn();
    const isWaiting = async () => (await rows.query(WAITING)).length > 0;
    await eventually(async () => isDecided || (await isWaiting()), { what: 'the approval to wait' });
  });
  t.like(await approving.refusal, { blockers: ['returned_since_prepared'] });
  const held = await database.forOrg(orgId, (em) => heldFor(em, TRANSFER));
  t.true([...held.values()].every((cents) => cents >= 0));
});
