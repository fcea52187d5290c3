// The operations that the spine is tested with: a thing that is an authority contract, and handlers that wait and
// fail.
import { z } from 'zod';
import { allow, allowPlatform, open, type Resource } from '../../../api/spine/access.ts';
import { reply } from '../../../api/spine/reply.ts';
import { type Route, route } from '../../../api/spine/route.ts';
import {
  businessText,
  idParam,
  idReference,
  isoDate,
  longText,
  naics,
  pageQuery,
  positiveDollars,
  previewQuery,
  state,
} from '../../../api/spine/schemas.ts';
import type { DaContract } from '../../../db/entities/authority/da-contract.ts';
import { findContract, lockContract } from '../../../db/queries/authority/authority.ts';
import { DomainError, type ErrorCode } from '../../../domain/errors.ts';

const thingResource: Resource<DaContract> = {
  name: 'thing',
  load: findContract,
  facts: ({ orgId }) => ({ orgId }),
  version: ({ version }) => version,
};

const ThingBody = z.strictObject({
  name: businessText,
  amount: positiveDollars,
  on: isoDate,
  notes: longText.optional(),
  naicsCode: naics.optional(),
  state: state.optional(),
  producerId: idReference('producer').optional(),
  count: z.int().min(0).max(9).optional(),
  isOpen: z.boolean().optional(),
  address: z.strictObject({ city: businessText, postalCode: z.string().regex(/^\d{5}$/) }).optional(),
  tags: z
    .array(z.enum(['red', 'blue']))
    .max(3)
    .optional(),
});

const anything = z.record(z.string(), z.unknown());
const facts = { tag: 'Things', spec: 'none', response: { status: 200, body: anything }, errors: [] } as const;
const summary = 'A thing of the tests';
const params = z.strictObject({ id: idParam('daContract') });
const query = z.strictObject({ ...pageQuery, ...previewQuery });

const base = (method: Route['method'], path: string, operationId: string) => ({
  ...facts,
  method,
  path,
  operationId,
  summary,
});

/** What the handlers did, and which of them wait. */
export class Tracker {
  readonly runs = new Map<string, number>();
  readonly #waiting: (() => void)[] = [];
  readonly #reached = Promise.withResolvers<void>();

  ran(name: string): number {
    const count = (this.runs.get(name) ?? 0) + 1;
    this.runs.set(name, count);
    return count;
  }

  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#reached.resolve();
    });
  }

  release(): void {
    for (const go of this.#waiting.splice(0)) go();
  }

  untilWaiting(): Promise<void> {
    return this.#reached.promise;
  }
}

/** The tests' operations. */
export function smallTable(tracker = new Tracker()): Route[] {
  return [...thingRoutes(tracker), ...keptRoutes(tracker), ...faultRoutes(tracker), ...otherRoutes()];
}

function thingRoutes(tracker: Tracker): Route[] {
  return [...thingLists(tracker), ...singleThings(tracker)];
}

function thingLists(tracker: Tracker): Route[] {
  return [
    route({
      ...base('get', '/things', 'listThings'),
      access: allow('submission:read'),
      query,
      handler: ({ query: { limit, preview } }) => ({ limit, preview }),
    }),
    route({
      ...base('post', '/things', 'createThing'),
      access: allow('submission:create'),
      body: ThingBody,
      query: z.strictObject(previewQuery),
      response: { status: 201, body: anything },
      handler: ({ body, command }) => ({
        ...body,
        run: tracker.ran('create'),
        seed: command.seedUuid,
        commandId: command.commandId,
        secret: 'shown-once-value',
      }),
      shownOnce: ['secret'],
    }),
    route({
      ...base('get', '/things/special', 'readSpecial'),
      access: allow('submission:read'),
      handler: () => ({ special: true }),
    }),
  ];
}

function singleThings(tracker: Tracker): Route[] {
  return [
    route({
      ...base('get', '/things/:id', 'readThing'),
      access: allow('submission:read', thingResource),
      params,
      handler: ({ row, org, actor }) => ({ id: row.id, org: org.id, producers: actor.producerIds }),
    }),
    route({
      ...base('patch', '/things/:id', 'changeThing'),
      access: allow('submission:update', thingResource),
      params,
      body: z.strictObject({ carrier: businessText }),
      handler: ({ params: { id }, body, db, ensureUnchanged }) =>
        db.transaction(async (em) => {
          const thing = (await lockContract(em, id))!;
          ensureUnchanged(thing);
          Object.assign(thing, body);
          await em.flush();
          return { id, version: thing.version };
        }),
    }),
    route({
      ...base('delete', '/things/:id', 'removeThing'),
      access: allow('submission:update', thingResource),
      params,
      response: { status: 204, body: null },
      handler: () => undefined,
    }),
    route({
      ...base('post', '/things/:id/act', 'actOnThing'),
      access: allow('submission:quote', thingResource),
      params,
      handler: ({ command, row }) => ({ ...command({ run: tracker.ran('act') }, row.id) }),
    }),
  ];
}

function keptRoutes(tracker: Tracker): Route[] {
  return [
    route({
      ...base('post', '/exact', 'exact'),
      access: allow('submission:create'),
      response: { status: 202, body: anything },
      handler: () => {
        const body = { zeta: 1, 'a b': 'ü', alpha: { z: 0.1, a: null }, list: [3, 1, 2] };
        return reply({ body, etag: `exact.${tracker.ran('exact')}`, headers: { Location: '/v1/things/special' } });
      },
    }),
    route({
      ...base('post', '/slow', 'slow'),
      access: allow('submission:create'),
      deadlineMs: 60_000,
      handler: () => ({ run: tracker.ran('slow') }),
    }),
    route({
      ...base('post', '/secret', 'makeSecret'),
      access: allow('submission:create'),
      handler: () => ({ name: 'a', token: `secret-of-run-${tracker.ran('secret')}`, z: 1 }),
      secretFields: ['token'],
    }),
  ];
}

function faultRoutes(tracker: Tracker): Route[] {
  return [
    route({
      ...base('post', '/wait', 'wait'),
      access: allow('submission:create'),
      handler: async () => {
        await tracker.wait();
        return { run: tracker.ran('wait') };
      },
    }),
    route({
      ...base('post', '/fail', 'fail'),
      access: allow('submission:create'),
      body: z.strictObject({ code: z.string() }),
      handler: ({ body, command }) => {
        const run = tracker.ran(`fail ${body.code}`);
        if (body.code === 'bug') throw new Error(`select * from secrets where seed = '${command.seedUuid}'`);
        if (body.code === 'away') throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
        throw new DomainError(body.code as ErrorCode, 'As asked.', { run, seed: command.seedUuid });
      },
    }),
  ];
}

function otherRoutes(): Route[] {
  return [
    route({ ...base('get', '/ingest', 'ingest'), access: allow('policy:read'), rateLimit: 'ai', handler: () => ({}) }),
    route({
      ...base('get', '/portal/home', 'readHome'),
      access: allow('portal:use'),
      handler: () => ({ portal: true }),
    }),
    route({
      ...base('get', '/contracts', 'listContracts'),
      access: allow('da_contract:read'),
      handler: ({ org, actor }) => ({ org: org.id, today: org.today, actor: actor.id }),
    }),
    route({
      ...base('post', '/contracts', 'createContract'),
      access: allow('da_contract:create'),
      handler: ({ org }) => ({ org: org.id }),
    }),
    route({
      ...base('get', '/old-things', 'listOldThings'),
      access: allow('submission:read'),
      query,
      deprecation: { since: '2026-01-15', sunset: '2027-01-15', successor: '/v1/things' },
      handler: () => ({ data: [], nextCursor: 'c3ViXzE' }),
    }),
    route({
      ...base('get', '/tenants', 'listTenants'),
      access: allowPlatform('organization:read'),
      handler: ({ actor }) => ({ actor: actor.id }),
    }),
    route({
      ...base('get', '/open', 'readOpen'),
      mount: 'root',
      access: open('it is a test'),
      handler: ({ clientAddress }) => ({ clientAddress }),
    }),
    route({
      ...base('get', '/sandbox-only', 'readSandbox'),
      environments: ['sandbox'],
      access: open('it is a test'),
      handler: () => ({}),
    }),
  ];
}
