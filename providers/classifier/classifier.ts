// The classifier that comes with the platform: it needs no network and learns nothing from the documents it sees. The
// model is built by `npm run classifier`.
import type { Appearance, Classification } from '../../domain/document/classification.ts';
import model from './model.json' with { type: 'json' };
import { classified, scorer } from './naive-bayes.ts';

/** Builds it; the model is unpacked with the first document. */
export function createClassifier(): { classify(seen: Appearance): Promise<Classification> } {
  let score: ReturnType<typeof scorer> | null = null;
  return {
    classify: async (seen) => {
      score ??= scorer(model.learned);
      return classified(score(seen), model.temperature);
    },
  };
}
