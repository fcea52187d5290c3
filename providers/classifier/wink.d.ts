// The part of `wink-naive-bayes-text-classifier` that is used; the package brings no types.
declare module 'wink-naive-bayes-text-classifier' {
  interface Classifier {
    defineConfig(config: { considerOnlyPresence: boolean; smoothingFactor: number }): boolean;
    learn(tokens: readonly string[], label: string): boolean;
    consolidate(): boolean;
    /** Base 2 logarithms of each label's odds, best first. */
    computeOdds(tokens: readonly string[]): [label: string, odds: number][];
    exportJSON(): string;
    importJSON(json: string): boolean;
  }
  function createClassifier(): Classifier;
  export = createClassifier;
}
