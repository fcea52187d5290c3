// Which booking of the bank is which movement of trust cash in the ledger: the same amount, and a reference of the one
// in the text of the other; or the same amount within days, when nothing else could be meant. Decision 0135.
import { type BusinessDate, daysBetween } from '../../dates.ts';
import type { Cents } from '../../money.ts';

export const MATCH_RULES = ['reference', 'amount', 'person'] as const;
export type MatchRule = (typeof MATCH_RULES)[number];

/** A booking that nothing is matched with. */
export interface OpenLine {
  id: string;
  bookedOn: BusinessDate;
  amountCents: Cents;
  reference: string;
  description: string;
}

/** A movement of account 1010 that no booking is matched with: debit less credit. */
export interface OpenMovement {
  id: string;
  date: BusinessDate;
  amountCents: Cents;
  /** What others may call it: a check number, a payout's id, a trace. */
  references: readonly string[];
}

export interface Match {
  lineId: string;
  movementId: string;
  rule: Exclude<MatchRule, 'person'>;
}

/** A check may be cashed months after its day; what is named needs no other sign. */
const NAMED_WITHIN_DAYS = 180;
/** A transfer arrives within days. */
const UNNAMED_WITHIN_DAYS = 5;

/** Finds what belongs together beyond doubt; the rest is left to a person. */
export function matchesOf(lines: readonly OpenLine[], movements: readonly OpenMovement[]): Match[] {
  const named = oneToOne(lines, movements, isNamed).map((pair) => ({ ...pair, rule: 'reference' as const }));
  const isLeft = pairedIn(named);
  const rest = oneToOne(lines.filter(isLeft), movements.filter(isLeft), isAlone);
  return [...named, ...rest.map((pair) => ({ ...pair, rule: 'amount' as const }))];
}

function pairedIn(pairs: readonly { lineId: string; movementId: string }[]): (item: { id: string }) => boolean {
  const paired = new Set(pairs.flatMap(({ lineId, movementId }) => [lineId, movementId]));
  return ({ id }) => !paired.has(id);
}

/** Pairs of which neither side could be in another pair. */
function oneToOne(
  lines: readonly OpenLine[],
  movements: readonly OpenMovement[],
  mayBelong: (line: OpenLine, movement: OpenMovement) => boolean,
): { lineId: string; movementId: string }[] {
  const byAmount = Map.groupBy(movements, ({ amountCents }) => amountCents);
  const claims = new Map<string, string[]>();
  const wanted = lines.flatMap((line) => {
    const candidates = (byAmount.get(line.amountCents) ?? []).filter((movement) => mayBelong(line, movement));
    for (const { id } of candidates) claims.set(id, [...(claims.get(id) ?? []), line.id]);
    const [only, ...others] = candidates;
    return only === undefined || others.length > 0 ? [] : [{ lineId: line.id, movementId: only.id }];
  });
  return wanted.filter(({ movementId }) => claims.get(movementId)?.length === 1);
}

function isNamed(line: OpenLine, { references, date }: OpenMovement): boolean {
  const text = ` ${wordsOf(`${line.reference} ${line.description}`)} `;
  const isIn = (reference: string) => wordsOf(reference) !== '' && text.includes(` ${wordsOf(reference)} `);
  return Math.abs(daysBetween(date, line.bookedOn)) <= NAMED_WITHIN_DAYS && references.some(isIn);
}

function isAlone({ bookedOn }: OpenLine, { date }: OpenMovement): boolean {
  return Math.abs(daysBetween(date, bookedOn)) <= UNNAMED_WITHIN_DAYS;
}

/** Banks change case and punctuation: `Check 4711` is `CHECK-4711` there. */
function wordsOf(text: string): string {
  return text
    .toUpperCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .join(' ');
}
