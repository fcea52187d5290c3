// How well the classifier does on documents that share at most half of their phrases with the training data.
import { measureClassifier } from '../scripts/classifier/training.ts';
import type { Comparison } from './table.ts';

/** Counts correct classifications; needs no platform. */
export function measureClassification(): Comparison {
  const { accuracy, sureAccuracy, sureShare } = measureClassifier();
  const verdicts = [
    { what: 'held-out documents classified right', value: accuracy, aim: { least: 0.9 } },
    { what: 'of those that need no review', value: sureAccuracy, aim: { least: 0.97 } },
    { what: 'that need no review', value: sureShare, aim: { least: 0.75 } },
  ];
  return { title: 'classify', lines: [], verdicts };
}
