// The responses of the authentication service, each shape under its name in the document.
import { z } from 'zod';
import { VALIDATION_RULES } from '../../domain/errors.ts';
import { ROLES } from '../../domain/permissions.ts';

const instant = z.string().meta({
  id: 'Instant',
  ...{ format: 'date-time', description: 'An instant in UTC.', examples: ['2026-03-01T12:00:00.000Z'] },
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$',
});
const role = z.enum(ROLES).meta({ id: 'Role', description: 'What a person may do at the API.' });
const organizationId = z.string().meta({
  id: 'OrganizationId',
  ...{ description: 'The id of an organization.', examples: ['org_01jz8k3v5ne0rbx4q2mw7t6yha'] },
});
const userId = z.string().meta({
  id: 'UserId',
  ...{ description: 'The id of a person in an organization.', examples: ['usr_01jz8k3v5ne0rbx4q2mw7t6yha'] },
});

const UserShape = z
  .strictObject({
    id: userId,
    email: z.string().meta({ format: 'email' }),
    role: role.nullable().meta({ description: 'Null until an administrator invites the person.' }),
    orgId: organizationId.nullable(),
  })
  .meta({ id: 'User', description: 'A person, as a member of the organization in which the session acts.' });

const SessionShape = z
  .strictObject({
    id: z.string(),
    expiresAt: instant,
    token: z.string().meta({ description: 'Exchange it at the API for a new token: `POST /auth/session-exchange`.' }),
  })
  .meta({ id: 'Session' });

export const SessionAnswer = z
  .strictObject({
    user: UserShape,
    session: SessionShape.nullable(),
    token: z.string().nullable().meta({ description: 'For `Authorization: Bearer` at the API. Good for eight hours.' }),
  })
  .meta({ id: 'SessionAnswer', description: 'Who is signed in, their session and their token.' });

const MembershipShape = z
  .strictObject({
    ...{ orgId: organizationId, name: z.string(), role, userId },
    current: z.boolean().meta({ description: 'Whether the session acts in this organization.' }),
  })
  .meta({ id: 'Membership' });

export const OrganizationsAnswer = z
  .strictObject({ data: z.array(MembershipShape), nextCursor: z.null() })
  .meta({ id: 'MembershipList', description: 'All organizations of the person, on one page.' });

export const DashboardAnswer = z
  .strictObject({ portal: z.string(), sub: userId, orgId: organizationId, role, expiresAt: instant })
  .meta({ id: 'PortalVisitor', description: 'Who is signed in to a portal, and until when.' });

export const FrontAnswer = z
  .strictObject({
    ...{ name: z.string(), version: z.string(), description: z.string() },
    links: z.strictObject({ reference: z.url(), openapi: z.url(), health: z.url() }).meta({ id: 'FrontLinks' }),
  })
  .meta({ id: 'Front', description: 'What the service is, and where to go from here.' });

export const HealthAnswer = z.strictObject({ status: z.literal('ok') }).meta({ id: 'Health' });

export const SignedOut = z.strictObject({ success: z.literal(true) }).meta({ id: 'SignedOut' });

export const LinkSent = z
  .strictObject({ sent: z.literal(true), expiresInSeconds: z.int() })
  .meta({ id: 'LinkSent', description: 'The response to every address, known or not.' });

export const PasswordSet = z.strictObject({ reset: z.literal(true) }).meta({ id: 'PasswordSet' });

const text = z.string();
const issue = {
  field: text.meta({ description: 'Dotted path of the field.' }),
  rule: z.enum(VALIDATION_RULES).meta({ description: 'The rule that the value breaks.' }),
  minimum: z.number(),
  maximum: z.number(),
  allowed: z.array(z.unknown()),
};
const issueShape = z
  .strictObject({ ...issue, message: text })
  .partial({ minimum: true, maximum: true, allowed: true })
  .meta({ id: 'ValidationIssue', description: 'A rule that the request breaks.' });

const Details = z
  .strictObject({
    ...issue,
    issues: z.array(issueShape).meta({ description: 'Every broken rule, when there are several.' }),
    permission: text.meta({ description: 'What the person may not do.' }),
    supported: z.array(text).meta({ description: 'The media types that a body can have.' }),
    maxBytes: z.int().meta({ description: 'The greatest number of bytes that is accepted.' }),
    retryAfterSeconds: z.int().meta({ description: 'The number of seconds to wait, as in `Retry-After`.' }),
  })
  .partial()
  .meta({ id: 'ErrorDetails', description: 'Facts about the error. The code determines which.' });

export const ErrorAnswer = z
  .strictObject({
    error: text.meta({ description: 'The error code, for programs.' }),
    message: text.meta({ description: 'A sentence that explains the error, for people.' }),
    details: Details,
    requestId: text.meta({ description: 'The id of the request. Quote it when you ask for help.' }),
  })
  .meta({ id: 'Error', description: 'An error, with the body of the errors of the API.' });
