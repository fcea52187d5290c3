// Facts about the API itself, for operators and programs. Spec 9.2, Contract 3.8.
import { z } from 'zod';
import { DomainError } from '../../../domain/errors.ts';
import { answersInTime } from '../../../http/answers-in-time.ts';
import { open } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';

const TAG = 'Operations';
const SPEC = 'Contract 3.8';

const part = z.boolean();
const HealthSchema = z.strictObject({ status: z.literal('ok') }).meta({ id: 'Health' });
const ReadinessSchema = z.strictObject({ database: part, temporal: part }).meta({ id: 'Readiness' });

const facts = { method: 'get', mount: 'root', tag: TAG, spec: SPEC, rateLimit: 'probe' } as const;

const healthz = route({
  ...facts,
  path: '/healthz',
  operationId: 'readHealth',
  summary: 'Check whether the process is alive',
  description:
    'It answers as long as the process runs, without looking at the database. Use `/readyz` to decide whether to send it requests.',
  access: open('load balancers call it'),
  response: { status: 200, body: HealthSchema },
  errors: [],
  handler: () => ({ status: 'ok' }),
});

const readyz = route({
  ...facts,
  path: '/readyz',
  operationId: 'readReadiness',
  summary: 'Check whether the process can serve requests',
  description: 'Reads still work without Temporal. Nothing works without the database.',
  access: open('load balancers call it'),
  response: { status: 200, body: ReadinessSchema },
  errors: ['service_unavailable'],
  handler: async ({ deps }) => {
    const temporal = deps.temporalAvailability.isAvailable();
    if (await answersInTime(() => deps.database.ping())) return { database: true, temporal };
    throw new DomainError('service_unavailable', 'The database cannot be reached.', { database: false, temporal });
  },
});

const metrics = route({
  ...facts,
  path: '/metrics',
  operationId: 'readMetrics',
  summary: 'Read the metrics for Prometheus',
  description: 'The text is in the Prometheus format. Do not expose it publicly: it shows how busy the platform is.',
  access: open('scrapers read it; it holds counts and durations only'),
  response: { status: 200, body: z.string(), contentType: 'text/plain; version=0.0.4; charset=utf-8' },
  errors: [],
  handler: ({ deps }) => deps.metrics.metrics(),
});

export const metaRoutes = [healthz, readyz, metrics];
