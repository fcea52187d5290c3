// The shapes that many operations share: ids, money, dates, text, paging. Contract 1. A `rule` in a check's parameters
// is the catalogue's rule in the caller's error.
import { z } from 'zod';
import type { Order, Orders } from '../../db/queries/orders.ts';
import { isMonth, isRealDate } from '../../domain/dates.ts';
import type { ValidationRule } from '../../domain/errors.ts';
import { ID_PREFIXES, type IdKind, isId, organizationIdFrom } from '../../domain/ids.ts';
import {
  AMOUNT_MAX_CENTS,
  JWT_SUBJECT_MAX_CHARACTERS,
  PAGE_SIZE_DEFAULT,
  PAGE_SIZE_MAX,
  PAYMENT_MAX_CENTS,
  RETURNED_PAYMENT_FEE_MAX_CENTS,
  STRING_MAX_CHARACTERS,
  TEXT_MAX_CHARACTERS,
} from '../../domain/limits.ts';
import { LINES_OF_BUSINESS, STATES } from '../../domain/lines.ts';
import { plainFileName, plainReference } from '../../domain/text.ts';

const AMOUNT_MAX_DOLLARS = AMOUNT_MAX_CENTS / 100;
const CURSOR_MAX_CHARACTERS = 500;
/** Written without `\p{…}`, so that validators in every language can read it in the API document. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that it refuses
const NO_CONTROL_CHARACTERS = /^[^\x00-\x1f\x7f-\x9f]*$/;
/** Characters visible on paper: no spaces, and none that only join, direct or pad others. */
const VISIBLE = /[^\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;
const SAMPLE_SUFFIX = '01jz8k3v5ne0rbx4q2mw7t6yha';

/** Breaks when a number has more than two decimals. */
const wholeCents = (dollars: number): boolean => Math.round(dollars * 100) / 100 === dollars;

type IdKinds = readonly [IdKind, ...IdKind[]];
type IdSchema = ReturnType<typeof typeId>;

const idSchemas = new Map<string, IdSchema>();

/** An id in the path, of any of these kinds. Any other shape is a 404. Contract 1 "Ids". */
export function idParam(...kinds: [IdKind, ...IdKind[]]): IdSchema {
  return sharedTypeId(kinds, 'format');
}

/**
 * An id in a body, filter or response, of any of these kinds; the handler checks whether it exists. Contract 1 "Order
 * of checks".
 */
export function idReference(...kinds: [IdKind, ...IdKind[]]): IdSchema {
  return sharedTypeId(kinds, 'unknown_reference');
}

/** One schema for each kind: the API document describes it once, by its name. */
function sharedTypeId(kinds: IdKinds, rule: ValidationRule): IdSchema {
  const key = `${kinds.join(' ')} ${rule}`;
  const schema = idSchemas.get(key) ?? typeId(kinds, rule);
  idSchemas.set(key, schema);
  return schema;
}

function typeId(kinds: IdKinds, rule: ValidationRule) {
  const prefixes = kinds.map((kind) => ID_PREFIXES[kind]);
  const [prefix] = prefixes;
  const anyOf = prefixes.length === 1 ? prefix : `(${prefixes.join('|')})`;
  return z
    .string()
    .refine((value) => prefixes.some((each) => isId(value, each)), {
      ...{ error: `This is not a valid ${kinds.join(' or ')} id.`, params: { rule } },
    })
    .meta({
      id: `${kinds.map(capitalized).join('Or')}Id`,
      pattern: `^${anyOf}_[0-7][0-9a-hjkmnp-tv-z]{25}$`,
      examples: [`${prefix}_${SAMPLE_SUFFIX}`],
    });
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** An organization in a path or a query: its TypeID or its UUID form; the handler gets the TypeID. */
export const organizationId = z
  .string()
  .refine((value) => organizationIdFrom(value) !== null, { params: { rule: 'format' } })
  .meta({
    id: 'OrganizationReference',
    description: 'The TypeID of the organization, or its UUID form.',
    pattern: '^(org_[0-7][0-9a-hjkmnp-tv-z]{25}|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$',
    examples: [`org_${SAMPLE_SUFFIX}`],
  })
  .transform((value) => organizationIdFrom(value) ?? value);

/** Dollars from zero up, at most two decimals. Contract 1 "Money". */
export const dollars = amount('Dollars', 0);

/** Dollars above zero, at most two decimals. */
export const positiveDollars = amount('PositiveDollars', 0.01);

/** Dollars of one payment or refund: above zero, at most ten million. Contract 3.4. */
export const paymentDollars = amount('PaymentDollars', 0.01, PAYMENT_MAX_CENTS / 100);

/** Dollars on one side of a manual entry, bounded like a payment so that large sums stay exact. */
export const entryDollars = amount('EntryDollars', 0, PAYMENT_MAX_CENTS / 100);

/** Dollars of either sign in a response: changes, credits, refunds. */
export const signedDollars = z
  .number()
  .meta({ id: 'SignedDollars', description: 'Dollars of either sign, with at most two decimals.', examples: [-125.5] });

/** A total in dollars, zero or more; its parts have their own bounds. */
export const totalDollars = z
  .number()
  .min(0)
  .meta({ id: 'TotalDollars', description: 'A sum in dollars, with at most two decimals.', examples: [1000] });

/** Dollars of the returned payment fee. Contract 3.4. */
export const returnedPaymentFee = amount('ReturnedPaymentFee', 0.01, RETURNED_PAYMENT_FEE_MAX_CENTS / 100);

function amount(id: string, least: number, most = AMOUNT_MAX_DOLLARS) {
  return z
    .number()
    .min(least)
    .max(most)
    .refine(wholeCents, { error: 'An amount must have at most two decimals.', params: { rule: 'format' } })
    .meta({ id, description: 'Dollars with at most two decimals.', examples: [1000] });
}

/** An existing calendar day, `YYYY-MM-DD`. Contract 1 "Dates". */
export const isoDate = z
  .string()
  .refine(isRealDate, {
    error: 'A date must be a day that exists, written YYYY-MM-DD, from 1900 to 2999.',
    params: { rule: 'format' },
  })
  .meta({
    id: 'BusinessDate',
    ...{ format: 'date', pattern: '^(19|2[0-9])[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$' },
    ...{ description: 'A day of the calendar, without a time zone.', examples: ['2026-03-01'] },
  });

/** A calendar month, `YYYY-MM`. */
export const month = z
  .string()
  .refine(isMonth, { error: 'A month must be written YYYY-MM, between 1900 and 2999.', params: { rule: 'format' } })
  .meta({
    id: 'Month',
    ...{ pattern: '^(19|2[0-9])[0-9]{2}-(0[1-9]|1[0-2])$', description: 'A calendar month.', examples: ['2026-03'] },
  });

/** An instant in UTC with milliseconds, as in responses. */
export const instant = z.string().meta({
  id: 'Instant',
  format: 'date-time',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$',
  description: 'An instant in UTC.',
  examples: ['2026-03-01T12:00:00.000Z'],
});

/** An instant as callers write it: in UTC or with an offset. */
export const sentInstant = z.iso.datetime({ offset: true }).meta({
  id: 'SentInstant',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]+)?)?(Z|[+-][0-9]{2}:[0-9]{2})$',
  description: 'An instant in UTC or with an offset.',
  examples: ['2026-03-01T12:00:00Z'],
});

/** Text in one line, trimmed, 1 to 200 characters. Contract 1 "Strings". */
export const businessText = text(STRING_MAX_CHARACTERS);

/** A payment reference: invisible characters are dropped, and runs of blanks collapse to one. */
export const referenceText = businessText.overwrite(plainReference);

/** A file name from a caller; leading folders are dropped. */
export const fileNameText = businessText.overwrite(plainFileName);

/** Text of `description`, `notes` and `reason`: trimmed, 1 to 2,000 characters. Contract 1 "Strings". */
export const longText = text(TEXT_MAX_CHARACTERS);

function text(most: number) {
  return z
    .string()
    .trim()
    .min(1)
    .max(most)
    .regex(NO_CONTROL_CHARACTERS, 'Text must not contain control characters.')
    .refine((value) => value.isWellFormed(), { error: 'Text must be valid Unicode.', params: { rule: 'format' } })
    .refine((value) => VISIBLE.test(value), {
      error: 'Text must have a visible character.',
      params: { rule: 'format' },
    });
}

/** The id of a record of any kind; the field next to it gives the kind. */
export const recordId = z.string().meta({
  id: 'RecordId',
  description: 'The id of a record. The field beside it names the kind of record.',
  examples: [`inv_${SAMPLE_SUFFIX}`],
});

/** Who did something, as named in responses. */
export const actorId = z.string().meta({
  id: 'ActorId',
  description: 'Who acted: the id of a user or an API key, or the name of a part of the platform.',
  examples: [`usr_${SAMPLE_SUFFIX}`],
});

/** An id from another system: the card processor, the e-signature provider, a sanctions list. */
export const externalId = z.string().meta({
  id: 'ExternalId',
  description: 'An id that another system assigned.',
  examples: ['pi_3Nv8example'],
});

/** The id of a request, as it is in `X-Request-Id`. Contract 1. */
export const requestReference = z
  .string()
  .regex(/^[A-Za-z0-9_-]{8,128}$/, 'This is not the id of a request.')
  .meta({
    id: 'RequestId',
    description: 'The id of a request, as in `X-Request-Id`.',
    examples: [`req_${SAMPLE_SUFFIX}`],
  });

/** The id of a user: any subject of a token, stored or not. */
export const tokenSubject = z
  .string()
  .trim()
  .min(1)
  .max(JWT_SUBJECT_MAX_CHARACTERS)
  .regex(NO_CONTROL_CHARACTERS, 'An id must not contain control characters.')
  .refine((value) => value.isWellFormed(), { error: 'An id must be valid Unicode.', params: { rule: 'format' } })
  .refine((value) => VISIBLE.test(value), {
    error: 'An id must have a visible character.',
    params: { rule: 'format' },
  })
  .meta({
    id: 'UserSubject',
    description:
      'The id of a user: the `sub` of their token. It may be a user of your own identity provider, so the API does not check that the user exists.',
    examples: ['usr_adjuster_7'],
  });

export const naics = z
  .string()
  .regex(/^\d{2,6}$/, 'A NAICS code must have 2 to 6 digits.')
  .meta({ id: 'NaicsCode', description: 'NAICS industry code, 2 to 6 digits.', examples: ['722511'] });

export const state = z.enum(STATES).meta({ id: 'State', description: 'One of the 50 states, or DC.' });

export const lineOfBusiness = z
  .enum(LINES_OF_BUSINESS)
  .meta({ id: 'LineOfBusiness', description: 'A line of business.' });

/** An e-mail address. */
export const emailAddress = z
  .string()
  .trim()
  .max(STRING_MAX_CHARACTERS)
  .regex(z.regexes.email, 'This is not a valid e-mail address.')
  .meta({ id: 'EmailAddress', description: 'An e-mail address.', examples: ['office@example.com'] });

/** `true` or `false` in a query; absent is false. */
const queryBoolean = z
  .preprocess((text) => (text === 'true' || text === 'false' ? text === 'true' : text), z.literal([true, false]))
  .prefault(false)
  .meta({ type: 'boolean', enum: undefined });

/** `?preview=true` computes and writes nothing. Contract 1. */
export const previewQuery = { preview: queryBoolean };

/** A whole number in a query, in decimal digits only: neither `0x10` nor `1e1`. */
export function queryInteger({ min, max }: { min: number; max: number }) {
  return z
    .preprocess(decimalNumber, z.number().int().min(min).max(max))
    .meta({ type: 'integer', minimum: min, maximum: max });
}

/** Text that is not a decimal number is left unchanged. */
export function decimalNumber(text: unknown): unknown {
  return typeof text === 'string' && /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

/** The paging parameters of every list; spread them into its query. Contract 1 "Lists". */
export const pageQuery = {
  limit: queryInteger({ min: 1, max: PAGE_SIZE_MAX })
    .prefault(PAGE_SIZE_DEFAULT)
    .meta({ description: `The number of rows on a page. Default: ${PAGE_SIZE_DEFAULT}.` }),
  cursor: z
    .string()
    .min(1)
    .max(CURSOR_MAX_CHARACTERS)
    .regex(/^[\w-]+$/, 'The cursor must be a nextCursor from an earlier page.')
    .optional()
    .meta({ description: 'The `nextCursor` of the previous page.' }),
};

/**
 * The order of a list: newest first, or by one of the offered fields, ascending or, with a minus, descending. The
 * handler gets it as an `Order`. `name` is the name of the item, e.g. `Policy` makes `PolicySort`.
 */
export function sortQuery(name: string, orders: Orders) {
  const names = ['createdAt', ...Object.keys(orders)].flatMap((field) => [`-${field}`, field]);
  return z
    .enum(names as ['-createdAt', ...string[]])
    .default('-createdAt')
    .meta({
      id: `${name}Sort`,
      description: 'The order of the rows. A minus sign means descending order. Ties are in order of creation.',
    })
    .transform((sort): Order => {
      const field = sort.replace('-', '');
      return { field, kind: orders[field] ?? null, isDescending: sort.startsWith('-') };
    });
}

/** What a response includes on request: `?expand=` with one of these names. */
export function expandQuery<const Name extends string>(description: string, name: Name) {
  return { expand: z.enum([name]).optional().meta({ description }) };
}

/** The envelope of a list. `name` is the name of the item, e.g. `Policy` makes `PolicyPage`. Contract 1 "Lists". */
export function pageSchema<Item extends z.ZodType>(name: string, item: Item) {
  return z
    .strictObject({
      data: z.array(item),
      nextCursor: z
        .string()
        .nullable()
        .meta({ description: 'Pass it as `cursor` to get the next page. It is null on the last page.' }),
    })
    .meta({ id: `${name}Page` });
}

/** Maps a page of rows to the wire. */
export function pageToWire<Row, Wire>(
  page: { data: readonly Row[]; nextCursor: string | null },
  toWire: (row: Row) => Wire,
): { data: Wire[]; nextCursor: string | null } {
  return { data: page.data.map(toWire), nextCursor: page.nextCursor };
}
