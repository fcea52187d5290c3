// The account of a chaos run over HTTP: what either API says of each policy, invoice and claim is what its row says.
import type { Rows } from '../faults/bind.ts';
import type { PatientClient } from './patient-client.ts';

/** A resource, its rows with the names of the wire, in dollars. */
const RESOURCES: readonly { path: string; rows: string }[] = [
  {
    path: '/v1/policies',
    rows: `select org_id, id, jsonb_build_object('policyNumber', policy_number, 'status', status,
      'grossPremium', gross_premium_cents / 100.0, 'totalDue', total_due_cents / 100.0) as says from policies`,
  },
  {
    path: '/v1/invoices',
    rows: `select org_id, id, jsonb_build_object('invoiceNumber', invoice_number, 'total', total_cents / 100.0,
      'paidAmount', paid_cents / 100.0, 'refundedAmount', refunded_cents / 100.0) as says from invoices`,
  },
  {
    path: '/v1/claims',
    rows: `select org_id, id, jsonb_build_object('claimNumber', claim_number, 'status', status,
      'incurred', (reserve_indemnity_cents + reserve_expense_cents) / 100.0) as says from claims`,
  },
];

/** Reads every row's resource in its organization; one sentence per difference. */
export async function readingFindings(
  rows: Rows,
  readerOf: (orgId: string) => Pick<PatientClient, 'read'>,
): Promise<string[]> {
  const findings: string[] = [];
  for (const { path, rows: query } of RESOURCES) {
    for (const { org_id, id, says } of await rows.query<{ org_id: string; id: string; says: object }>(query)) {
      const body = await readerOf(org_id).read(`${path}/${id}`);
      const wrong = Object.entries(says).filter(([name, value]) => body[name] !== value);
      for (const [name, value] of wrong) findings.push(`${path}/${id} says ${name} ${body[name]}, its row ${value}`);
    }
  }
  return findings;
}
