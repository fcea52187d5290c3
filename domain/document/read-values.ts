// Values as people write them on forms: money with `$` and commas, American dates, states, telephone numbers. Pure.
import { type BusinessDate, isRealDate } from '../dates.ts';
import { AMOUNT_MAX_CENTS, STRING_MAX_CHARACTERS } from '../limits.ts';
import { STATES } from '../lines.ts';
import { PHONE_NUMBER } from '../phone-number.ts';
import { isCleanText } from '../text.ts';

const CONTROL = /\p{Cc}+/gu;
const SPACES = /\s+/g;
/** The UTF-16 byte order mark, read as letters. */
const BYTE_ORDER_AS_LETTERS = 'þÿ';
const MONEY =
  /^(?:usd|us\$|\$)?\s*(\d{1,3}(?:[, ]\d{3})+|\d+)(?:\.(\d{1,2}))?\s*(k|m|mm|million|thousand)?\s*(?:usd|dollars)?$/i;
const FACTORS: Readonly<Record<string, number>> = { k: 1e3, thousand: 1e3, m: 1e6, mm: 1e6, million: 1e6 };
const NUMERIC_DATE = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})$/;
const WRITTEN_DATE = /^([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})$/i;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Two-digit years from here on belong to the last century, others to this one. */
const LAST_CENTURY_FROM = 70;
const NONE =
  /^(?:none|nil|n\/?a|no(?: known| prior)? (?:losses|claims))(?: reported| in the (?:last|past) \w+ years)?\.?$/i;
const NOT_TICKED = new Set(['', 'off', 'no', 'n', '0', 'false', 'none']);

/** State names without spaces. */
const STATE_NAMES =
  'alabama AL alaska AK arizona AZ arkansas AR california CA colorado CO connecticut CT delaware DE ' +
  'districtofcolumbia DC florida FL georgia GA hawaii HI idaho ID illinois IL indiana IN iowa IA kansas KS ' +
  'kentucky KY louisiana LA maine ME maryland MD massachusetts MA michigan MI minnesota MN mississippi MS ' +
  'missouri MO montana MT nebraska NE nevada NV newhampshire NH newjersey NJ newmexico NM newyork NY ' +
  'northcarolina NC northdakota ND ohio OH oklahoma OK oregon OR pennsylvania PA rhodeisland RI southcarolina SC ' +
  'southdakota SD tennessee TN texas TX utah UT vermont VT virginia VA washington WA westvirginia WV ' +
  'wisconsin WI wyoming WY';
const STATE_BY_NAME = new Map(
  [...STATE_NAMES.matchAll(/(\w+) ([A-Z]{2})/g)].map(([, name = '', code = '']) => [name, code] as const),
);

/** Text on one line without control characters, cut to its maximum; null if nothing is left. */
export function plainText(text: string, most = STRING_MAX_CHARACTERS): string | null {
  const plain = text.toWellFormed().replace(CONTROL, ' ').replace(SPACES, ' ').trim();
  const cut = plain.length > most ? plain.slice(0, most).toWellFormed().trim() : plain;
  return cut === '' ? null : cut;
}

/** Text on one line, unaltered; null if it is too long or contains control characters. */
export function wholeText(text: string, most = STRING_MAX_CHARACTERS): string | null {
  const plain = text.replace(SPACES, ' ').trim();
  return plain === '' || plain.length > most || !isLegible(text) ? null : plain;
}

/** Whether a value came out of a file intact; some programs garble anything but plain Latin. */
export function isLegible(text: string): boolean {
  return isCleanText(text) && !text.startsWith(BYTE_ORDER_AS_LETTERS);
}

/** Whether an amount is written as zero: `0`, `$0.00` or a dash. */
export function isNothing(text: string): boolean {
  return /^(?:[-–—]|(?:usd|us\$|\$)?\s*0+(?:\.0+)?)$/i.test(text.trim());
}

/** Whether a text says that there is nothing to report: `None`, `N/A`, `No losses reported`. */
export function saysNone(text: string): boolean {
  return NONE.test(text.trim());
}

/** Cents of an amount such as `$1,250,000`, `1250000.00` or `1.5M`; null for anything else, and for zero or less. */
export function readMoney(text: string): number | null {
  const [, whole, decimals = '', unit = ''] = MONEY.exec(text.trim()) ?? [];
  if (whole === undefined) return null;
  const hundredths = Number(whole.replace(/[, ]/g, '')) * 100 + Number(decimals.padEnd(2, '0'));
  const cents = hundredths * (FACTORS[unit.toLowerCase()] ?? 1);
  return Number.isSafeInteger(cents) && cents > 0 && cents <= AMOUNT_MAX_CENTS ? cents : null;
}

/** A date such as `03/01/2026`, `3-1-26`, `6/15/98`, `March 1, 2026` or `2026-03-01`. */
export function readDate(text: string): BusinessDate | null {
  const plain = text.trim();
  if (isRealDate(plain)) return plain;
  const [, month, day, year] = NUMERIC_DATE.exec(plain) ?? [];
  if (month && day && year) return dateOf(yearOfDigits(year), month, day);
  const [, name = '', dayOfMonth, fullYear] = WRITTEN_DATE.exec(plain) ?? [];
  const number = MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
  return number > 0 && dayOfMonth ? dateOf(Number(fullYear), String(number), dayOfMonth) : null;
}

function yearOfDigits(digits: string): number {
  const year = Number(digits);
  if (digits.length > 2) return year;
  return (year >= LAST_CENTURY_FROM ? 1_900 : 2_000) + year;
}

function dateOf(year: number, month: string, day: string): BusinessDate | null {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isRealDate(date) ? date : null;
}

/** The code of a state written as its code or its name. */
export function readState(text: string): string | null {
  const letters = text.replace(/[^A-Za-z]/g, '');
  const code = letters.toUpperCase();
  if ((STATES as readonly string[]).includes(code)) return code;
  return STATE_BY_NAME.get(letters.toLowerCase()) ?? null;
}

/** A numeric code, e.g. NAICS, whatever the separators. */
export function readDigits(text: string, least: number, most: number): string | null {
  const digits = text.replace(/[\s.-]/g, '');
  return /^\d+$/.test(digits) && digits.length >= least && digits.length <= most ? digits : null;
}

/** A postal code such as `78701`, `78701-1234` or `787011234`; null for anything else. */
export function readPostalCode(text: string): string | null {
  const [, five, four] = /^(\d{5})[-\s]?(\d{4})?$/.exec(text.trim()) ?? [];
  if (five === undefined) return null;
  return four === undefined ? five : `${five}-${four}`;
}

/** A telephone number as written; null for anything else. */
export function readPhoneNumber(text: string): string | null {
  const plain = wholeText(text);
  return plain !== null && PHONE_NUMBER.test(plain) ? plain : null;
}

/** A whole number, zero or more, e.g. of employees. */
export function readCount(text: string): number | null {
  const digits = text.trim().replace(/,/g, '');
  return /^\d{1,7}$/.test(digits) ? Number(digits) : null;
}

/** Whether a box is checked: flattened forms have an `X` or a `Yes` where the box was. */
export function isTicked(value: string | boolean): boolean {
  return typeof value === 'boolean' ? value : !NOT_TICKED.has(value.trim().toLowerCase());
}
