// Matches the bank's bookings with movements of trust cash in the ledger: same amount, and a reference of one in the
// text of the other; or same amount within days, if nothing else fits. Decision 0135.
import { type BusinessDate, daysBetween } from '../../dates.ts';
import { validationError } from '../../errors.ts';
import { type Cents, sumCents, toDollars } from '../../money.ts';
import { comparableWords, hasCheck, hasCheckNumber, hasName, hasNumberedCheck, namesIn } from './references.ts';

export const MATCH_RULES = ['reference', 'amount', 'person'] as const;
export type MatchRule = (typeof MATCH_RULES)[number];

/** An unmatched booking. */
export interface OpenLine {
  id: string;
  bookedOn: BusinessDate;
  amountCents: Cents;
  reference: string;
  description: string;
}

/** An unmatched movement of account 1010: debit less credit. */
export interface OpenMovement {
  id: string;
  date: BusinessDate;
  amountCents: Cents;
  /** Our own id of what caused it. */
  sourceId: string;
  /** Names that others may use for it, including that id: a check number, a payout's id, a trace. */
  references: readonly string[];
}

export interface Match {
  lineId: string;
  movementId: string;
  rule: Exclude<MatchRule, 'person'>;
}

/** A check may be cashed months after its date; a match by name needs nothing else. */
export const NAMED_WITHIN_DAYS = 180;
/** A transfer arrives within days. */
const UNNAMED_WITHIN_DAYS = 5;
/** More pairs of one amount than this are left to a person: matching them would block the process. */
const MOST_PAIRS = 1_000_000;
const EPOCH = '1970-01-01';

/** Finds the matches beyond doubt; the rest is left to a person. */
export function matchesOf(lines: readonly OpenLine[], movements: readonly OpenMovement[]): Match[] {
  const [ourLines, ourMovements] = [lines.map(comparedLine), movements.map(comparedMovement)];
  const named = oneToOne(ourLines, ourMovements, isNamed).map((pair) => ({ ...pair, rule: 'reference' as const }));
  const isLeft = pairedIn(named);
  const rest = oneToOne(ourLines.filter(isLeft), ourMovements.filter(isLeft), isAlone);
  return [...named, ...rest.map((pair) => ({ ...pair, rule: 'amount' as const }))];
}

/** What a booking's text may name, in the form compared with ledger references. */
export function namesInLine({ reference, description }: OpenLine): string[] {
  return namesIn(comparableWords(`${reference} ${description}`));
}

/** Leaves out matches by amount whose booking names another movement, whatever that one's amount. */
export function withoutMisnamed(
  matches: readonly Match[],
  lines: ReadonlyMap<string, OpenLine>,
  movements: readonly Pick<OpenMovement, 'id' | 'references'>[],
): Match[] {
  const named = new Map<string, string[]>();
  for (const { id, references } of movements) {
    for (const name of references.map(comparableWords)) named.set(name, [...(named.get(name) ?? []), id]);
  }
  return matches.filter(({ lineId, movementId, rule }) => {
    const line = lines.get(lineId);
    if (rule !== 'amount' || line === undefined) return true;
    return namesInLine(line).every((name) => (named.get(name) ?? []).every((id) => id === movementId));
  });
}

function pairedIn(
  pairs: readonly { lineId: string; movementId: string }[],
): (compared: { item: { id: string } }) => boolean {
  const paired = new Set(pairs.flatMap(({ lineId, movementId }) => [lineId, movementId]));
  return ({ item }) => !paired.has(item.id);
}

/** A line or movement with its texts in comparable form. */
interface Compared<T> {
  item: T;
  /** Days since 1970. */
  day: number;
}

interface ComparedLine extends Compared<OpenLine> {
  text: string;
  reference: string;
}

interface ComparedMovement extends Compared<OpenMovement> {
  names: readonly string[];
  /** Whether others may know it by a name. */
  isKnownToOthers: boolean;
}

/** Pairs in which neither side could belong to another pair. */
function oneToOne(
  lines: readonly ComparedLine[],
  movements: readonly ComparedMovement[],
  mayBelong: (line: ComparedLine, movement: ComparedMovement) => boolean,
): { lineId: string; movementId: string }[] {
  const byAmount = Map.groupBy(movements, ({ item }) => item.amountCents);
  const linesOf = Map.groupBy(lines, ({ item }) => item.amountCents);
  const claims = new Map<string, number>();
  const wanted = lines.flatMap((line) => {
    const { amountCents } = line.item;
    const same = byAmount.get(amountCents) ?? [];
    if (same.length * (linesOf.get(amountCents)?.length ?? 0) > MOST_PAIRS) return [];
    const candidates = same.filter((movement) => mayBelong(line, movement));
    for (const { item } of candidates) claims.set(item.id, (claims.get(item.id) ?? 0) + 1);
    const [only, ...others] = candidates;
    return only === undefined || others.length > 0 ? [] : [{ lineId: line.item.id, movementId: only.item.id }];
  });
  return wanted.filter(({ movementId }) => claims.get(movementId) === 1);
}

function comparedLine(item: OpenLine): ComparedLine {
  const [reference, text] = [comparableWords(item.reference), comparableWords(`${item.reference} ${item.description}`)];
  return { item, day: daysBetween(EPOCH, item.bookedOn), text, reference };
}

function comparedMovement(item: OpenMovement): ComparedMovement {
  const isKnownToOthers = item.references.some((name) => name !== item.sourceId && /\d/.test(name));
  const names = item.references.map(comparableWords).filter((words) => /\d/.test(words));
  return { item, day: daysBetween(EPOCH, item.date), names, isKnownToOthers };
}

/** A short name could occur anywhere, so it counts only as a check number or as the bank's entire reference. */
function isNamed({ text, reference, ...line }: ComparedLine, movement: ComparedMovement): boolean {
  if (!isWithin(NAMED_WITHIN_DAYS, line, movement)) return false;
  return movement.names.some((name) => hasName(text, name) || hasCheckNumber(text, name) || reference === name);
}

/** A booking that names a check can only be that check; and two different references are two different things. */
function isAlone(line: ComparedLine, movement: ComparedMovement): boolean {
  const hasReference = /\d/.test(line.reference);
  if (!isWithin(UNNAMED_WITHIN_DAYS, line, movement) || (hasReference && movement.isKnownToOthers)) return false;
  return !hasNumberedCheck(line.text) && !(hasReference && hasCheck(line.text));
}

function isWithin(days: number, line: Compared<OpenLine>, movement: Compared<OpenMovement>): boolean {
  return Math.abs(line.day - movement.day) <= days;
}

/**
 * Checks the movements that a person matches with a booking; `count` is how many ids they sent.
 * @throws DomainError validation_failed for field `movementIds`
 */
export function ensureAddUp(
  booking: { amountCents: Cents },
  movements: readonly { id: string; amountCents: Cents; bankLineId: string | null }[],
  count: number,
): void {
  const taken = movements.find(({ bankLineId }) => bankLineId !== null);
  if (taken !== undefined) {
    throw validationError('movementIds', 'format', `${taken.id} is matched with another booking.`);
  }
  if (movements.length !== count) {
    const message = 'Each id must name a different movement of account 1010.';
    throw validationError('movementIds', 'unknown_reference', message);
  }
  const cents = sumCents(movements.map(({ amountCents }) => amountCents));
  if (cents === booking.amountCents) return;
  const message = `The movements add up to ${toDollars(cents)}, the booking is ${toDollars(booking.amountCents)}.`;
  throw validationError('movementIds', 'format', message);
}
