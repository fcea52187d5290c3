// What the endpoints of the authentication service are for, as callers read it.
import { z } from 'zod';
import { PORTALS } from '../../domain/access/portals.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import { ROLES } from '../../domain/permissions.ts';
import { AcceptRequest, LinkRequest, ResetRequest, SignInRequest, SignUpRequest, SwitchRequest } from '../schemas.ts';

export interface Described {
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  /** The cookie it needs; null for none. */
  security: 'session' | 'portal' | null;
  query?: Record<string, { required: boolean; description: string }>;
  body?: z.ZodType;
  status: number;
  /** Null for an answer without a body. */
  answer: z.ZodType | null;
  contentType?: string;
  errors: readonly ErrorCode[];
}

const instant = z.iso.datetime();
const role = z.enum(ROLES);
const user = z.strictObject({ id: z.string(), email: z.email(), role: role.nullable(), orgId: z.string().nullable() });
const SessionAnswer = z.strictObject({
  user,
  session: z.strictObject({ id: z.string(), expiresAt: instant, token: z.string() }).nullable(),
  token: z.string().nullable().meta({ description: 'For `Authorization: Bearer` at the API. Good for eight hours.' }),
});
const OrganizationsAnswer = z.strictObject({
  data: z.array(
    z.strictObject({ orgId: z.string(), name: z.string(), role, userId: z.string(), current: z.boolean() }),
  ),
  nextCursor: z.null(),
});
const DashboardAnswer = z.strictObject({
  ...{ portal: z.string(), sub: z.string(), orgId: z.string(), role, expiresAt: instant },
});

/** Errors of everything that takes a body. */
const BODY_ERRORS = [
  'malformed_json',
  'validation_failed',
  'payload_too_large',
  'unsupported_media_type',
  'forbidden',
] as const;

const Front = z.strictObject({
  ...{ name: z.string(), version: z.string(), description: z.string() },
  links: z.record(z.string(), z.url()),
});

const OPERATIONS: Readonly<Record<string, Described>> = {
  'GET /healthz': {
    ...{ operationId: 'readHealth', tag: 'Operations', summary: 'Check whether the process is alive' },
    ...{ security: null, status: 200, answer: z.strictObject({ status: z.literal('ok') }), errors: [] },
  },
  'GET /': {
    ...{ operationId: 'readFront', tag: 'Operations', summary: 'Read what this service is' },
    ...{ security: null, status: 200, answer: Front, errors: [] },
  },
  'GET /openapi.json': {
    ...{ operationId: 'readOpenApi', tag: 'Operations', summary: 'Read this description as OpenAPI 3.1' },
    ...{ security: null, status: 200, answer: z.record(z.string(), z.unknown()), errors: [] },
  },
  'GET /docs': {
    ...{ operationId: 'readDocs', tag: 'Operations', summary: 'Browse this description' },
    ...{ security: null, status: 200, answer: z.string(), contentType: 'text/html', errors: [] },
  },
  'GET /docs/files/start.js': docsFile('readStartScript'),
  'GET /docs/files/viewer.js': docsFile('readViewerScript'),
  'POST /api/auth/sign-up/email': {
    ...{ operationId: 'signUp', tag: 'Accounts', summary: 'Create an account with a password' },
    description:
      'In the local and sandbox environments the person joins the demo organization and is signed in. Elsewhere `session` and `token` are null: an e-mail proves the address, and an administrator invites the person.',
    ...{ security: null, body: SignUpRequest, status: 201, answer: SessionAnswer },
    errors: [...BODY_ERRORS, 'already_exists'],
  },
  'POST /api/auth/sign-in/email': {
    ...{ operationId: 'signIn', tag: 'Accounts', summary: 'Sign in with e-mail address and password' },
    description:
      'The answer is the same for a wrong address and a wrong password. Too many wrong attempts are 429 for a while.',
    ...{ security: null, body: SignInRequest, status: 200, answer: SessionAnswer },
    errors: [...BODY_ERRORS, 'unauthenticated'],
  },
  'POST /api/auth/sign-out': {
    ...{ operationId: 'signOut', tag: 'Accounts', summary: 'End the session' },
    description: 'Without a session the answer is the same.',
    ...{ security: null, status: 200, answer: z.strictObject({ success: z.literal(true) }), errors: ['forbidden'] },
  },
  'GET /api/auth/get-session': {
    ...{ operationId: 'getSession', tag: 'Accounts', summary: 'Read the session, with a new token for the API' },
    ...{ security: 'session', status: 200, answer: SessionAnswer, errors: ['unauthenticated'] },
  },
  'POST /api/auth/request-password-reset': {
    ...{ operationId: 'requestPasswordReset', tag: 'Passwords', summary: 'Request a link to set a password' },
    description: 'The answer is the same whether there is such an account or not. The link is good for an hour.',
    ...{ security: null, body: LinkRequest, status: 200 },
    answer: z.strictObject({ sent: z.literal(true), expiresInSeconds: z.int() }),
    errors: BODY_ERRORS,
  },
  'POST /api/auth/reset-password': {
    ...{ operationId: 'resetPassword', tag: 'Passwords', summary: 'Set a password with the token of a link' },
    description: 'It proves the mailbox, and accepts the invitation that the token belongs to.',
    ...{ security: null, body: ResetRequest, status: 200, answer: z.strictObject({ reset: z.literal(true) }) },
    errors: [...BODY_ERRORS, 'unauthenticated'],
  },
  'POST /api/auth/accept-invitation': {
    ...{
      operationId: 'acceptInvitation',
      tag: 'Organizations',
      summary: 'Accept an invitation as the person signed in',
    },
    ...{ security: 'session', body: AcceptRequest, status: 200, answer: SessionAnswer },
    errors: [...BODY_ERRORS, 'unauthenticated', 'not_found'],
  },
  'GET /api/auth/organizations': {
    ...{ operationId: 'listOrganizations', tag: 'Organizations', summary: 'List the organizations of the person' },
    ...{ security: 'session', status: 200, answer: OrganizationsAnswer, errors: ['unauthenticated'] },
  },
  'POST /api/auth/switch': {
    ...{
      operationId: 'switchOrganization',
      tag: 'Organizations',
      summary: 'Let the session act in another organization',
    },
    ...{ security: 'session', body: SwitchRequest, status: 200, answer: SessionAnswer },
    errors: [...BODY_ERRORS, 'unauthenticated', 'not_found'],
  },
  'GET /api/auth/sign-in/microsoft': {
    ...{ operationId: 'startSignOn', tag: 'Single sign-on', summary: 'Begin to sign in with Microsoft' },
    description: 'Open it in a browser: the answer leads to Microsoft, and from there back to the portal.',
    query: {
      callbackURL: { required: true, description: 'The callback of a portal that is registered here.' },
      invitation: {
        required: false,
        description: 'The token of an invitation, which is accepted when the person returns.',
      },
    },
    ...{ security: null, status: 302, answer: null, errors: ['validation_failed', 'not_found'] },
  },
  'GET /api/auth/callback/microsoft': {
    ...{ operationId: 'finishSignOn', tag: 'Single sign-on', summary: 'Come back from Microsoft' },
    description:
      'It redirects to the callback of the portal, with `token`, or with `error` and a code of the catalogue.',
    query: {
      state: { required: true, description: 'As Microsoft sends it back.' },
      code: { required: false, description: 'As Microsoft sends it.' },
      error: { required: false, description: 'As Microsoft sends it.' },
    },
    ...{ security: null, status: 302, answer: null, errors: ['validation_failed'] },
  },
  ...Object.fromEntries(PORTALS.flatMap(({ name }) => portalOperations(name))),
};

/** Gives the description of an endpoint. @throws Error where there is none */
export function descriptionOf(method: string, path: string): Described {
  const described = OPERATIONS[`${method} ${path}`];
  if (described === undefined) throw new Error(`${method} ${path} has no description`);
  return described;
}

function docsFile(operationId: string): Described {
  return {
    ...{ operationId, tag: 'Operations', summary: 'Read a file of the page at /docs' },
    ...{ security: null, status: 200, answer: z.string(), contentType: 'text/javascript', errors: [] },
  };
}

function portalOperations(name: string): [string, Described][] {
  const suffix = name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
  const callback: Described = {
    ...{
      operationId: `receiveTokenOf${suffix}`,
      tag: 'Portals',
      summary: `Turn a token into the cookie of the portal ${name}`,
    },
    query: {
      token: { required: false, description: 'The token of single sign-on.' },
      error: { required: false, description: 'A code of the catalogue, when the sign-in failed.' },
    },
    ...{ security: null, status: 302, answer: null, errors: ['unauthenticated', 'forbidden'] },
  };
  const dashboard: Described = {
    ...{
      operationId: `readDashboardOf${suffix}`,
      tag: 'Portals',
      summary: `See who is signed in to the portal ${name}`,
    },
    ...{ security: 'portal', status: 200, answer: DashboardAnswer, errors: ['unauthenticated'] },
  };
  return [
    [`GET /portals/${name}/api/auth/callback`, callback],
    [`GET /portals/${name}/dashboard`, dashboard],
  ];
}
