// The shapes of bank statements on the wire: statements, their bookings, and the movements of trust cash.
import { z } from 'zod';
import { MATCH_RULES } from '../../../../domain/billing/bank/matching.ts';
import { STATEMENT_FORMATS } from '../../../../domain/billing/bank/statement.ts';
import {
  actorId,
  businessText,
  fileNameText,
  idParam,
  idReference,
  instant,
  isoDate,
  pageQuery,
  pageSchema,
  recordId,
  signedDollars,
} from '../../../spine/schemas.ts';

const MOST_MATCHED = 200;
const MATCH_STATUSES = ['matched', 'unmatched'] as const;

/** The condition that a query status stands for. */
export function isMatchedBy(status: (typeof MATCH_STATUSES)[number] | undefined): boolean | undefined {
  return status === undefined ? undefined : status === 'matched';
}

/** Form parts are text. */
const balanceOf = (when: string) =>
  z
    .union([signedDollars, z.string().regex(/^-?\d{1,12}(\.\d{1,2})?$/)])
    .optional()
    .meta({ description: `For a table: the balance ${when}, in dollars.` });

/** What comes with the file. */
export const StatementUploadSchema = z.strictObject({
  fileName: fileNameText.optional(),
  contentType: businessText.optional(),
  format: z.enum(STATEMENT_FORMATS).optional().meta({
    description:
      'Default: by the content type, `text/csv` or `application/xml`, or else by the extension of the file name.',
  }),
  from: isoDate.optional().meta({
    description:
      'For a table: the first day that it covers in full; give it together with `to`. If you leave it out, the statement begins with its first booking and does not claim to be complete.',
  }),
  to: isoDate.optional().meta({ description: 'For a table: the last day that it covers in full.' }),
  openingBalance: balanceOf('before the first booking'),
  closingBalance: balanceOf('after the last one'),
});

export const BankStatementSchema = z
  .strictObject({
    id: idReference('bankStatement'),
    orgId: idReference('organization'),
    format: z.enum(STATEMENT_FORMATS),
    number: z.string().nullable().meta({ description: 'The statement number that the bank assigned.' }),
    account: z.string().nullable().meta({ description: 'The last four characters of the account.' }),
    from: isoDate,
    to: isoDate,
    wholeUntil: isoDate.nullable().meta({
      description:
        'The last day that the statement covers in full, because it states its period or its balances add up. It is null if neither holds.',
    }),
    openingBalance: signedDollars.nullable(),
    closingBalance: signedDollars.nullable(),
    lineCount: z.number().int().meta({ description: 'Bookings in the file.' }),
    newLineCount: z.number().int().meta({ description: 'Bookings that no earlier statement has.' }),
    matchedCount: z.number().int().meta({ description: 'Of the new bookings, those matched with the ledger.' }),
    unmatchedCount: z.number().int(),
    unmatchedAmount: signedDollars.meta({ description: 'The total of the unmatched bookings.' }),
    fileName: z.string().nullable(),
    uploadedBy: actorId,
    withdrawnBy: actorId.nullable(),
    withdrawnAt: instant
      .nullable()
      .meta({ description: 'When it was withdrawn. Since then neither the statement nor its bookings count.' }),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'BankStatement', description: 'A bank statement for the trust account.' });

const MovementSchema = z
  .strictObject({
    id: idReference('ledgerLine'),
    entryId: idReference('ledgerEntry'),
    entryType: z.string(),
    sourceType: z.string(),
    sourceId: recordId,
    description: z.string(),
    date: isoDate,
    amount: signedDollars.meta({ description: 'Positive for money received.' }),
    references: z
      .array(z.string())
      .meta({ description: 'References that a bank may use for it: a check number, a trace number.' }),
    bankLineId: idReference('bankLine').nullable().meta({ description: 'The booking that it is matched with.' }),
  })
  .meta({ id: 'BankMovement', description: 'A movement of account 1010 in the ledger.' });

export const BankLineSchema = z
  .strictObject({
    id: idReference('bankLine'),
    orgId: idReference('organization'),
    statementId: idReference('bankStatement'),
    bookedOn: isoDate,
    amount: signedDollars.meta({ description: 'Positive for money received.' }),
    reference: z.string(),
    description: z.string(),
    matched: z.boolean(),
    matchedBy: z.enum(MATCH_RULES).nullable().meta({
      description:
        '`reference`: the amount agrees, and the text of the bank has a reference of the ledger. `amount`: only the amount agrees, within five days, and there is no other candidate. `person`: by hand.',
    }),
    matchedByUser: z.string().nullable(),
    matchedAt: instant.nullable(),
    movements: z.array(MovementSchema),
    version: z.number().int(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'BankLine', description: 'A bank booking on the trust account.' });

export const MatchSchema = z
  .strictObject({
    movementIds: z.array(idReference('ledgerLine')).min(1).max(MOST_MATCHED).meta({
      description: 'The movements of account 1010 that it is matched with. They add up to the amount of the booking.',
    }),
  })
  .meta({ id: 'BankLineMatch' });

export const BankStatementPageSchema = pageSchema('BankStatement', BankStatementSchema);
export const BankLinePageSchema = pageSchema('BankLine', BankLineSchema);
export const BankMovementPageSchema = pageSchema('BankMovement', MovementSchema);
export const BankStatementParams = z.strictObject({ id: idParam('bankStatement') });
export const BankLineParams = z.strictObject({ id: idParam('bankLine') });
export const BankStatementListQuery = z.strictObject(pageQuery);
export const BankLineListQuery = z.strictObject({
  ...pageQuery,
  statementId: idReference('bankStatement').optional(),
  status: z.enum(MATCH_STATUSES).optional(),
});
export const BankMovementListQuery = z.strictObject({
  ...pageQuery,
  status: z.enum(MATCH_STATUSES).optional(),
  from: isoDate.optional(),
  to: isoDate.optional(),
});
export type BankStatementWire = z.output<typeof BankStatementSchema>;
export type BankLineWire = z.output<typeof BankLineSchema>;
export type BankMovementWire = z.output<typeof MovementSchema>;
