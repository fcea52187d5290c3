// How well documents are classified that share half of their phrases or fewer with what was trained on.
import { measureClassifier } from '../scripts/classifier/training.ts';
import type { Comparison } from './table.ts';

/** Counts; it needs no platform. */
export function measureClassification(): Comparison {
  const { accuracy, sureAccuracy, sureShare } = measureClassifier();
  const verdicts = [
    { what: 'held-out documents classified right', value: accuracy, aim: { least: 0.9 } },
    { what: 'of those that need no review', value: sureAccuracy, aim: { least: 0.97 } },
    { what: 'that need no review', value: sureShare, aim: { least: 0.75 } },
  ];
  return { title: 'classify', lines: [], verdicts };
}
