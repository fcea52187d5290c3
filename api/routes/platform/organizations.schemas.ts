// The wire format of organizations. Contract 3.10.
import { z } from 'zod';
import { businessText, idReference, instant, organizationId, pageSchema, tokenSubject } from '../../spine/schemas.ts';

const MAX_DOMAINS = 50;
const MAX_PAYMENT_LINES = 8;

const tier = z
  .enum(['standard', 'enterprise'])
  .meta({ id: 'Tier', description: 'The tier, which decides how many requests a minute its callers may send.' });

const emailDomain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/, 'This is not a valid domain name.')
  .meta({ examples: ['example.com'] });

export const OrganizationCreateSchema = z
  .strictObject({ name: businessText, tier: tier.default('standard') })
  .meta({ id: 'OrganizationCreate' });

export const OrganizationChangesSchema = z
  .strictObject({
    name: businessText.optional(),
    tier: tier.optional(),
    emailDomains: z
      .array(emailDomain)
      .max(MAX_DOMAINS)
      .optional()
      .meta({ description: 'Anyone who verifies an e-mail address in one of these domains may join.' }),
    paymentInstructions: z.array(businessText).max(MAX_PAYMENT_LINES).optional().meta({
      description:
        'Where insureds pay, line by line: payee, address or account. Printed on invoices, statements and notices for non-payment; an empty list prints nothing.',
    }),
  })
  .meta({ id: 'OrganizationChanges' });

export const OrganizationSchema = z
  .strictObject({
    id: idReference('organization'),
    uuid: z.string().meta({ description: 'The UUID form of the id; accepted wherever the id is.' }),
    name: z.string(),
    tier,
    emailDomains: z.array(z.string()),
    paymentInstructions: z.array(z.string()).meta({ description: 'Where insureds pay, line by line.' }),
    version: z.int(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Organization' });

export const OrganizationPageSchema = pageSchema('Organization', OrganizationSchema);

export const OrganizationParams = z.strictObject({ id: organizationId });

export const OperatorParams = z.strictObject({ id: organizationId, userId: tokenSubject });

export const OperatorSchema = z
  .strictObject({ orgId: idReference('organization'), userId: tokenSubject })
  .meta({ id: 'Operator' });
