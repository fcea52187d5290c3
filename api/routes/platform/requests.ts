// One request, looked up by the id that a caller quotes from a response or error. Decision 0116.
import { z } from 'zod';
import type { Request } from '../../../db/entities/platform/request.ts';
import { findRequests } from '../../../db/queries/platform/requests.ts';
import { allow } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { actorId, idReference, instant, requestReference, sentInstant } from '../../spine/schemas.ts';
import { notFound } from '../../spine/validation.ts';
import { instantToWire } from '../billing/charges.wire.ts';

const MOST_EARLIER = 20;

const CallSchema = z
  .strictObject({
    at: instant.meta({ description: 'When the response was ready, in UTC.' }),
    method: z.string().meta({ examples: ['POST'] }),
    route: z.string().meta({ description: 'The operation, without ids.', examples: ['/v1/submissions/:id/quote'] }),
    status: z.int().meta({ examples: [422] }),
    error: z
      .string()
      .nullable()
      .meta({ description: 'The code of the error, if it was one.', examples: ['not_ready'] }),
    durationMs: z.int().meta({ description: 'How long the response took, in milliseconds.' }),
    caller: z.strictObject({
      kind: z.string().meta({ description: '`user`, `api_key` or `machine`.' }),
      id: actorId,
    }),
  })
  .meta({ id: 'AnsweredCall', description: 'What was called, and how it was answered.' });

const RequestSchema = CallSchema.extend({
  requestId: requestReference,
  orgId: idReference('organization'),
  earlier: z.array(CallSchema).meta({
    description: `Earlier calls with the same id, the last one first, up to ${MOST_EARLIER} and those of the same millisecond.`,
  }),
}).meta({ id: 'Request' });

const getRequest = route({
  method: 'get',
  path: '/requests/:requestId',
  operationId: 'getRequest',
  tag: 'Audit',
  spec: 'Contract 1',
  summary: 'Read a request and its response',
  description:
    'Calls with a valid credential are kept for 7 days. A caller may send an `X-Request-Id` again: then the response is the last call with it, and `earlier` lists those before it. `GET /audit?requestId=` lists its changes.',
  access: allow('audit:read'),
  params: z.strictObject({ requestId: requestReference }),
  query: z.strictObject({
    before: sentInstant.optional().meta({ description: 'Only calls that were answered before this instant.' }),
  }),
  response: { status: 200, body: RequestSchema },
  errors: ['not_found'],
  handler: async ({ params: { requestId }, query: { before }, org, db, deps }) => {
    await deps.requests.flush();
    const endMs = before === undefined ? Number.POSITIVE_INFINITY : Date.parse(before);
    const found = await db.read((em) => findRequests(em, requestId, { endMs, most: 1 + MOST_EARLIER }));
    const [last, ...earlier] = found.map(callToWire);
    if (last === undefined) throw notFound('request');
    return { requestId, orgId: org.id, ...last, earlier };
  },
});

export const requestRoutes = [getRequest];

function callToWire({ createdAt, method, route: called, status, error, durationMs, ...caller }: Readonly<Request>) {
  const { actorKind: kind, actorId: id } = caller;
  return { at: instantToWire(createdAt), method, route: called, status, error, durationMs, caller: { kind, id } };
}
