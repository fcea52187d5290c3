// Tampering with manual journals and skipped steps, each with the check that finds it.
import { RECEIPT, type Tampering } from '../tampering.ts';

const POSTED = "select id from journals where status = 'posted'";
const WAITING = "select id from journals where status = 'pending_approval'";
const ENTRY = `select entry_id from journals where status = 'posted'`;
const smaller = (side: 'debit' | 'credit') => `update ledger_lines set ${side}_cents = ${side}_cents - 100
  where ${side}_cents > 0 and entry_id in (${ENTRY})`;

export const TAMPERED_JOURNALS: readonly Tampering[] = [
  {
    what: 'the row of a journal is deleted',
    life: 'paid',
    change: ["delete from journals where status = 'posted'"],
    finds: 'entry_source',
    names: ENTRY,
  },
  {
    what: 'the entry of a journal is deleted',
    life: 'paid',
    change: [
      `delete from ledger_lines where entry_id in (${ENTRY})`,
      `delete from ledger_entries where id in (${ENTRY})`,
    ],
    finds: 'journal_entries',
    names: POSTED,
  },
  {
    what: 'the entry of a journal is smaller than what was approved',
    life: 'paid',
    change: [smaller('debit'), smaller('credit')],
    finds: 'journal_entries',
    names: POSTED,
  },
  {
    what: 'the entry of a journal credits another account',
    life: 'paid',
    change: [`update ledger_lines set account = 2090 where account = 2070 and entry_id in (${ENTRY})`],
    finds: 'journal_entries',
    names: POSTED,
  },
  {
    what: 'a posted journal and its entry are smaller in step',
    life: 'paid',
    change: [
      smaller('debit'),
      smaller('credit'),
      `update journals set lines = replace(lines::text, ': 750', ': 650')::jsonb where status = 'posted'`,
    ],
    finds: 'journal_audit',
    names: POSTED,
  },
  {
    what: 'another amount of a posted journal was published',
    life: 'paid',
    change: [`update events set data = jsonb_set(data, '{amount}', '1') where type = 'journal.posted'`],
    finds: 'journal_events',
    names: POSTED,
  },
  {
    what: 'the event of a posted journal is deleted',
    life: 'paid',
    change: ["delete from events where type = 'journal.posted'"],
    finds: 'journal_events',
    names: POSTED,
  },
  {
    what: 'a journal that waits is posted past its approval',
    life: 'paid',
    change: [
      `insert into ledger_entries
          (id, org_id, ledger, entry_type, source_type, source_id, date, description, line_count)
        select 'led_past', org_id, ledger, 'journal', 'journal', id, date, description, 2 from journals
          where status = 'pending_approval'`,
      `insert into ledger_lines (id, org_id, entry_id, ledger, account, debit_cents, credit_cents)
        select 'led_past-' || (line ->> 'account'), org_id, 'led_past', ledger, (line ->> 'account')::int,
            (line ->> 'debitCents')::bigint, (line ->> 'creditCents')::bigint
          from journals, jsonb_array_elements(lines) line where status = 'pending_approval'`,
      `update journals set status = 'posted', decided_by = 'somebody', decided_at = now(), entry_id = 'led_past'
        where status = 'pending_approval'`,
    ],
    finds: 'journal_audit',
    names: WAITING,
  },
  {
    what: 'a journal is said to be approved by somebody else',
    life: 'paid',
    change: ["update journals set decided_by = 'somebody' where status = 'posted'"],
    finds: 'journal_audit',
    names: POSTED,
  },
  {
    what: 'a step that was left out is said to be made up for',
    life: 'paid',
    change: [
      `insert into step_skips (org_id, payment_id, step, skipped_by, mended_by)
        select :org, id, 'fiduciary ledger', 'operator', (${ENTRY} limit 1) from payments where id in (${RECEIPT})`,
    ],
    finds: 'steps_left_out',
    names: RECEIPT,
  },
];
