// Operations for every kind of remittance: one person prepares it and another approves or rejects it; it is read and
// listed. Contract 3.4 "Ledgers".
import type { IncomingHttpHeaders } from 'node:http';
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { PreparePayload, RemittanceDecisionPayload } from '../../../../contracts/remittance.ts';
import type { Remittance } from '../../../../db/entities/billing/remittance.ts';
import { newId } from '../../../../db/ids.ts';
import { trustCashCents } from '../../../../db/queries/billing/ledger-lists.ts';
import { paidUnder } from '../../../../db/queries/billing/paid-under.ts';
import {
  coveredInvoices,
  findRemittance,
  listRemittances,
  type RemittanceFilter,
} from '../../../../db/queries/billing/remittances/remittances.ts';
import { producersNamed } from '../../../../db/queries/distribution/producers.ts';
import { type PageRequest, wholeList } from '../../../../db/queries/pages.ts';
import { ensureReferenceIsFree } from '../../../../domain/billing/paid-out.ts';
import { decidedRemittance, ensureCashCovers, type RemittanceKind } from '../../../../domain/billing/remittance.ts';
import type { BusinessDate } from '../../../../domain/dates.ts';
import { validationError } from '../../../../domain/errors.ts';
import { allow, type Resource } from '../../../spine/access.ts';
import { prefersCsv } from '../../../spine/csv.ts';
import { entityTag, type Reply, reply } from '../../../spine/reply.ts';
import { type OrganizationDatabase, route } from '../../../spine/route.ts';
import { idParam, pageToWire } from '../../../spine/schemas.ts';
import { ensureBeforeCommand, present } from '../../rows.ts';
import {
  RemittanceApprovalSchema,
  RemittanceDetailSchema,
  type RemittanceDetailWire,
  RemittancePageSchema,
  RemittanceRejectionSchema,
} from './remittances.schemas.ts';
import { coveredTable, detailToWire, paymentFile, remittanceToWire } from './remittances.wire.ts';

const facts = { tag: 'Billing', spec: 'Contract 3.4' } as const;

/** Payments per file: many times a run, and few enough to hold in memory. */
const FILE_MAX_ROWS = 10_000;

/** What distinguishes the routes of one path. */
interface RemittancePath<Write extends { through: BusinessDate }> {
  path: string;
  /** The suffix of the operation ids: `Payout` gives `preparePayout`, `listPayouts`. */
  name: string;
  /** What they are called. */
  noun: string;
  entries: string;
  kinds: readonly RemittanceKind[];
  /** The kind whose prefix the ids have. */
  idKind: 'payout' | 'remittance' | 'transfer';
  body: z.ZodType<Write>;
  /** Names the payee. @throws DomainError validation_failed if there is none */
  prepared: (em: EntityManager, body: Write) => Promise<Omit<PreparePayload, 'through'>>;
}

/** Builds the operations of a path. */
export function remittanceRoutes<Write extends { through: BusinessDate }>(of: RemittancePath<Write>) {
  const resource = resourceOf(of.kinds);
  return [prepareRoute(of), readRoute(of, resource), ...decisionRoutes(of, resource)];
}

function prepareRoute<Write extends { through: BusinessDate }>(of: RemittancePath<Write>) {
  return route({
    ...facts,
    method: 'post',
    path: of.path,
    operationId: `prepare${of.name}`,
    summary: `Prepare a ${of.noun}`,
    description: `Covers what the trust owes the payee. Someone else must approve it; only then is it posted: ${of.entries}.`,
    access: allow('remittance:prepare'),
    body: of.body,
    response: { status: 201, body: RemittanceDetailSchema },
    errors: ['not_ready', 'already_exists'],
    handler: async ({ body, org, db, lifecycle, command }) => {
      if (body.through > org.today) {
        throw validationError('through', 'max', 'through must not be later than today.', { max: org.today });
      }
      const payload = { ...(await db.read((em) => of.prepared(em, body))), through: body.through };
      const id = newId(of.idKind, command.seedUuid);
      const { remittanceId } = await lifecycle.prepareRemittance(command<PreparePayload>(payload, id));
      return replyOf(db, remittanceId, of.kinds);
    },
  });
}

/** Facts shared by the remittance lists. */
export const remittanceList = {
  ...facts,
  method: 'get',
  description:
    'With `Accept: text/csv`, the response is the payment file: one row for each approved payment, unless you filter by ' +
    `another status. It has every payment that matches, whatever \`limit\` and \`cursor\` say, at most ${FILE_MAX_ROWS}; ` +
    'longer files are refused. With `paidFrom` and `paidTo`, it has the payments of a run and no earlier ones.',
  access: allow('remittance:read'),
  response: { status: 200, body: RemittancePageSchema, csv: true },
  errors: [],
} as const;

/**
 * Responds with a page of remittances, or with the payment file of all of them.
 * @throws DomainError validation_failed for a file that would be too long
 */
export async function listed(
  { db, headers }: { db: OrganizationDatabase; headers: IncomingHttpHeaders },
  filter: RemittanceFilter,
  page: PageRequest,
): Promise<z.output<typeof RemittancePageSchema> | Reply> {
  return prefersCsv(headers)
    ? db.read((em) => fileOf(em, filter))
    : pageToWire(await db.read((em) => listRemittances(em, filter, page)), remittanceToWire);
}

/** The file must be complete: a bank pays exactly what is in it. */
async function fileOf(em: EntityManager, { status = 'paid', ...filter }: RemittanceFilter): Promise<Reply> {
  const rows = await wholeList((page) => listRemittances(em, { ...filter, status }, page), FILE_MAX_ROWS);
  if (rows === null) {
    const message = `The file would have more than ${FILE_MAX_ROWS} payments. Choose fewer days with paidFrom and paidTo.`;
    throw validationError('paidFrom', 'max', message, { max: FILE_MAX_ROWS });
  }
  const ids = rows.flatMap(({ kind, payee }) => (kind === 'commission' ? payee : []));
  return paymentFile(rows.map(remittanceToWire), await producersNamed(em, ids));
}

function readRoute<Write extends { through: BusinessDate }>(of: RemittancePath<Write>, resource: Resource<Remittance>) {
  return route({
    ...facts,
    method: 'get',
    path: `${of.path}/:id`,
    operationId: `get${of.name}`,
    summary: `Read a ${of.noun} with the invoices that it covers`,
    description:
      'With `Accept: text/csv`, the response is the invoices as a table. While it waits for approval, somebody other than its preparer decides on it.',
    access: allow('remittance:read', resource),
    params: z.strictObject({ id: idParam(of.idKind) }),
    response: { status: 200, body: RemittanceDetailSchema, csv: true },
    errors: [],
    handler: async ({ row, db, headers }) => {
      const wire = await db.read((em) => detailOf(em, row));
      return prefersCsv(headers) ? coveredTable(wire) : wire;
    },
  });
}

function decisionRoutes<Write extends { through: BusinessDate }>(
  of: RemittancePath<Write>,
  resource: Resource<Remittance>,
) {
  const decision = {
    ...facts,
    method: 'post',
    access: allow('remittance:decide', resource),
    params: z.strictObject({ id: idParam(of.idKind) }),
    response: { status: 200, body: RemittanceDetailSchema },
    errors: ['invalid_state_transition'],
  } as const;
  const approve = route({
    ...decision,
    path: `${of.path}/:id/approve`,
    operationId: `approve${of.name}`,
    summary: `Approve and post a ${of.noun}`,
    description: `You cannot approve a ${of.noun} that you prepared. It is posted as ${of.entries}. Give the \`reference\` of the wire or check. It appears on the bank statement, so a reference already used for any payment returns 409. The trust account (1010) must hold enough cash; card payments count once the processor has paid them out.`,
    body: RemittanceApprovalSchema,
    errors: ['invalid_state_transition', 'already_exists', 'not_ready', 'amount_exceeds_balance'],
    handler: async ({ row, body, db, lifecycle, command }) => {
      await ensureBeforeCommand({ db, command }, async (em) => {
        decidedRemittance(row.status, 'approve');
        ensureCashCovers(row.cashCents, await trustCashCents(em));
        if (body.reference !== undefined) ensureReferenceIsFree(await paidUnder(em, body.reference), 'reference');
      });
      const payload = { decision: 'approve', reason: null, ...body } as const;
      await lifecycle.decideRemittance(command<RemittanceDecisionPayload>(payload, row.id));
      return replyOf(db, row.id, of.kinds);
    },
  });
  const reject = route({
    ...decision,
    path: `${of.path}/:id/reject`,
    operationId: `reject${of.name}`,
    summary: `Reject a ${of.noun}`,
    description:
      'Nothing is posted, and another remittance can pay the amounts that it covered. Returns 422 if it has already been approved or rejected.',
    body: RemittanceRejectionSchema,
    handler: async ({ row, body: { reason }, db, lifecycle, command }) => {
      await ensureBeforeCommand({ db, command }, () => decidedRemittance(row.status, 'reject'));
      await lifecycle.decideRemittance(command<RemittanceDecisionPayload>({ decision: 'reject', reason }, row.id));
      return replyOf(db, row.id, of.kinds);
    },
  });
  return [approve, reject];
}

function resourceOf(kinds: readonly RemittanceKind[]): Resource<Remittance> {
  return {
    name: 'remittance',
    load: (em, id) => findRemittance(em, id, kinds),
    facts: ({ orgId, preparedBy }) => ({ orgId, requestedBy: preparedBy }),
    version: ({ version }) => version,
  };
}

function replyOf(db: OrganizationDatabase, id: string, kinds: readonly RemittanceKind[]): Promise<Reply> {
  return db.read(async (em) => {
    const row = present(await findRemittance(em, id, kinds));
    return reply({ body: await detailOf(em, row), etag: entityTag(id, row.version) });
  });
}

async function detailOf(em: EntityManager, row: Readonly<Remittance>): Promise<RemittanceDetailWire> {
  const cashCents = row.status === 'pending_approval' ? await trustCashCents(em) : null;
  return detailToWire(row, { covered: await coveredInvoices(em, row.id), trustCashCents: cashCents });
}
