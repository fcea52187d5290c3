// How the classifier is trained and measured: the temperature is fitted to samples with phrases that the measured
// model has not seen, and the accuracy is measured on other such samples.
import { type DocumentType, needsReview } from '../../domain/document/classification.ts';
import { classified, learn, type Scores, scorer } from '../../providers/classifier/naive-bayes.ts';
import { diceOf, samplesOf } from './samples.ts';

const [PER_TYPE, HELD_OUT_PER_TYPE] = [60, 40];
const SEEDS = { training: 1, fitting: 2, measuring: 3, model: 4 } as const;
const TEMPERATURES = Array.from({ length: 40 }, (_, step) => 0.1 * 1.12 ** step);
const LEAST_LIKELY = 1e-6;

export interface Measured {
  /** Shares from 0 to 1. */
  accuracy: number;
  /** Accuracy over the documents that need no review. */
  sureAccuracy: number;
  sureShare: number;
  temperature: number;
}

/** The model that is shipped. */
export function trainedModel(): unknown {
  return learn(samplesOf('all', PER_TYPE, diceOf(SEEDS.model)));
}

export function measureClassifier(): Measured {
  const score = scorer(learn(samplesOf('trained', PER_TYPE, diceOf(SEEDS.training))));
  const scored = (seed: number) =>
    samplesOf('held out', HELD_OUT_PER_TYPE, diceOf(seed)).map(({ type, seen }) => ({ type, scores: score(seen) }));
  const temperature = fitted(scored(SEEDS.fitting));
  const results = scored(SEEDS.measuring).map(({ type, scores }) => ({ type, found: classified(scores, temperature) }));
  const right = results.filter(({ type, found }) => found.type === type);
  const sure = results.filter(({ found }) => !needsReview(found));
  return {
    accuracy: right.length / results.length,
    sureAccuracy: sure.filter(({ type, found }) => found.type === type).length / Math.max(1, sure.length),
    sureShare: sure.length / results.length,
    temperature,
  };
}

/** The temperature that makes the true types the most likely. */
function fitted(samples: readonly { type: DocumentType; scores: Scores }[]): number {
  const surprise = (temperature: number) =>
    samples.reduce((sum, { type, scores }) => {
      const { alternatives, ...best } = classified(scores, temperature);
      const given = [best, ...alternatives].find((each) => each.type === type)?.confidence ?? 0;
      return sum - Math.log(Math.max(LEAST_LIKELY, given));
    }, 0);
  return TEMPERATURES.toSorted((a, b) => surprise(a) - surprise(b))[0] ?? 1;
}
