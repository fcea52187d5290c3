// One request: what a caller quotes by the id of an answer or an error, found again. Decision 0116.
import { z } from 'zod';
import { findRequest } from '../../../db/queries/platform/requests.ts';
import { allow } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { actorId, idReference, instant, requestReference } from '../../spine/schemas.ts';
import { notFound } from '../../spine/validation.ts';
import { instantToWire } from '../billing/charges.wire.ts';

const RequestSchema = z
  .strictObject({
    requestId: requestReference,
    orgId: idReference('organization'),
    at: instant.meta({ description: 'When the answer was ready, in UTC.' }),
    method: z.string().meta({ examples: ['POST'] }),
    route: z.string().meta({ description: 'The operation, without ids.', examples: ['/v1/submissions/:id/quote'] }),
    status: z.int().meta({ examples: [422] }),
    error: z
      .string()
      .nullable()
      .meta({ description: 'The code of the error, if it was one.', examples: ['not_ready'] }),
    durationMs: z.int().meta({ description: 'How long the answer took, in milliseconds.' }),
    caller: z.strictObject({
      kind: z.string().meta({ description: '`user`, `api_key` or `machine`.' }),
      id: actorId,
    }),
  })
  .meta({ id: 'Request' });

const getRequest = route({
  method: 'get',
  path: '/requests/:requestId',
  operationId: 'getRequest',
  tag: 'Audit',
  spec: 'Contract 1',
  summary: 'Read what a request called and how it was answered',
  description:
    'Calls with a valid credential are kept for 7 days. If several calls have the same id, the answer is the last one. `GET /audit?requestId=` lists its changes.',
  access: allow('audit:read'),
  params: z.strictObject({ requestId: requestReference }),
  response: { status: 200, body: RequestSchema },
  errors: ['not_found'],
  handler: async ({ params: { requestId }, db, deps }) => {
    await deps.requests.flush();
    const found = await db.read((em) => findRequest(em, requestId));
    if (found === null) throw notFound('request');
    const { orgId, createdAt, method, route: called, status, error, durationMs, actorKind, actorId } = found;
    const caller = { kind: actorKind, id: actorId };
    return { requestId, orgId, at: instantToWire(createdAt), method, route: called, status, error, durationMs, caller };
  },
});

export const requestRoutes = [getRequest];
