// Money and charges in responses: dollars instead of cents, instants as text.
import type { Address } from '../../../domain/address.ts';
import { type Cents, toDollars } from '../../../domain/money.ts';
import type { FeeCharge } from '../../../domain/submission/quote.ts';
import type { TaxCharge } from '../../../domain/submission/taxes.ts';

/** An amount in dollars; null if unknown. */
export function dollarsOrNull(cents: Cents | null): number | null {
  return cents === null ? null : toDollars(cents);
}

/** An instant as ISO 8601 in UTC with milliseconds. */
export function instantToWire(instant: Date): string {
  return instant.toISOString();
}

/** An instant as ISO 8601; null if it has not happened. */
export function instantOrNull(instant: Date | null): string | null {
  return instant === null ? null : instantToWire(instant);
}

/** Fees with `code` and `amount` in dollars. */
export function feesToWire(fees: readonly FeeCharge[]): { code: string; amount: number }[] {
  return fees.map(({ code, amountCents }) => ({ code, amount: toDollars(amountCents) }));
}

/** Taxes with `code`, `rate` as a fraction and `amount` in dollars. */
export function taxesToWire(taxes: readonly TaxCharge[]): { code: string; rate: number; amount: number }[] {
  return taxes.map(({ code, rate, amountCents }) => ({ code, rate, amount: toDollars(amountCents) }));
}

/** An address with a null rather than missing second line. */
export function addressToWire(address: Address | null) {
  if (address === null) return null;
  const { line1, line2, city, state, postalCode } = address;
  return { line1, line2: line2 || null, city, state, postalCode };
}

/**
 * Stored facts of any shape for responses: a property ending in `Cents` drops the suffix and becomes dollars, at any
 * depth; everything else is unchanged.
 */
export function factsToWire(facts: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) =>
      name.endsWith('Cents') && typeof value === 'number'
        ? [name.slice(0, -'Cents'.length), toDollars(value)]
        : [name, valueToWire(value)],
    ),
  );
}

function valueToWire(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(valueToWire);
  return typeof value === 'object' && value !== null ? factsToWire(value) : value;
}
