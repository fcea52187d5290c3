// The final account of a chaos run: what every table must hold if each answered command ran exactly once, read as the
// owner of the tables, past row-level security.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Rows } from '../faults/bind.ts';
import type { Answered } from './patient-client.ts';

/** The commands of each kind, by the end of their path, and the rows that each one leaves. */
const ONE_FOR_EACH: readonly { command: RegExp; rows: Readonly<Record<string, string>> }[] = [
  {
    command: /\/submissions$/,
    rows: { submissions: 'select count(*) from submissions', audit: auditOf('submission:create') },
  },
  { command: /\/quote$/, rows: { quotes: 'select count(*) from quotes', audit: auditOf('submission:quote') } },
  {
    command: /\/bind$/,
    rows: {
      policies: 'select count(*) from policies',
      'policy numbers': 'select count(distinct (org_id, policy_number)) from policies',
      transactions: transactionsOf('new_business'),
      'policy.bound events': eventsOf('policy.bound'),
      audit: auditOf('submission:bind'),
    },
  },
  { command: /\/endorse$/, rows: { transactions: transactionsOf('endorsement'), audit: auditOf('policy:endorse') } },
  { command: /\/cancel$/, rows: { transactions: transactionsOf('cancellation'), audit: auditOf('policy:cancel') } },
  {
    command: /\/reinstate$/,
    rows: { transactions: transactionsOf('reinstatement'), audit: auditOf('policy:reinstate') },
  },
  { command: /\/pay$/, rows: { payments: "select count(*) from payments where kind = 'manual'" } },
  { command: /\/payment-intent$/, rows: { intents: 'select count(*) from payment_intents' } },
  {
    command: /\/refund$/,
    rows: { refunds: "select count(*) from payments where kind = 'refund' and policy_transaction_id is null" },
  },
  {
    command: /\/claims$/,
    rows: {
      claims: 'select count(*) from claims',
      'claim numbers': 'select count(distinct (org_id, claim_number)) from claims',
      'claim.filed events': eventsOf('claim.filed'),
      audit: auditOf('claim:file'),
    },
  },
  {
    command: /\/reserves$/,
    rows: { 'claim.reserved events': eventsOf('claim.reserved'), audit: auditOf('claim:reserve') },
  },
  {
    command: /\/deny$/,
    rows: { claims: "select count(*) from claims where status = 'denied'", audit: auditOf('claim:deny') },
  },
  {
    command: /./,
    rows: { 'answers that are kept': "select count(*) from idempotency_keys where state = 'done'" },
  },
];

/** Rows that must not exist. */
const NONE: Readonly<Record<string, string>> = {
  'an insured was submitted twice':
    'select insured_name from submissions group by org_id, insured_name having count(*) > 1',
  'a submission was bound twice': 'select submission_id from policies group by 1 having count(*) > 1',
  'a policy number was given twice': 'select policy_number from policies group by org_id, 1 having count(*) > 1',
  'an invoice number was given twice': 'select invoice_number from invoices group by org_id, 1 having count(*) > 1',
  'a payment is there twice':
    'select reference from payments group by org_id, invoice_id, method, reference having count(*) > 1',
  'an entry of a ledger is there twice': `select source_id from ledger_entries
     group by org_id, ledger, entry_type, source_type, source_id having count(*) > 1`,
  'an entry of a ledger does not balance': `select entry_id from ledger_lines
     group by 1 having sum(debit_cents) <> sum(credit_cents)`,
  'an invoice shows other receipts than there are': `select id from invoices i where paid_cents <> (select
     coalesce(sum(applied_cents), 0) from payments p where p.invoice_id = i.id and kind in ('card', 'manual'))`,
  'an invoice shows other refunds than there are': `select id from invoices i where refunded_cents <> (select
     coalesce(-sum(applied_cents), 0) from payments p
     where p.invoice_id = i.id and kind = 'refund' and status = 'succeeded')`,
  'a payment still has work to do': 'select id from payments where saga_ended_at is null',
  'a payment failed': "select id from payments where status <> 'succeeded'",
  'money matches no invoice': 'select id from payments where invoice_id is null',
  'the trust was never reconciled': 'select 1 where not exists (select from trust_reconciliations)',
  'the trust did not reconcile': 'select org_id, figures from trust_reconciliations where not is_clean',
  // Nobody has an e-mail address: letters about claims have to be posted.
  'an operation failed': `select data from events
     where type = 'financial.operation_failed' and data ->> 'operation' <> 'letter.not_delivered'`,
  'a command still holds its key': "select key_hash from idempotency_keys where state <> 'done'",
  'the authority counts other premium than the policies have': `select org_id from da_usage u
     group by 1 having sum(used_cents) <> (select sum(gross_premium_cents) from policies p where p.org_id = u.org_id)`,
};

/** One sentence per error. */
export async function rowFindings(rows: Rows, commands: readonly Answered[]): Promise<string[]> {
  const findings: string[] = [];
  for (const { command, rows: expected } of ONE_FOR_EACH) {
    const answered = commands.filter(({ path }) => command.test(path)).length;
    for (const [what, query] of Object.entries(expected)) {
      const [row] = await rows.query<{ count: string }>(query);
      if (Number(row?.count) !== answered) {
        findings.push(`${answered} answers to ${command.source} left ${row?.count} ${what}`);
      }
    }
  }
  for (const [what, query] of Object.entries(NONE)) {
    const found = await rows.query(query);
    if (found.length > 0) findings.push(`${what}: ${JSON.stringify(found.slice(0, 3))} (${found.length})`);
  }
  return findings;
}

/** Every receipt of money for an invoice has its document, and there are no other documents. */
export async function receiptFindings(rows: Rows, dataDir: string): Promise<string[]> {
  const [row] = await rows.query<{ count: string }>(
    "select count(*) from payments where kind in ('card', 'manual') and invoice_id is not null",
  );
  const stored = readdirSync(join(dataDir, 'storage'), { recursive: true, encoding: 'utf8' });
  const receipts = stored.filter((name) => /receipts\/RCPT-.*\.html$/.test(name)).length;
  return receipts === Number(row?.count) ? [] : [`${row?.count} receipts of money have ${receipts} documents`];
}

function transactionsOf(type: string): string {
  return `select count(*) from policy_transactions where type = '${type}'`;
}

function eventsOf(type: string): string {
  return `select count(*) from events where type = '${type}'`;
}

function auditOf(action: string): string {
  return `select count(*) from audit_entries where action = '${action}'`;
}
