// The parts of a policy's cost: premium, tax, stamping fee and policy fee. Invoices bill and return each part
// separately, so that lines, ledger and policy agree part by part. Contract 3.2 "Parts tie out".
import { type Cents, sumCents } from '../money.ts';
import {
  CHARGE_NAMES,
  type ChangeAmounts,
  type ChangeLine,
  chargeLines,
  premiumLines,
  RECLASSIFIED,
} from './invoice-lines.ts';

/** An amount by part, in cents. */
export interface Parts {
  premiumCents: Cents;
  taxCents: Cents;
  stampingCents: Cents;
  feeCents: Cents;
}

export const NO_PARTS: Readonly<Parts> = { premiumCents: 0, taxCents: 0, stampingCents: 0, feeCents: 0 };

export const PART_NAMES = ['premiumCents', 'taxCents', 'stampingCents', 'feeCents'] as const;

const STAMPING_FEE = 'STAMPING_FEE';

/** Sums parts. */
export function totalOfParts(parts: Readonly<Parts>): Cents {
  return sumCents(PART_NAMES.map((part) => parts[part]));
}

/** Adds amounts part by part. */
export function addParts(...amounts: readonly Readonly<Parts>[]): Parts {
  const sum = { ...NO_PARTS };
  for (const each of amounts) for (const part of PART_NAMES) sum[part] += each[part];
  return sum;
}

/** Negates each part. */
export function negativeParts(parts: Readonly<Parts>): Parts {
  const turned = { ...NO_PARTS };
  for (const part of PART_NAMES) turned[part] = 0 - parts[part];
  return turned;
}

/** Takes an amount off parts, from premium first and the fee last; the amount is at most their total. */
export function takeOff(parts: Readonly<Parts>, cents: Cents): Parts {
  const left = { ...parts };
  let restCents = cents;
  for (const part of PART_NAMES) {
    const takenCents = Math.min(restCents, Math.max(left[part], 0));
    left[part] -= takenCents;
    restCents -= takenCents;
  }
  return left;
}

/**
 * Takes an amount off parts: off those in `first` first, as far as they go, then off any. It is at most their total.
 */
export function takeOffFirst(parts: Readonly<Parts>, first: Readonly<Parts>, cents: Cents): Parts {
  const left = { ...parts };
  let restCents = cents;
  for (const part of PART_NAMES) {
    const takenCents = Math.max(Math.min(parts[part], first[part], restCents), 0);
    left[part] -= takenCents;
    restCents -= takenCents;
  }
  return takeOff(left, restCents);
}

/** Sorts invoice lines into parts, keeping their sign. */
export function partsOfLines(lines: readonly Pick<ChangeLine, 'kind' | 'code' | 'amountCents'>[]): Parts {
  const parts = { ...NO_PARTS };
  for (const { kind, code, amountCents } of lines) parts[partOf(kind, code)] += amountCents;
  return parts;
}

/** Sorts a change into parts, keeping its sign. */
export function partsOfChange({ premiumCents, fees, taxes }: ChangeAmounts): Parts {
  return partsOfLines([...premiumLines(premiumCents, ''), ...chargeLines({ fees, taxes })]);
}

/** Sorts what a policy costs into parts. */
export function writtenParts(cost: {
  grossPremiumCents: Cents;
  fees: ChangeAmounts['fees'];
  taxes: ChangeAmounts['taxes'];
}): Parts {
  return partsOfChange({ ...cost, premiumCents: cost.grossPremiumCents });
}

/** Turns the parts of a change into its charges. */
export function amountsOfParts({ premiumCents, taxCents, stampingCents, feeCents }: Readonly<Parts>): ChangeAmounts {
  const taxes = [
    { code: 'SL_TAX', amountCents: taxCents },
    { code: STAMPING_FEE, amountCents: stampingCents },
  ];
  return { premiumCents, fees: [{ code: 'POLICY_FEE', amountCents: feeCents }], taxes };
}

/**
 * Makes the lines of an amount by part; negative premium is a `credit`, and no line is zero. `description` labels
 * premium and credits; fees and taxes have names of their own. Contract 3.4.
 */
export function linesOfParts(parts: Readonly<Parts>, description: string): ChangeLine[] {
  const { premiumCents, taxCents, stampingCents, feeCents } = parts;
  const kind = premiumCents < 0 ? 'credit' : 'premium';
  const lines: ChangeLine[] = [
    { kind, code: 'PREMIUM', description, amountCents: premiumCents },
    { kind: 'fee', code: 'POLICY_FEE', description, amountCents: feeCents },
    { kind: 'tax', code: 'SL_TAX', description, amountCents: taxCents },
    { kind: 'tax', code: STAMPING_FEE, description, amountCents: stampingCents },
  ];
  return lines
    .filter(({ amountCents }) => amountCents !== 0)
    .map((line) => ({ ...line, description: descriptionOf(line) }));
}

function descriptionOf({ code, description, amountCents }: ChangeLine): string {
  const name = CHARGE_NAMES[code];
  if (name === undefined) return description;
  if (amountCents > 0) return name;
  // Bills recognize what only moved between parts by this description.
  return description === RECLASSIFIED ? description : `${name} returned`;
}

/** The part that a line bills or returns. */
export function partOf(kind: ChangeLine['kind'], code: string): keyof Parts {
  if (kind === 'fee') return 'feeCents';
  if (kind !== 'tax') return 'premiumCents';
  return code === STAMPING_FEE ? 'stampingCents' : 'taxCents';
}
