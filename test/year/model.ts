// What a year makes of a policy, worked out day by day and knowing nothing of the code it is held against: when it is
// paid for, when notice goes out, when it lapses, is cancelled, renewed or expires, and what is written in the end,
// part by part. Contract 3.2, domain facts 3.2, 3.6, 6.1.

/** A day as a count from the day the story begins. */
export type Day = number;

/** How an insured pays, or leaves. */
export type Habit =
  | { kind: 'prompt' }
  /** So many days after each due date. */
  | { kind: 'late'; days: number }
  /** The day before the policy would lapse. */
  | { kind: 'at_the_last_moment' }
  /** Pays so many installments and no more. */
  | { kind: 'stops'; after: number }
  /** Pays promptly; asks to be cancelled on a day of the term, as of that day. */
  | { kind: 'leaves'; on: Day }
  /** Pays promptly; the carrier announces on a day of the term that there will be no next one. */
  | { kind: 'not_wanted'; on: Day };

export interface Insured {
  state: string;
  habit: Habit;
  /** Days of the first term, its last not included. */
  effective: Day;
  expiration: Day;
  /** Of the first term; those of the next follow a term later. */
  dueDays: readonly Day[];
  premiumCents: number;
}

export type Ending = 'pending' | 'active' | 'pending_cancellation' | 'cancelled' | 'lapsed' | 'expired' | 'renewed';

/** What a term charges, in cents. */
export interface Parts {
  premium: number;
  tax: number;
  stamping: number;
  fee: number;
}

export interface TermEnd {
  status: Ending;
  /** Net of returns. */
  written: Parts;
  /** What the ledger holds for the owners of the parts: all that is written, once all of it is paid. */
  inLedger: Parts | null;
  paidInstallments: number;
  notices: number;
}

/** The story of one policy. */
export interface Story {
  /** The first term, and the next where there is one. */
  terms: TermEnd[];
  /** What somebody outside does, and when. */
  deeds: { on: Day; term: number; deed: 'pay' | 'cancel' | 'non_renew'; installment?: number }[];
}

/** Days of notice before a policy lapses. Domain facts 6.1, column "Non-pay". */
const NON_PAY_DAYS: Record<string, number> = { NY: 15 };
const USUAL_NON_PAY_DAYS = 10;
const NOTICE_AFTER_DUE = 11;
const RENEWED_BEFORE_EXPIRY = 75;
const SHORT_RATE_KEPT = 0.1;
const LEAST_EARNED = 0.25;

interface Term {
  effective: Day;
  expiration: Day;
  dueDays: readonly Day[];
  paid: Set<number>;
  status: Ending;
  writtenCents: number;
  notices: number;
  lapsesOn: Day | null;
  noticedOn: Day | null;
  isUnwanted: boolean;
}

const POLICY_FEE = 19_500;
const NOTHING: Parts = { premium: 0, tax: 0, stamping: 0, fee: 0 };

/** Ten-thousandths of premium and, where it is taxed, of the fee. Domain facts 3.6. */
const RATES: Record<string, { tax: number; stamping: number; isFeeTaxed: boolean }> = {
  TX: { tax: 485, stamping: 4, isFeeTaxed: true },
  CA: { tax: 300, stamping: 18, isFeeTaxed: true },
  NY: { tax: 360, stamping: 15, isFeeTaxed: true },
  FL: { tax: 494, stamping: 6, isFeeTaxed: true },
  IL: { tax: 350, stamping: 4, isFeeTaxed: false },
};

const nonPayDays = (state: string) => NON_PAY_DAYS[state] ?? USUAL_NON_PAY_DAYS;
const isInForce = ({ status }: Term) =>
  status === 'pending' || status === 'active' || status === 'pending_cancellation';

/**
 * Lives through the days from 0 to the last. Each day the clock comes first, then the people; the last day is the
 * clock's alone.
 */
export function storyOf(insured: Insured, lastDay: Day): Story {
  const terms = [newTerm(insured, insured.effective, insured.expiration, insured.dueDays)];
  const deeds: Story['deeds'] = [];
  for (let day = 0; day <= lastDay; day += 1) {
    for (const term of terms) passDay(insured, term, terms, day);
    if (isRenewedOn(terms, day)) terms.push(nextTerm(insured, terms[0] as Term));
    if (day === lastDay) break;
    for (const number of terms.keys()) deeds.push(...actOn(insured, terms, number, day));
  }
  return { terms: terms.map((term) => endOf(insured, term)), deeds };
}

function endOf({ state }: Insured, { status, writtenCents, paid, notices, dueDays }: Term): TermEnd {
  const written = partsOf(state, writtenCents);
  const isPaid = paid.size === dueDays.length || writtenCents === 0;
  return { status, written, inLedger: isPaid ? written : null, paidInstallments: paid.size, notices };
}

/** The fee is earned whatever is returned, but for a term that never was. */
function partsOf(state: string, premium: number): Parts {
  const rates = RATES[state];
  if (rates === undefined) throw new Error(`There are no rates for ${state}`);
  if (premium === 0) return NOTHING;
  const base = premium + (rates.isFeeTaxed ? POLICY_FEE : 0);
  const charge = (rate: number) => Math.round((base * rate) / 10_000);
  return { premium, tax: charge(rates.tax), stamping: charge(rates.stamping), fee: POLICY_FEE };
}

function newTerm({ premiumCents }: Insured, effective: Day, expiration: Day, dueDays: readonly Day[]): Term {
  const nothingYet = { paid: new Set<number>(), notices: 0, lapsesOn: null, noticedOn: null, isUnwanted: false };
  return { effective, expiration, dueDays, status: 'pending', writtenCents: premiumCents, ...nothingYet };
}

/**
 * The next term has the installments of the first, a term later; it is the same year of days, since no leap day lies in
 * the story.
 */
function nextTerm(insured: Insured, { effective, expiration, dueDays }: Term): Term {
  const days = expiration - effective;
  // The first installment of the first term was due at the bind, if that was later.
  const shifted = dueDays.map((due, i) => (i === 0 ? expiration : due + days));
  return newTerm(insured, expiration, expiration + days, shifted);
}

function isRenewedOn([first, next]: Term[], day: Day): boolean {
  if (first === undefined || next !== undefined) return false;
  return (
    first.status === 'active' &&
    !first.isUnwanted &&
    day >= first.expiration - RENEWED_BEFORE_EXPIRY &&
    day < first.expiration
  );
}

function pastDue({ dueDays, paid }: Term, day: Day): Day[] {
  return dueDays.filter((due, i) => due < day && !paid.has(i));
}

/** What the calendar does. */
function passDay(insured: Insured, term: Term, terms: Term[], day: Day): void {
  if (!isInForce(term)) return;
  if (term.lapsesOn === day) {
    end(term, terms, 'lapsed', proRata(term, day));
    return;
  }
  if (day >= term.expiration) {
    term.status = terms.length > 1 && terms[0] === term ? 'renewed' : 'expired';
    return;
  }
  if (term.status === 'pending' && day >= term.effective) term.status = 'active';
  const [oldest] = pastDue(term, day);
  const lapsesOn = day + nonPayDays(insured.state);
  const isNoticeDay = oldest !== undefined && day >= oldest + NOTICE_AFTER_DUE;
  if (term.lapsesOn === null && isNoticeDay && lapsesOn < term.expiration) {
    term.status = 'pending_cancellation';
    term.lapsesOn = lapsesOn;
    term.noticedOn = day;
    term.notices += 1;
  }
}

/** What people do once the day has begun. */
function actOn(insured: Insured, terms: Term[], number: number, day: Day): Story['deeds'] {
  const term = terms[number] as Term;
  if (!isInForce(term)) return [];
  const { habit } = insured;
  const deeds: Story['deeds'] = [];
  for (const [installment, due] of term.dueDays.entries()) {
    if (term.paid.has(installment) || payDay(insured, due, installment) > day) continue;
    term.paid.add(installment);
    deeds.push({ on: day, term: number, deed: 'pay', installment });
  }
  // What the notice named is paid; an installment that fell due since has its own grace.
  if (term.lapsesOn !== null && pastDue(term, term.noticedOn ?? day).length === 0) {
    term.status = day >= term.effective ? 'active' : 'pending';
    term.lapsesOn = null;
  }
  if (number > 0 || term.status !== 'active') return deeds;
  if (habit.kind === 'leaves' && day === term.effective + habit.on) {
    deeds.push({ on: day, term: number, deed: 'cancel' });
    end(term, terms, 'cancelled', shortRate(term, day));
  }
  if (habit.kind === 'not_wanted' && day === term.effective + habit.on) {
    deeds.push({ on: day, term: number, deed: 'non_renew' });
    term.isUnwanted = true;
  }
  return deeds;
}

function payDay({ habit, state }: Insured, due: Day, installment: number): Day {
  if (habit.kind === 'late') return due + habit.days;
  if (habit.kind === 'at_the_last_moment') return due + NOTICE_AFTER_DUE + nonPayDays(state) - 1;
  if (habit.kind === 'stops' && installment >= habit.after) return Number.POSITIVE_INFINITY;
  return due;
}

/** The end of a first term takes a next one that has not begun with it, and nothing of that one is charged. */
function end(term: Term, terms: Term[], status: Ending, writtenCents: number): void {
  Object.assign(term, { status, writtenCents, lapsesOn: null });
  const next = terms[1];
  if (next !== undefined && next !== term && next.status === 'pending') {
    Object.assign(next, { status: 'cancelled', writtenCents: 0 });
  }
}

const daysLeft = ({ effective, expiration }: Term, day: Day) => expiration - Math.max(day, effective);

/** What stays when the premium of the days left is given back. */
function proRata(term: Term, day: Day): number {
  return term.writtenCents - returnOf(term, day);
}

function returnOf(term: Term, day: Day): number {
  return Math.round((term.writtenCents * daysLeft(term, day)) / (term.expiration - term.effective));
}

/** The insured leaves: a tenth of the return is kept, and a quarter of the premium at least is earned. */
function shortRate(term: Term, day: Day): number {
  const returned = Math.round(returnOf(term, day) * (1 - SHORT_RATE_KEPT));
  const atMost = term.writtenCents - Math.round(term.writtenCents * LEAST_EARNED);
  return term.writtenCents - Math.min(returned, atMost);
}
