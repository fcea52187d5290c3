// Chance that is the same in every run, so that what one run shows the next one shows again. BINDERY_TEST_SEED takes
// other draws.
import fc from 'fast-check';

export const SEED = Number(process.env.BINDERY_TEST_SEED ?? 20_261_121);

fc.configureGlobal({ seed: SEED });

export { fc };

/** Gives a die of its own: a whole number from 0 to `below`, without it, at each throw. */
export function dieOf(name: string): (below: number) => number {
  const sides = fc.noBias(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }));
  let throws = SEED + name.length;
  return (below) => {
    throws += 1;
    const [side = 0] = fc.sample(sides, { numRuns: 1, seed: throws });
    return Math.floor(side * below);
  };
}
