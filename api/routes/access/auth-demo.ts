// A token for trying out the platform: org_admin of the demo organization for 15 minutes. Spec 4.2, Contract 2.
import { z } from 'zod';
import { demoOrganization } from '../../../db/queries/platform/organizations.ts';
import { DEMO_JWT_LIFETIME_SECONDS } from '../../../domain/limits.ts';
import { isSameSecret } from '../../../providers/constant-time.ts';
import { recordRejection } from '../../credentials/audit.ts';
import { CredentialRejected, type RejectionFacts } from '../../credentials/rejected.ts';
import { signToken } from '../../credentials/tokens.ts';
import { open } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { idReference, instant } from '../../spine/schemas.ts';
import { notFound } from '../../spine/validation.ts';

const MAX_SECRET_CHARACTERS = 4_096;
const SUBJECT = 'demo';

const DemoTokenRequestSchema = z
  .strictObject({ secret: z.string().min(1).max(MAX_SECRET_CHARACTERS).meta({ description: 'The machine secret.' }) })
  .meta({ id: 'DemoTokenRequest' });

const DemoTokenSchema = z
  .strictObject({ token: z.string(), expiresAt: instant, orgId: idReference('organization') })
  .meta({ id: 'DemoToken' });

const issueDemoToken = route({
  method: 'post',
  path: '/auth/demo',
  mount: 'root',
  operationId: 'issueDemoToken',
  tag: 'Authentication',
  spec: '4.2, Contract 2',
  summary: 'Exchange the machine secret for a demo token',
  description:
    'The token acts in the demo organization, which exists where the platform was started with one. Send the machine secret in the body, and use the token as a bearer credential.',
  access: open('the secret is in the body'),
  body: DemoTokenRequestSchema,
  response: { status: 200, body: DemoTokenSchema },
  errors: ['unauthenticated', 'not_found'],
  handler: async ({ body, clientAddress, deps, requestId }) => {
    const { config, database, now } = deps;
    const demo = await database.acrossOrgs('demo token', demoOrganization);
    if (!isSameSecret(body.secret, ...config.acceptedSecrets.apiSecret)) {
      const facts: RejectionFacts = { kind: 'machine', reason: 'wrong demo secret', orgId: demo?.id };
      await recordRejection(facts, { ...deps, requestId, client: clientAddress, isFlood: false });
      throw new CredentialRejected(facts);
    }
    if (demo === null) throw notFound('demo organization');
    const life = { issuedAtMs: now(), seconds: DEMO_JWT_LIFETIME_SECONDS };
    const token = await signToken(config.jwtSecret, { subject: SUBJECT, orgId: demo.id, role: 'org_admin' }, life);
    return { token, expiresAt: new Date(life.issuedAtMs + life.seconds * 1000).toISOString(), orgId: demo.id };
  },
});

export const authDemoRoutes = [issueDemoToken];
