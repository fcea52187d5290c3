// Requests and responses by operation: one JSON example of each body and response.

import { PORTALS } from '../../domain/access/portals.ts';
import { dashboardOf } from './operations.ts';

const USER = {
  ...{ id: 'usr_01jz8k3v5ne0rbx4q2mw7t6yha', email: 'pat@example.com', role: 'producer' },
  orgId: 'org_01jz8k3v5ne0rbx4q2mw7t6yha',
};
const SESSION = {
  user: USER,
  session: {
    ...{ id: 'ses_01jz8k3v5ne0rbx4q2mw7t6yha', expiresAt: '2026-03-08T12:00:00.000Z' },
    token: 'Yk3vZ9o1mT5rQw8xL2bNf7cHd4sJg6aE.c2lnbmF0dXJl',
  },
  token: 'header.payload.signature',
};
const PASSWORD = 'correct horse battery';
const TOKEN = 'b7Qw2ZpL9xN4sVd8kT3mRf6yHc1gJa5e';

interface Example {
  body?: object;
  answer?: object;
}

/** The dashboards of the portals show the same person. */
const VISITOR = { sub: USER.id, orgId: USER.orgId, role: USER.role, expiresAt: '2026-03-01T20:00:00.000Z' };

export const EXAMPLES: Readonly<Record<string, Example>> = {
  readHealth: { answer: { status: 'ok' } },
  readFront: {
    answer: {
      ...{ name: 'Bindery authentication', version: '0.1.0', description: 'Who signs in, and their tokens.' },
      links: {
        reference: 'https://auth.example.com/docs',
        openapi: 'https://auth.example.com/openapi.json',
        health: 'https://auth.example.com/healthz',
      },
    },
  },
  signUp: { body: { email: 'pat@example.com', password: PASSWORD, name: 'Pat Doe' }, answer: SESSION },
  signIn: { body: { email: 'pat@example.com', password: PASSWORD }, answer: SESSION },
  signOut: { answer: { success: true } },
  getSession: { answer: SESSION },
  requestPasswordReset: { body: { email: 'pat@example.com' }, answer: { sent: true, expiresInSeconds: 3600 } },
  resetPassword: { body: { token: TOKEN, newPassword: PASSWORD }, answer: { reset: true } },
  acceptInvitation: { body: { token: TOKEN }, answer: SESSION },
  listOrganizations: {
    answer: {
      data: [{ orgId: USER.orgId, name: 'Acme Underwriters', role: 'producer', userId: USER.id, current: true }],
      nextCursor: null,
    },
  },
  ...Object.fromEntries(PORTALS.map(({ name }) => [dashboardOf(name), { answer: { portal: name, ...VISITOR } }])),
  switchOrganization: { body: { orgId: USER.orgId }, answer: SESSION },
};
