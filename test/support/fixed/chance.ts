// Random numbers that are the same in every run, so that a failure in one run shows up in the next. BINDERY_TEST_SEED
// selects other draws.
import fc from 'fast-check';

export const SEED = Number(process.env.BINDERY_TEST_SEED ?? 20_261_121);

fc.configureGlobal({ seed: SEED });

export { fc };

/** Returns a die of its own: each throw gives a whole number from 0 up to, but not including, `below`. */
export function dieOf(name: string): (below: number) => number {
  const sides = fc.noBias(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }));
  let throws = SEED + name.length;
  return (below) => {
    throws += 1;
    const [side = 0] = fc.sample(sides, { numRuns: 1, seed: throws });
    return Math.floor(side * below);
  };
}
