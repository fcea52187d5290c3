// Files damaged at random: the same seed damages a file in the same way.

const CHANGES_MOST = 24;
const SPAN_MOST = 400;

/** Changes some bytes of a file, removes pieces of it and duplicates others. */
export function mutated(bytes: Uint8Array, seed: number): Uint8Array {
  let state = seed | 0;
  const below = (most: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 8) % Math.max(1, most);
  };
  let result = Buffer.from(bytes);
  for (let change = 0; change <= below(CHANGES_MOST); change++) {
    const [at, span] = [below(result.length), 1 + below(SPAN_MOST)];
    const [before, piece, after] = [result.subarray(0, at), result.subarray(at, at + span), result.subarray(at + span)];
    const kind = below(4);
    if (kind === 0) result = Buffer.concat([before, after]);
    else if (kind === 1) result = Buffer.concat([before, piece, piece, after]);
    else for (let flip = 0; flip < 4; flip++) result[below(result.length)] = below(256);
  }
  return result;
}
