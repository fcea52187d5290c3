// The slow and obvious model of a policy's life: one entry per day of the term, painted as things happen, and nothing
// derived from the product's transaction stack.
import { addDays, type BusinessDate } from '../../../domain/dates.ts';

export interface Terms {
  annualRevenueCents: number;
  limitCents: number;
}

/** Annual premium: 0.3 percent of revenue, plus a quarter for the higher limit, at least 500.00. */
export function rate({ annualRevenueCents, limitCents }: Terms): number {
  const base = Math.round((annualRevenueCents * 3) / 1000);
  return Math.max(50_000, limitCents > 100_000_000 ? Math.round(base * 1.25) : base);
}

type Ended = 'cancelled' | 'lapsed' | null;

export class LifeModel {
  readonly days: BusinessDate[] = [];
  readonly ended: Ended[] = [];
  readonly pending: boolean[] = [];
  /** Premium by the day from which it buys coverage, and the number of days it covers. */
  readonly charges: { day: number; days: number; cents: number }[] = [];
  private readonly firstTerms: Terms;
  /** The end announced last, and a later one that a notice for nonpayment preempted. */
  private announced: { date: BusinessDate; as: 'cancelled' | 'lapsed' } | null = null;
  private waiting: { date: BusinessDate; as: 'cancelled' | 'lapsed' } | null = null;
  private readonly endorsements: { day: number; changes: Partial<Terms> }[] = [];

  constructor(effectiveDate: BusinessDate, expirationDate: BusinessDate, firstTerms: Terms) {
    for (let day = effectiveDate; day < expirationDate; day = addDays(day, 1)) {
      this.days.push(day);
      this.ended.push(null);
      this.pending.push(false);
    }
    this.firstTerms = firstTerms;
    this.charges.push({ day: 0, days: this.days.length, cents: rate(firstTerms) });
  }

  /** The index of a day of the term; 0 before the term, and one past the last day after it. */
  index(date: BusinessDate): number {
    if (date < (this.days[0] ?? date)) return 0;
    const found = this.days.indexOf(date);
    return found < 0 ? this.days.length : found;
  }

  endorse(date: BusinessDate, changes: Partial<Terms>, own: number, reapplied: { day: BusinessDate; cents: number }[]) {
    this.endorsements.push({ day: this.index(date), changes });
    this.charge(this.index(date), own);
    for (const { day, cents } of reapplied) this.charge(this.index(day), cents);
  }

  /**
   * Announces the end from today on; from its date on there is no coverage. An end announced earlier is forgotten,
   * except that a notice for nonpayment and a later end are both kept.
   */
  end(today: BusinessDate, date: BusinessDate, as: 'cancelled' | 'lapsed'): void {
    const { announced, waiting } = this;
    if (as === 'cancelled' && announced?.as === 'lapsed' && announced.date < date) {
      this.waiting = { date, as };
      return;
    }
    const later = announced?.as === 'cancelled' ? announced : waiting;
    this.waiting = as === 'lapsed' && later !== null && later.date > date ? later : null;
    this.announced = { date, as };
    this.forget(today);
    this.pending.fill(true, this.index(today), Math.max(this.index(today), this.index(date)));
    this.ended.fill(as, this.index(date));
  }

  /** Coverage resumes on a date; earlier days without coverage stay that way. */
  restore(today: BusinessDate, date: BusinessDate): void {
    this.pending.fill(false, this.index(today));
    this.ended.fill(null, this.index(date));
    this.announced = null;
    this.waiting = null;
  }

  /** The debt is paid: a later end announced before is in effect again. */
  rescind(today: BusinessDate): void {
    const { waiting } = this;
    this.restore(today, today);
    if (waiting !== null) this.end(today, waiting.date, waiting.as);
  }

  statusOn(day: number): string {
    return this.ended[day] ?? (this.pending[day] ? 'pending_cancellation' : 'active');
  }

  termsOn(day: number): Terms {
    let terms = this.firstTerms;
    for (let at = 0; at <= day; at += 1) {
      for (const each of this.endorsements) if (each.day === at) terms = { ...terms, ...each.changes };
    }
    return terms;
  }

  /** The unrounded cost of the covered days before a day. */
  accrued(until: number, annual: (terms: Terms) => number = rate): number {
    let cents = 0;
    let terms = this.firstTerms;
    for (let day = 0; day < until; day += 1) {
      for (const each of this.endorsements) if (each.day === day) terms = { ...terms, ...each.changes };
      if (this.ended[day] === null) cents += annual(terms) / this.days.length;
    }
    return cents;
  }

  /** For each charge, its remaining days over the days it covers, each rounded to the cent. */
  proRataReturn(date: BusinessDate): number {
    let total = 0;
    for (const { day, days, cents } of this.charges) {
      const ahead = day >= this.index(date) ? days : this.days.length - this.index(date);
      const rounded = Math.floor((2 * Math.abs(cents) * ahead + days) / (2 * days));
      total += cents < 0 ? -rounded : rounded;
    }
    return Math.max(total, 0);
  }

  /** Past days without coverage are not charged; days after an announced end are. */
  private charge(day: number, cents: number): void {
    const lastCovered = this.ended.lastIndexOf(null);
    const days = this.ended.filter((ended, at) => at >= day && (ended === null || at > lastCovered)).length;
    this.charges.push({ day, days, cents });
  }

  private forget(today: BusinessDate): void {
    this.pending.fill(false, this.index(today));
    const last = this.ended.at(-1);
    if (last === null) return;
    for (let day = this.days.length - 1; day >= 0 && this.ended[day] === last; day -= 1) this.ended[day] = null;
  }
}
