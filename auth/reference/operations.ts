// What the endpoints of the authentication service are for, as described to callers.
import { z } from 'zod';
import { PORTALS, type Portal } from '../../domain/access/portals.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import { SESSION_COOKIE } from '../cookies.ts';
import { AcceptRequest, LinkRequest, ResetRequest, SignInRequest, SignUpRequest, SwitchRequest } from '../schemas.ts';
import {
  DashboardAnswer,
  FrontAnswer,
  HealthAnswer,
  LinkSent,
  OrganizationsAnswer,
  PasswordSet,
  SessionAnswer,
  SignedOut,
} from './shapes.ts';

export interface Described {
  operationId: string;
  tag: string;
  summary: string;
  description: string;
  /** The name of the cookie it needs; null for none. */
  security: string | null;
  query?: Record<string, { required: boolean; description: string }>;
  body?: z.ZodType;
  status: number;
  /** Null for a response without a body. */
  answer: z.ZodType | null;
  contentType?: string;
  errors: readonly ErrorCode[];
}

/** Errors of every operation with a body. */
const BODY_ERRORS = [
  'malformed_json',
  'validation_failed',
  'payload_too_large',
  'unsupported_media_type',
  'forbidden',
] as const;

const OPERATIONS: Readonly<Record<string, Described>> = {
  'GET /healthz': {
    ...{ operationId: 'readHealth', tag: 'Operations', summary: 'Check whether the process is alive' },
    description: 'It answers as long as the process can answer at all. It does not look at the database.',
    ...{ security: null, status: 200, answer: HealthAnswer, errors: [] },
  },
  'GET /': {
    ...{ operationId: 'readFront', tag: 'Operations', summary: 'Describe this service' },
    description: 'It names the version and links to what a newcomer reads first. It needs no session.',
    ...{ security: null, status: 200, answer: FrontAnswer, errors: [] },
  },
  'GET /openapi.json': {
    ...{ operationId: 'readOpenApi', tag: 'Operations', summary: 'Get the OpenAPI 3.1 document' },
    description:
      'Generate a client from it, or compare it with the one that you have. It has an `ETag`: send it as `If-None-Match`, and an unchanged description returns 304.',
    ...{ security: null, status: 200, answer: z.record(z.string(), z.unknown()), errors: [] },
  },
  'GET /docs': {
    ...{ operationId: 'readDocs', tag: 'Operations', summary: 'Browse this description' },
    description: 'The page loads nothing from elsewhere. Programs read the description at `/openapi.json`.',
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
      'The response is the same for a wrong address and a wrong password. Too many wrong attempts are 429 for a while.',
    ...{ security: null, body: SignInRequest, status: 200, answer: SessionAnswer },
    errors: [...BODY_ERRORS, 'unauthenticated'],
  },
  'POST /api/auth/sign-out': {
    ...{ operationId: 'signOut', tag: 'Accounts', summary: 'End the session' },
    description: 'The session ends and its cookie is cleared. Without a session the response is the same.',
    ...{ security: null, status: 200, answer: SignedOut, errors: ['forbidden'] },
  },
  'GET /api/auth/get-session': {
    ...{ operationId: 'getSession', tag: 'Accounts', summary: 'Read the session, with a new token for the API' },
    description:
      'Call it before the token of the last answer expires. A session that has ended, or of a person who was deactivated, returns 401.',
    ...{ security: SESSION_COOKIE, status: 200, answer: SessionAnswer, errors: ['unauthenticated'] },
  },
  'POST /api/auth/request-password-reset': {
    ...{ operationId: 'requestPasswordReset', tag: 'Passwords', summary: 'Request a link to set a password' },
    description: 'The response is the same whether there is such an account or not. The link is good for an hour.',
    ...{ security: null, body: LinkRequest, status: 200 },
    answer: LinkSent,
    errors: BODY_ERRORS,
  },
  'POST /api/auth/reset-password': {
    ...{ operationId: 'resetPassword', tag: 'Passwords', summary: 'Set a password with the token of a link' },
    description:
      'It proves the mailbox, and accepts the invitation that the token belongs to. A token that was used or has expired returns 401.',
    ...{ security: null, body: ResetRequest, status: 200, answer: PasswordSet },
    errors: [...BODY_ERRORS, 'unauthenticated'],
  },
  'POST /api/auth/accept-invitation': {
    ...{
      operationId: 'acceptInvitation',
      tag: 'Organizations',
      summary: 'Accept an invitation as the person signed in',
    },
    description:
      'The invitation must be for the e-mail address of the person, and still open. The session then acts in the organization that invited them, and the response has a token for it.',
    ...{ security: SESSION_COOKIE, body: AcceptRequest, status: 200, answer: SessionAnswer },
    errors: [...BODY_ERRORS, 'unauthenticated', 'not_found'],
  },
  'GET /api/auth/organizations': {
    ...{ operationId: 'listOrganizations', tag: 'Organizations', summary: 'List the organizations of the person' },
    description:
      '`current` marks the one in which the session acts. One in which the person was deactivated is not listed.',
    ...{ security: SESSION_COOKIE, status: 200, answer: OrganizationsAnswer, errors: ['unauthenticated'] },
  },
  'POST /api/auth/switch': {
    ...{
      operationId: 'switchOrganization',
      tag: 'Organizations',
      summary: 'Let the session act in another organization',
    },
    description:
      'The response has a token for that organization. An organization in which the person is no active member returns 404.',
    ...{ security: SESSION_COOKIE, body: SwitchRequest, status: 200, answer: SessionAnswer },
    errors: [...BODY_ERRORS, 'unauthenticated', 'not_found'],
  },
  'GET /api/auth/sign-in/microsoft': {
    ...{ operationId: 'startSignOn', tag: 'Single sign-on', summary: 'Begin to sign in with Microsoft' },
    description:
      'Open it in a browser: the response leads to Microsoft, and from there back to the portal. A callback that is not registered is refused.',
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
      'It redirects to the callback of the portal, with `token`, or with `error` and a code of the catalogue. A `state` that this service did not send to the same browser returns 401.',
    query: {
      state: { required: true, description: 'As Microsoft sends it back.' },
      code: { required: false, description: 'As Microsoft sends it.' },
      error: { required: false, description: 'As Microsoft sends it.' },
    },
    ...{ security: null, status: 302, answer: null, errors: ['validation_failed', 'unauthenticated'] },
  },
  ...Object.fromEntries(PORTALS.flatMap(portalOperations)),
};

/** Returns the description of an endpoint. @throws Error if there is none */
export function descriptionOf(method: string, path: string): Described {
  const described = OPERATIONS[`${method} ${path}`];
  if (described === undefined) throw new Error(`${method} ${path} has no description`);
  return described;
}

function docsFile(operationId: string): Described {
  return {
    ...{ operationId, tag: 'Operations', summary: 'Read a file of the page at /docs' },
    description: 'The page loads it by itself. Programs have no use for it.',
    ...{ security: null, status: 200, answer: z.string(), contentType: 'text/javascript', errors: [] },
  };
}

function portalOperations({ name, cookie }: Portal): [string, Described][] {
  const callback: Described = {
    ...{
      operationId: `receiveTokenOf${capitalized(name)}`,
      tag: 'Portals',
      summary: `Turn a token into the cookie of the portal ${name}`,
    },
    description:
      'Single sign-on leads here. The response sets the cookie until the token ends, and leads to the dashboard of the portal.',
    query: {
      token: { required: false, description: 'The token of single sign-on.' },
      error: { required: false, description: 'A code of the catalogue, when the sign-in failed.' },
    },
    ...{ security: null, status: 302, answer: null, errors: ['unauthenticated', 'forbidden'] },
  };
  const dashboard: Described = {
    ...{
      operationId: dashboardOf(name),
      tag: 'Portals',
      summary: `See who is signed in to the portal ${name}`,
    },
    description:
      'It reads the cookie that the callback of the portal has set. Without it, or with one that has expired, the response is 401.',
    ...{ security: cookie, status: 200, answer: DashboardAnswer, errors: ['unauthenticated'] },
  };
  return [
    [`GET /portals/${name}/api/auth/callback`, callback],
    [`GET /portals/${name}/dashboard`, dashboard],
  ];
}

/** The operation that shows who is signed in to a portal. */
export function dashboardOf(portal: string): string {
  return `readDashboardOf${capitalized(portal)}`;
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
