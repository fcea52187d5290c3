// Bank statements for the trust account: uploaded once, and matched with the ledger by amount and reference, or else by
// a person. Decision 0135.

import type { EntityManager } from '@mikro-orm/postgresql';
import { withDeadlineOfItsOwn } from '../../../../db/deadline.ts';
import type { BankLine } from '../../../../db/entities/billing/bank-line.ts';
import type { BankStatement } from '../../../../db/entities/billing/bank-statement.ts';
import { listMovements, movementsOf } from '../../../../db/queries/billing/bank/movements.ts';
import { matchOpenLines } from '../../../../db/queries/billing/bank/open-lines.ts';
import {
  findBankLine,
  findStatement,
  listBankLines,
  listStatements,
  lockBankLines,
  matchCounts,
  matchedMovements,
  releaseMatch,
  statementOfFile,
  writeMatch,
} from '../../../../db/queries/billing/bank/statements.ts';
import { withdrawStatement } from '../../../../db/queries/billing/bank/withdrawals.ts';
import { writeAudit } from '../../../../db/queries/platform/audit.ts';
import { auditedChanges } from '../../../../domain/audit.ts';
import { ensureAddUp } from '../../../../domain/billing/bank/matching.ts';
import { STATEMENT_MAX_BYTES, STATEMENT_MAX_LINES } from '../../../../domain/billing/bank/statement.ts';
import { plainFileName } from '../../../../domain/text.ts';
import { refusedMove } from '../../../../domain/transition.ts';
import { STATEMENT_COLUMNS } from '../../../../providers/bank/statement-table.ts';
import { allow, type Resource } from '../../../spine/access.ts';
import { reply } from '../../../spine/reply.ts';
import { route } from '../../../spine/route.ts';
import { pageToWire } from '../../../spine/schemas.ts';
import { present } from '../../rows.ts';
import {
  BankLineListQuery,
  BankLinePageSchema,
  BankLineParams,
  BankLineSchema,
  type BankLineWire,
  BankMovementListQuery,
  BankMovementPageSchema,
  BankStatementListQuery,
  BankStatementPageSchema,
  BankStatementParams,
  BankStatementSchema,
  type BankStatementWire,
  isMatchedBy,
  MatchSchema,
  StatementUploadSchema,
} from './bank-statements.schemas.ts';
import { bankLineToWire, movementToWire, statementToWire } from './bank-statements.wire.ts';
import { keepStatement, readStatement, statementFormat } from './kept-statements.ts';

const facts = { tag: 'Billing', spec: 'Domain 4.4' } as const;
const DEADLINE_MS = 30_000;
const entityType = 'bank_line';

const statementResource: Resource<BankStatement> = {
  name: 'bank_statement',
  load: findStatement,
  facts: ({ orgId }) => ({ orgId }),
};

const lineResource: Resource<BankLine> = {
  name: 'bank_line',
  load: findBankLine,
  facts: ({ orgId }) => ({ orgId }),
  version: ({ version }) => version,
};

const uploadStatement = route({
  ...facts,
  method: 'post',
  path: '/bank-statements',
  operationId: 'uploadBankStatement',
  summary: 'Upload a bank statement for the trust account',
  description:
    `A CSV file or an ISO 20022 camt.053 document with at most ${STATEMENT_MAX_LINES} bookings, as a part named \`file\` of a form or as ` +
    `\`contentBase64\` within JSON. The columns of a CSV header are ${STATEMENT_COLUMNS.join(', ')}: date is required, and either amount or ` +
    'both debit and credit. Bookings are matched with the movements of account 1010. Uploading the same file again changes nothing ' +
    'and returns 200; a booking from an earlier statement is not added a second time. If a row or entry is wrong, the whole file is ' +
    'refused, and the error names the row or entry: a day in the future, balances that do not agree with the bookings, a balance that ' +
    'does not agree with the statement of the day before or after, or a booking that is missing from an earlier statement of the ' +
    'whole day.',
  access: allow('ledger:reconcile'),
  deadlineMs: DEADLINE_MS,
  file: { maxBytes: STATEMENT_MAX_BYTES },
  body: StatementUploadSchema,
  response: { status: 201, body: BankStatementSchema },
  alternates: [{ status: 200, body: BankStatementSchema, description: 'It was known already.', exampleName: 'again' }],
  errors: [],
  handler: async ({ file: received, body, actor, requestId, org, db, deps }) => {
    const file = present(received);
    const named = body?.fileName ?? file.fileName;
    const fileName = named ? plainFileName(named) : null;
    const format = statementFormat({ ...body, fileName: fileName ?? undefined });
    const read = await readStatement(file, format, body ?? {}, org.today);
    const keep = async (em: EntityManager) => {
      await lockBankLines(em);
      const known = await statementOfFile(em, file.sha256);
      if (known !== null) return reply({ status: 200, body: await withCounts(em, known) });
      const { sha256 } = file;
      const facts = { format, fileName, sha256, uploadedBy: actor.id };
      const row = await keepStatement(em, read, { facts, today: org.today });
      const changes = auditedChanges(null, { from: read.from, to: read.to, lineCount: row.lineCount, sha256 });
      const action = 'bank_statement:upload';
      writeAudit(em, { actor, action, entityType: 'bank_statement', entityId: row.id, requestId, changes });
      await matchOpenLines(em, new Date(deps.now()));
      return withCounts(em, row);
    };
    return withDeadlineOfItsOwn(DEADLINE_MS, () => db.answer(keep));
  },
});

const listStatementsRoute = route({
  ...facts,
  method: 'get',
  path: '/bank-statements',
  operationId: 'listBankStatements',
  summary: 'List bank statements, newest first',
  description:
    'Each statement shows its period and how many of its lines are matched. Read a line to see its movements in the ledger.',
  access: allow('ledger:read'),
  query: BankStatementListQuery,
  response: { status: 200, body: BankStatementPageSchema },
  errors: [],
  handler: ({ query, db }) =>
    db.read(async (em) => {
      const page = await listStatements(em, query);
      const ids = page.data.map(({ id }) => id);
      const counts = await matchCounts(em, ids);
      return pageToWire(page, (row) => statementToWire(row, counts.get(row.id)));
    }),
});

const getStatement = route({
  ...facts,
  method: 'get',
  path: '/bank-statements/:id',
  operationId: 'getBankStatement',
  summary: 'Read a bank statement',
  description:
    '`GET /bank-lines?statementId=` lists its bookings. The response counts those that are matched with the ledger and those that are not.',
  access: allow('ledger:read', statementResource),
  params: BankStatementParams,
  response: { status: 200, body: BankStatementSchema },
  errors: [],
  handler: ({ row, db }) => db.read((em) => withCounts(em, row)),
});

const withdraw = route({
  ...facts,
  method: 'post',
  path: '/bank-statements/:id/withdraw',
  operationId: 'withdrawBankStatement',
  summary: 'Withdraw a statement that should not have been uploaded',
  description:
    'Its matches are undone, and its bookings no longer count. A booking that another statement repeats belongs to that ' +
    'statement from then on and is matched again.',
  access: allow('ledger:reconcile', statementResource),
  params: BankStatementParams,
  response: { status: 200, body: BankStatementSchema },
  errors: ['invalid_state_transition'],
  handler: ({ params: { id }, actor, requestId, db, deps }) =>
    db.answer(async (em) => {
      await lockBankLines(em);
      const row = present(await findStatement(em, id));
      if (row.withdrawnAt !== null) throw refusedMove('bank_statement', 'withdrawn', 'withdraw', []);
      const at = new Date(deps.now());
      await withdrawStatement(em, row, { by: actor.id, at });
      await matchOpenLines(em, at);
      const changes = auditedChanges({ withdrawn: false }, { withdrawn: true });
      const action = 'bank_statement:withdraw';
      writeAudit(em, { actor, action, entityType: 'bank_statement', entityId: id, requestId, changes });
      return withCounts(em, row);
    }),
});

const listLines = route({
  ...facts,
  method: 'get',
  path: '/bank-lines',
  operationId: 'listBankLines',
  summary: 'List bank bookings, newest first',
  description:
    '`status=unmatched` lists the bookings that are not matched with the ledger. `POST /bank-lines/:id/match` matches one of them by hand.',
  access: allow('ledger:read'),
  query: BankLineListQuery,
  response: { status: 200, body: BankLinePageSchema },
  errors: [],
  handler: ({ query: { limit, cursor, statementId, status }, db }) =>
    db.read(async (em) => {
      const page = await listBankLines(em, { statementId, isMatched: isMatchedBy(status) }, { limit, cursor });
      const ids = page.data.map(({ id }) => id);
      const movements = await matchedMovements(em, ids);
      return pageToWire(page, (row) => bankLineToWire(row, movements.get(row.id)));
    }),
});

const getLine = route({
  ...facts,
  method: 'get',
  path: '/bank-lines/:id',
  operationId: 'getBankLine',
  summary: 'Read a bank booking with its match',
  description:
    'A matched booking names its movements in the ledger, and the person or rule that matched it. You can match an unmatched booking by hand.',
  access: allow('ledger:read', lineResource),
  params: BankLineParams,
  response: { status: 200, body: BankLineSchema },
  errors: [],
  handler: ({ row, db }) => db.read((em) => withMovements(em, row)),
});

const matchLine = route({
  ...facts,
  method: 'post',
  path: '/bank-lines/:id/match',
  operationId: 'matchBankLine',
  summary: 'Match a bank booking by hand',
  description:
    'The movements must add up to the amount of the booking. None of them may be matched with another booking.',
  access: allow('ledger:reconcile', lineResource),
  params: BankLineParams,
  body: MatchSchema,
  response: { status: 200, body: BankLineSchema },
  errors: ['invalid_state_transition'],
  handler: ({ params: { id }, body: { movementIds }, actor, requestId, db, deps, ensureUnchanged }) =>
    db.answer(async (em) => {
      await lockBankLines(em);
      const line = present(await findBankLine(em, id));
      ensureUnchanged(line);
      if (line.matchRule !== null) throw refusedMove(entityType, 'matched', 'match', ['unmatch']);
      const movements = await movementsOf(em, [...new Set(movementIds)]);
      ensureAddUp(line, movements, movementIds.length);
      writeMatch(em, line, movements, { rule: 'person', by: actor.id, at: new Date(deps.now()) });
      await em.flush();
      const changes = auditedChanges({ matched: false }, { matched: true, movementIds: movementIds.join(' ') });
      writeAudit(em, { actor, action: 'bank_line:match', entityType, entityId: id, requestId, changes });
      return withMovements(em, line);
    }),
});

const unmatchLine = route({
  ...facts,
  method: 'post',
  path: '/bank-lines/:id/unmatch',
  operationId: 'unmatchBankLine',
  summary: 'Undo the match of a booking',
  description: 'The booking and its movements are open again. No rule will match them again; a person may.',
  access: allow('ledger:reconcile', lineResource),
  params: BankLineParams,
  response: { status: 200, body: BankLineSchema },
  errors: ['invalid_state_transition'],
  handler: ({ params: { id }, actor, requestId, db, ensureUnchanged }) =>
    db.answer(async (em) => {
      await lockBankLines(em);
      const line = present(await findBankLine(em, id));
      ensureUnchanged(line);
      if (line.matchRule === null) throw refusedMove(entityType, 'unmatched', 'unmatch', ['match']);
      await releaseMatch(em, line);
      const changes = auditedChanges({ matched: true }, { matched: false });
      writeAudit(em, { actor, action: 'bank_line:unmatch', entityType, entityId: id, requestId, changes });
      return withMovements(em, line);
    }),
});

const listMovementsRoute = route({
  ...facts,
  method: 'get',
  path: '/ledger/bank-movements',
  operationId: 'listBankMovements',
  summary: 'List the movements of trust cash in the ledger, newest first',
  description:
    '`status=unmatched` lists the movements that the bank has not booked yet. `from` and `to` limit the list to days of the ledger.',
  access: allow('ledger:read'),
  query: BankMovementListQuery,
  response: { status: 200, body: BankMovementPageSchema },
  errors: [],
  handler: async ({ query: { limit, cursor, status, from, to }, db }) =>
    pageToWire(
      await db.read((em) => listMovements(em, { isMatched: isMatchedBy(status), from, to }, { limit, cursor })),
      movementToWire,
    ),
});

export const bankStatementRoutes = [
  uploadStatement,
  listStatementsRoute,
  getStatement,
  withdraw,
  listLines,
  getLine,
  matchLine,
  unmatchLine,
  listMovementsRoute,
];

async function withCounts(em: EntityManager, row: BankStatement): Promise<BankStatementWire> {
  return statementToWire(row, (await matchCounts(em, [row.id])).get(row.id));
}

async function withMovements(em: EntityManager, row: BankLine): Promise<BankLineWire> {
  return bankLineToWire(row, (await matchedMovements(em, [row.id])).get(row.id));
}
