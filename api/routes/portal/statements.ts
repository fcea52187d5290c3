// The statement of account in the policyholder portal: the same as for staff, but only for the insured's own terms.
import { z } from 'zod';
import { allow } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { idParam } from '../../spine/schemas.ts';
import { StatementQuery, StatementSchema } from '../policy/statements.schemas.ts';
import { statementReply } from '../policy/statements.ts';
import { ownPolicy, PORTAL } from './own-rows.ts';

const readStatement = route({
  ...PORTAL,
  method: 'get',
  path: '/portal/policies/:id/statement',
  operationId: 'readPortalStatement',
  summary: "Read the statement of account of one of the insured's policies",
  description:
    'It lists what was billed, paid and returned, with the balance after each line. With `Accept: text/csv`, the response is a table of the lines.',
  access: allow('portal:use', ownPolicy),
  params: z.strictObject({ id: idParam('policy') }),
  query: StatementQuery,
  response: { status: 200, body: StatementSchema, csv: true },
  errors: [],
  handler: ({ row: { policy }, query, org: { today }, db, headers }) =>
    db.read((em) => statementReply(em, policy, { query, today, headers })),
});

export const portalStatementRoutes = [readStatement];
