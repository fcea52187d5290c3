// Right-to-left text in reading order and in visual order: Arabic and Hebrew mixed with Latin words and figures. Pure.

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
const RIGHT_TO_LEFT_LETTERS = /[\p{Script=Arabic}\p{Script=Hebrew}]/gu;
const OTHER_LETTERS = /(?![\p{Script=Arabic}\p{Script=Hebrew}])\p{L}/gu;
/** Characters that take the direction of their neighbors. */
const NEUTRAL = /^[\s\p{P}]+$/u;

/** Whether text has no direction of its own. */
export const isNeutral = (text: string): boolean => NEUTRAL.test(text);

/** Whether text begins with a right-to-left letter. */
export function beginsBackward(texts: readonly string[]): boolean {
  const first = texts.find((text) => !isNeutral(text));
  return first !== undefined && RIGHT_TO_LEFT.test(first);
}

/** Whether most letters of a text are right-to-left. */
export function isMostlyBackward(text: string): boolean {
  return (text.match(RIGHT_TO_LEFT_LETTERS)?.length ?? 0) > (text.match(OTHER_LETTERS)?.length ?? 0);
}

/**
 * Converts parts from reading order to visual left-to-right order, and back. Each part runs in one direction and is
 * left unchanged.
 */
export function turnedAround<Part extends { text: string }>(parts: readonly Part[], isLineBackward: boolean): Part[] {
  const runsAgainst = (part: Part | undefined) =>
    part !== undefined && !isNeutral(part.text) && RIGHT_TO_LEFT.test(part.text) !== isLineBackward;
  const ordered: Part[] = [];
  for (let start = 0; start < parts.length; ) {
    let end = start + 1;
    // Parts against the line's direction are reversed together, with what is between them.
    for (let at = end; runsAgainst(parts[start]) && at < parts.length; at++) {
      if (runsAgainst(parts[at])) end = at + 1;
      else if (!isNeutral(parts[at]?.text ?? '')) break;
    }
    ordered.push(...parts.slice(start, end).toReversed());
    start = end;
  }
  return isLineBackward ? ordered.toReversed() : ordered;
}
