// The shapes of bank statements on the wire: statements, their bookings, and the movements of trust cash.
import { z } from 'zod';
import { MATCH_RULES } from '../../../../domain/billing/bank/matching.ts';
import { STATEMENT_FORMATS } from '../../../../domain/billing/bank/statement.ts';
import {
  businessText,
  idParam,
  idReference,
  instant,
  isoDate,
  pageOf,
  pageQuery,
  signedDollars,
} from '../../../spine/schemas.ts';

const MOST_MATCHED = 200;
const MATCH_STATUSES = ['matched', 'unmatched'] as const;

/** The condition that a status of the query stands for. */
export function isMatchedBy(status: (typeof MATCH_STATUSES)[number] | undefined): boolean | undefined {
  return status === undefined ? undefined : status === 'matched';
}

/** The parts of a form are texts. */
const balanceOf = (when: string) =>
  z
    .union([signedDollars, z.string().regex(/^-?\d{1,12}(\.\d{1,2})?$/)])
    .optional()
    .meta({ description: `Of a table: the balance ${when}, in dollars.` });

/** What comes with the file. */
export const StatementUploadSchema = z.strictObject({
  fileName: businessText.optional(),
  contentType: businessText.optional(),
  format: z.enum(STATEMENT_FORMATS).optional().meta({
    description: 'Default: by the content type, `text/csv` or `application/xml`, else by the end of the file name.',
  }),
  from: isoDate.optional().meta({
    description:
      'For a table: the first day that it covers in full; give it together with `to`. If you leave it out, the statement begins with its first booking and does not claim to be complete.',
  }),
  to: isoDate.optional().meta({ description: 'Of a table: its last day.' }),
  openingBalance: balanceOf('before the first booking'),
  closingBalance: balanceOf('after the last one'),
});

export const BankStatementSchema = z
  .strictObject({
    id: z.string(),
    orgId: z.string(),
    format: z.enum(STATEMENT_FORMATS),
    number: z.string().nullable().meta({ description: "The bank's number of the statement." }),
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
    unmatchedAmount: signedDollars.meta({ description: 'What the unmatched bookings add up to.' }),
    fileName: z.string().nullable(),
    uploadedBy: z.string(),
    withdrawnBy: z.string().nullable(),
    withdrawnAt: instant.nullable().meta({ description: 'From then on neither it nor its bookings count.' }),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'BankStatement', description: 'A statement of the bank for the trust account.' });

const MovementSchema = z
  .strictObject({
    id: z.string(),
    entryId: z.string(),
    entryType: z.string(),
    sourceType: z.string(),
    sourceId: z.string(),
    description: z.string(),
    date: isoDate,
    amount: signedDollars.meta({ description: 'Positive where money came in.' }),
    references: z.array(z.string()).meta({ description: 'What a bank may call it: a check number, a trace.' }),
    bankLineId: z.string().nullable().meta({ description: 'The booking that it is matched with.' }),
  })
  .meta({ id: 'BankMovement', description: 'A movement of account 1010 in the ledger.' });

export const BankLineSchema = z
  .strictObject({
    id: z.string(),
    orgId: z.string(),
    statementId: z.string(),
    bookedOn: isoDate,
    amount: signedDollars.meta({ description: 'Positive where money came in.' }),
    reference: z.string(),
    description: z.string(),
    matched: z.boolean(),
    matchedBy: z.enum(MATCH_RULES).nullable().meta({
      description:
        '`reference`: the amount, and a reference of the ledger in the text of the bank. `amount`: the amount alone, within five days, when nothing else could be meant. `person`: by hand.',
    }),
    matchedByUser: z.string().nullable(),
    matchedAt: instant.nullable(),
    movements: z.array(MovementSchema),
    version: z.number().int(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'BankLine', description: 'A booking of the bank on the trust account.' });

export const MatchSchema = z
  .strictObject({
    movementIds: z.array(idReference('ledgerLine')).min(1).max(MOST_MATCHED).meta({
      description: 'The movements of account 1010 that it is. Their amounts add up to that of the booking.',
    }),
  })
  .meta({ id: 'BankLineMatch' });

export const BankStatementPageSchema = pageOf('BankStatement', BankStatementSchema);
export const BankLinePageSchema = pageOf('BankLine', BankLineSchema);
export const BankMovementPageSchema = pageOf('BankMovement', MovementSchema);
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
