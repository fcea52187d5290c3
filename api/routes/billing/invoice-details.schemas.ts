// An invoice with the policy it bills, for `expand=policy`. Contract 3.4.
import { z } from 'zod';
import { pageSchema } from '../../spine/schemas.ts';
import { PolicySchema } from '../policy/policies.schemas.ts';
import { InvoiceSchema } from './invoices.schemas.ts';

export const InvoiceDetailSchema = z
  .strictObject({
    ...InvoiceSchema.shape,
    policy: PolicySchema.nullable()
      .optional()
      .meta({ description: 'The policy; only with `expand=policy`. It is null when you may not read it.' }),
  })
  .meta({ id: 'InvoiceDetail' });

export const InvoicePageSchema = pageSchema('Invoice', InvoiceDetailSchema);

export type InvoiceDetailWire = z.output<typeof InvoiceDetailSchema>;
