// The variable for receivers of webhooks, and the rules for their addresses that follow from it.
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

const networks = () =>
  z
    .string()
    .transform((text) => text.split(',').map((network) => network.trim()))
    .refine((list) => list.every((network) => ipaddr.isValidCIDR(network)), 'must be networks as 10.1.0.0/16');

export const receiverVariables = {
  WEBHOOK_ALLOWED_NETWORKS: networks()
    .optional()
    .describe('Private networks whose webhook receivers may be called, separated by commas. Not in production.'),
} as const;

const schema = z.object(receiverVariables);
type Values = z.infer<typeof schema> & { ENVIRONMENT: 'local' | 'sandbox' | 'production' };

/** Describes a conflict between variables, or null. */
export function receiverFault({ WEBHOOK_ALLOWED_NETWORKS: given, ENVIRONMENT }: Values): string | null {
  if (given === undefined || ENVIRONMENT !== 'production') return null;
  return 'WEBHOOK_ALLOWED_NETWORKS must not be set in production: receivers are called at public addresses alone';
}

/** Where the platform may call on behalf of a tenant. */
export function receiverConfig({ WEBHOOK_ALLOWED_NETWORKS: given, ENVIRONMENT }: Values) {
  return { outboundPolicy: { allowsLoopback: ENVIRONMENT !== 'production', allowedNetworks: given ?? [] } };
}
