// The shapes of journals on the wire.
import { z } from 'zod';
import { JOURNAL_STATUSES } from '../../../domain/billing/ledger/journal.ts';
import {
  actorId,
  businessText,
  entryDollars,
  idReference,
  instant,
  isoDate,
  longText,
  pageQuery,
  pageSchema,
} from '../../spine/schemas.ts';
import { accountNumber, LEDGERS, LedgerLineSchema } from './ledger.schemas.ts';

const MOST_LINES = 50;

const CompletedStep = z
  .strictObject({
    paymentId: idReference('payment', 'refund').meta({ description: 'The id of the payment or refund.' }),
    step: businessText.meta({ description: 'The name of the skipped step.', examples: ['fiduciary ledger'] }),
  })
  .meta({ id: 'CompletedStep', description: 'A step that an operator skipped and that this journal completes.' });

const EnteredLine = z
  .strictObject({ account: accountNumber, debit: entryDollars.optional(), credit: entryDollars.optional() })
  .meta({ id: 'JournalLine', description: 'A line has either a debit or a credit, in dollars above zero.' });

export const JournalWriteSchema = z
  .strictObject({
    ledger: z.enum(LEDGERS),
    date: isoDate
      .optional()
      .meta({ description: 'The date of the entry: today or up to a year before. Default: today.' }),
    description: longText,
    lines: z.array(EnteredLine).min(2).max(MOST_LINES),
    policyId: idReference('policy').optional(),
    invoiceId: idReference('invoice').optional(),
    completesStep: CompletedStep.optional(),
  })
  .meta({ id: 'JournalWrite' });

export const JournalRejectionSchema = z.strictObject({ reason: longText }).meta({ id: 'JournalRejection' });

export const JournalSchema = z
  .strictObject({
    id: idReference('journal'),
    orgId: idReference('organization'),
    status: z.enum(JOURNAL_STATUSES),
    ledger: z.enum(LEDGERS),
    date: isoDate,
    description: z.string(),
    lines: z.array(LedgerLineSchema),
    policyId: idReference('policy').nullable(),
    invoiceId: idReference('invoice').nullable(),
    completesStep: CompletedStep.nullable(),
    madeBy: actorId,
    decidedBy: actorId.nullable(),
    decidedAt: instant.nullable(),
    reason: z.string().nullable().meta({ description: 'The reason for the rejection.' }),
    entryId: idReference('ledgerEntry').nullable().meta({
      description: 'The ledger entry that the approved journal posted. It is null until then.',
    }),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({
    id: 'Journal',
    description: 'A manual ledger entry. It is posted once someone else has approved it.',
  });

export const JournalPageSchema = pageSchema('Journal', JournalSchema);
export const JournalListQuery = z.strictObject({ ...pageQuery, status: z.enum(JOURNAL_STATUSES).optional() });

export type JournalWrite = z.output<typeof JournalWriteSchema>;
export type JournalWire = z.output<typeof JournalSchema>;
