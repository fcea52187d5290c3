// Exchanges a session of the authentication service for an API token. Spec 4.2, 5.2, Contract 2.
import { z } from 'zod';
import { recordRejection } from '../../credentials/audit.ts';
import { CredentialRejected } from '../../credentials/rejected.ts';
import { exchangeSession } from '../../credentials/session-exchange.ts';
import { open } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { instant } from '../../spine/schemas.ts';

const SessionTokenSchema = z.strictObject({ token: z.string(), expiresAt: instant }).meta({ id: 'SessionToken' });

const exchange = route({
  method: 'post',
  path: '/auth/session-exchange',
  mount: 'root',
  operationId: 'exchangeSession',
  tag: 'Authentication',
  spec: '4.2',
  summary: 'Exchange a session for an API token',
  description:
    'Send the session token (the cookie `svc_session`, or `session.token`) in the Authorization header, or a sign-in token whose session is still open. Exchange again before the token expires; an ended session returns 401.',
  access: open('the session token in the Authorization header is looked up by the handler'),
  response: { status: 200, body: SessionTokenSchema },
  errors: ['unauthenticated'],
  handler: async ({ authorizations, clientAddress, deps, requestId }) => {
    try {
      const { token, expiresAtMs } = await exchangeSession(authorizations, deps);
      return { token, expiresAt: new Date(expiresAtMs).toISOString() };
    } catch (error) {
      if (error instanceof CredentialRejected)
        await recordRejection(error.facts, { ...deps, requestId, client: clientAddress, isFlood: false });
      throw error;
    }
  },
});

export const authSessionRoutes = [exchange];
