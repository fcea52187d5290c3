// The statement of account of a policy: what it owed and paid over time, for staff and, in the portal, for the insured.
import type { IncomingHttpHeaders } from 'node:http';
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { Policy } from '../../../db/entities/policy/policy.ts';
import { policyAccount } from '../../../db/queries/billing/account.ts';
import { findOrganization } from '../../../db/queries/platform/organizations.ts';
import { accountEntries, accountStatement } from '../../../domain/billing/account/account.ts';
import { amountsDue, type OwedInvoice } from '../../../domain/billing/account/due.ts';
import { type AccountEntry, ENTRY_WORDS } from '../../../domain/billing/account/entry.ts';
import { type BusinessDate, daysBetween } from '../../../domain/dates.ts';
import { validationError } from '../../../domain/errors.ts';
import { type Cents, toDollars } from '../../../domain/money.ts';
import { allow } from '../../spine/access.ts';
import { csvReply, prefersCsv } from '../../spine/csv.ts';
import type { Reply } from '../../spine/reply.ts';
import { route } from '../../spine/route.ts';
import { idParam } from '../../spine/schemas.ts';
import { policyResource } from './policies.ts';
import { StatementQuery, StatementSchema, type StatementWire } from './statements.schemas.ts';

const readStatement = route({
  method: 'get',
  path: '/policies/:id/statement',
  operationId: 'readPolicyStatement',
  tag: 'Billing',
  spec: 'Contract 3.4',
  summary: 'Read the statement of account of a policy',
  description:
    'It lists every bill, change, payment, refund and write-off between two days, with the balance after each, and says what is past due, what falls due next, and what is owed to the insured: by check, and once a refund is approved. With `Accept: text/csv`, the response is a table of the lines.',
  access: allow('invoice:read', policyResource),
  params: z.strictObject({ id: idParam('policy') }),
  query: StatementQuery,
  response: { status: 200, body: StatementSchema, csv: true },
  errors: [],
  handler: ({ row, query, org: { today }, db, headers }) =>
    db.read((em) => statementReply(em, row, { query, today, headers })),
});

export const policyStatementRoutes = [readStatement];

const COLUMNS = [
  ...['date', 'kind', 'reference', 'invoiceId', 'paymentId', 'transactionId', 'dueDate', 'amount', 'balance'],
  ...['owed', 'daysPastDue', 'description'],
];

/** The options of a statement call. */
interface StatementCall {
  query: z.output<typeof StatementQuery>;
  today: BusinessDate;
  headers: IncomingHttpHeaders;
}

/**
 * Returns the statement of a policy, as JSON or as a table.
 * @throws DomainError validation_failed on `from`, rule max, if it is after the last day
 */
export async function statementReply(
  em: EntityManager,
  { id: policyId, orgId, policyNumber, insuredName }: Readonly<Policy>,
  { query, today, headers }: StatementCall,
): Promise<StatementWire | Reply> {
  const to = query.to ?? today;
  if (query.from !== undefined && query.from > to) {
    throw validationError('from', 'max', `from must not be later than ${to}.`, { latest: to });
  }
  const account = await policyAccount(em, policyId);
  const entries = accountEntries(account);
  const { openingCents, lines, closingCents } = accountStatement(entries, { from: query.from ?? null, to });
  const owed = new Map(account.owed.map((each) => [each.invoiceId, each]));
  const shown = lines.map((line) => ({ ...lineToWire(line), ...owedToWire(line, owed, today) }));
  if (prefersCsv(headers)) return csvReply(COLUMNS, shown);
  const { paymentInstructions = [] } = (await findOrganization(em, orgId)) ?? {};
  return {
    ...{ policyId, policyNumber, insuredName, from: query.from ?? shown[0]?.date ?? to, to },
    openingBalance: toDollars(openingCents),
    lines: shown,
    due: dueToWire(account, today),
    ...(paymentInstructions.length > 0 ? { paymentInstructions } : {}),
    closingBalance: toDollars(closingCents),
  };
}

interface Due {
  owed: readonly OwedInvoice[];
  refundDueCents: Cents;
  refundPendingCents: Cents;
}

function dueToWire({ owed, refundDueCents, refundPendingCents }: Due, today: BusinessDate): StatementWire['due'] {
  const { pastDue, dueNext } = amountsDue(owed, today);
  const shown = (due: typeof pastDue) => due && { amount: toDollars(due.cents), dueDate: due.dueDate, days: due.days };
  const refunds = { refundDue: toDollars(refundDueCents), refundPending: toDollars(refundPendingCents) };
  return { asOf: today, pastDue: shown(pastDue), dueNext: shown(dueNext), ...refunds };
}

/** The line that bills an invoice shows what is still owed on it. */
function owedToWire({ kind, invoiceId }: AccountEntry, owed: ReadonlyMap<string, OwedInvoice>, today: BusinessDate) {
  if (kind !== 'invoice') return { owed: null, daysPastDue: null };
  const due = owed.get(invoiceId ?? '');
  if (due === undefined) return { owed: 0, daysPastDue: null };
  return { owed: toDollars(due.owedCents), daysPastDue: daysBetween(due.dueDate, today) };
}

function lineToWire(line: AccountEntry & { balanceCents: number }) {
  const { date, kind, reference, invoiceId, paymentId, transactionId, dueDate, amountCents, balanceCents } = line;
  return {
    ...{ date, kind, reference, invoiceId, paymentId, transactionId, dueDate },
    amount: toDollars(amountCents),
    balance: toDollars(balanceCents),
    description: ENTRY_WORDS[kind],
  };
}
