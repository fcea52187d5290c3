// The environment variables for access from a browser: portals, pages, and single sign-on with Microsoft.
import { z } from 'zod';
import type { Environment } from './installation.ts';
import { confidential, corsOrigins, portalOrigins, webUrl } from './shapes.ts';

export const portalVariables = {
  PORTAL_ORIGINS: portalOrigins()
    .optional()
    .describe('Where portals live, for single sign-on: admin=https://admin.example.com,finance=https://….'),
} as const;

export const pageVariables = {
  CORS_ORIGINS: corsOrigins()
    .optional()
    .describe(
      'Pages that may call the API from a browser: https://app.example.com,… Default: none; locally the portals.',
    ),
} as const;

export const microsoftVariables = {
  MICROSOFT_TENANT_ID: z.guid('must be a UUID').optional().describe('The one tenant that may sign in with Microsoft.'),
  MICROSOFT_CLIENT_ID: z.string().min(1).optional().describe('Id of our application in that tenant.'),
  MICROSOFT_CLIENT_SECRET: confidential(
    z.string().min(1).optional().describe('Secret of our application in that tenant.'),
  ),
  MICROSOFT_AUTHORITY: webUrl()
    .default('https://login.microsoftonline.com')
    .describe('The identity provider, without the tenant.'),
} as const;

const microsoftSchema = z.object(microsoftVariables);

type Microsoft = z.infer<typeof microsoftSchema>;

/** Describes a conflict between the variables of single sign-on, or null. */
export function microsoftFault(values: Microsoft & { ENVIRONMENT: Environment }): string | null {
  const names = ['MICROSOFT_TENANT_ID', 'MICROSOFT_CLIENT_ID', 'MICROSOFT_CLIENT_SECRET'] as const;
  const missing = names.filter((name) => values[name] === undefined);
  if (missing.length === 1 || missing.length === 2) return `${missing.join(' and ')} must be set too`;
  const isOpen = values.ENVIRONMENT !== 'local' && !values.MICROSOFT_AUTHORITY.startsWith('https:');
  return isOpen ? 'MICROSOFT_AUTHORITY must be an https address' : null;
}

/** Single sign-on, or null where it is not set up. */
export function microsoftConfig(values: Microsoft) {
  const {
    MICROSOFT_TENANT_ID: tenantId,
    MICROSOFT_CLIENT_ID: clientId,
    MICROSOFT_CLIENT_SECRET: clientSecret,
  } = values;
  if (tenantId === undefined || clientId === undefined || clientSecret === undefined) return null;
  const authority = values.MICROSOFT_AUTHORITY.replace(/\/+$/, '');
  return { tenantId: tenantId.toLowerCase(), clientId, clientSecret, authority };
}

/** Pages of the portals may call a local API without being listed again. */
export function corsConfig(values: {
  ENVIRONMENT: Environment;
  CORS_ORIGINS?: readonly string[] | undefined;
  PORTAL_ORIGINS?: ReadonlyMap<string, string> | undefined;
}): readonly string[] {
  const { CORS_ORIGINS, ENVIRONMENT, PORTAL_ORIGINS } = values;
  if (CORS_ORIGINS !== undefined) return CORS_ORIGINS;
  return ENVIRONMENT === 'local' ? [...new Set(PORTAL_ORIGINS?.values())] : [];
}
