// The rows that an insured can reach by id: another insured's look nonexistent. Contract 3.7 "Portal".
import { Invoice } from '../../../db/entities/billing/invoice.ts';
import { Claim } from '../../../db/entities/claim/claim.ts';
import { findPolicyWithBilling, type PolicyWithBilling } from '../../../db/queries/billing/void-invoices.ts';
import { findOwn, shareInsured } from '../../../db/queries/portal/own-rows.ts';
import type { Resource } from '../../spine/access.ts';

/** Shared by every portal operation. */
export const PORTAL = { tag: 'Portal', spec: '4.14, Contract 3.7' } as const;

export const ownPolicy: Resource<PolicyWithBilling> = {
  name: 'policy',
  load: async (em, id, { id: policyId }) =>
    (await shareInsured(em, policyId, id)) ? findPolicyWithBilling(em, id) : null,
  facts: ({ policy: { orgId } }) => ({ orgId }),
  version: ({ policy }) => policy.version,
};

export const ownInvoice: Resource<Invoice> = {
  name: 'invoice',
  load: (em, id, { id: policyId }) => findOwn(em, Invoice, { id, policyId }),
  facts: ({ orgId }) => ({ orgId }),
  version: ({ version }) => version,
};

export const ownClaim: Resource<Claim> = {
  name: 'claim',
  load: (em, id, { id: policyId }) => findOwn(em, Claim, { id, policyId }),
  facts: ({ orgId }) => ({ orgId }),
  version: ({ version }) => version,
};
