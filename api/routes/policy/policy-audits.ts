// The premium audit of an ended policy term. Contract 3.2.
import { z } from 'zod';
import type { Command } from '../../../contracts/machinery/command.ts';
import { fromDollars } from '../../../domain/money.ts';
import { planAudit } from '../../../plans/policy/audit-plan.ts';
import { allow } from '../../spine/access.ts';
import { route } from '../../spine/route.ts';
import { dollars, longText } from '../../spine/schemas.ts';
import { policyResource } from './policies.ts';
import { change, type Plan, termChange } from './policy-changes.ts';

const AuditSchema = z
  .strictObject({
    actualRevenue: dollars.meta({ description: "The insured's actual gross receipts during the term, in dollars." }),
    reason: longText.optional(),
  })
  .meta({ id: 'PremiumAudit' });

const auditPolicy = route({
  ...termChange,
  path: '/policies/:id/audit',
  operationId: 'auditPolicy',
  summary: 'Audit the premium of an ended term',
  description:
    'Rates the term again with the actual gross receipts, using the tables of the term, for the days in force. A term can be audited once, on or after its expiration date (before that: `not_ready` with `earliestDate`). Additional premium is billed on one invoice due in 15 days. Return premium reduces unpaid invoices, and the rest is refunded.',
  access: allow('policy:audit', policyResource),
  body: AuditSchema,
  errors: ['not_ready', 'already_exists'],
  handler: ({ body: { actualRevenue, reason = null }, lifecycle, ...call }) => {
    const payload = { actualRevenueCents: fromDollars(actualRevenue, 'actualRevenue'), reason };
    const plan: Plan = (em, policy, today) => planAudit(em, policy, payload, today);
    const carryOut = (command: Command) => lifecycle.auditPolicy({ ...command, payload });
    return change(call, { permission: 'policy:audit', action: null, plan, carryOut });
  },
});

export const policyAuditRoutes = [auditPolicy];
