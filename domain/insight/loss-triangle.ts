// The loss triangle: how the losses of each accident year have developed from year end to year end.
import type { Cents } from '../money.ts';

/** The amounts booked `lag` calendar years after the accident year. */
export interface YearOfLoss {
  accidentYear: number;
  lag: number;
  incurredCents: Cents;
  paidCents: Cents;
}

/** The losses of an accident year at an age. */
export interface Development {
  months: number;
  /** Whether the year in which the age is reached is still running: the latest diagonal, as of today. */
  isOpen: boolean;
  incurredCents: Cents;
  paidCents: Cents;
}

/** Sums each accident year up to every year end so far, the last of them today. */
export function lossTriangle(
  moved: readonly YearOfLoss[],
  presentYear: number,
): { accidentYear: number; developments: Development[] }[] {
  const byYear = Map.groupBy(moved, ({ accidentYear }) => accidentYear);
  return [...byYear].map(([accidentYear, years]) => {
    const ages = Math.max(presentYear - accidentYear, ...years.map(({ lag }) => lag)) + 1;
    let [incurredCents, paidCents] = [0, 0];
    const developments = Array.from({ length: ages }, (_, age) => {
      for (const year of years.filter(({ lag }) => lag === age)) {
        incurredCents += year.incurredCents;
        paidCents += year.paidCents;
      }
      return { months: 12 * (age + 1), isOpen: accidentYear + age >= presentYear, incurredCents, paidCents };
    });
    return { accidentYear, developments };
  });
}
