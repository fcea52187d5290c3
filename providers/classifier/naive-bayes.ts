// Naive Bayes over the features of a document, and how sure it is. The odds of many words are far too confident,
// because words occur together; a temperature fitted to held-out documents tones them down.
import createClassifier from 'wink-naive-bayes-text-classifier';
import type { Appearance, Classification, DocumentType } from '../../domain/document/classification.ts';
import { features } from '../../domain/document/classification.ts';

const SETTINGS = { considerOnlyPresence: true, smoothingFactor: 0.5 } as const;
const ALTERNATIVES = 3;
/**
 * With fewer known features than the first, the type is a guess; below the second, the share of unknown ones counts.
 */
const [KNOWN_LEAST, KNOWN_ENOUGH] = [4, 12];
const [GUESS, UNKNOWN_FORGIVEN] = [0.5, 0.6];
/** A document that resembles no type is `other`. */
const LIKE_NOTHING = 0.3;
const LEARNED_VOCABULARY = 4;

/** How likely each type is, before the temperature is applied. */
export interface Scores {
  known: number;
  /** Features, known or not. */
  seen: number;
  odds: [type: DocumentType, odds: number][];
}

/** Learns from samples. @returns the model as plain JSON, without a temperature */
export function learn(samples: Iterable<{ type: DocumentType; seen: Appearance }>): unknown {
  const classifier = createClassifier();
  classifier.defineConfig(SETTINGS);
  for (const { type, seen } of samples) classifier.learn(features(seen), type);
  return JSON.parse(classifier.exportJSON());
}

/** Builds a scorer from a learned model. */
export function scorer(learned: unknown): (seen: Appearance) => Scores {
  const classifier = createClassifier();
  classifier.importJSON(JSON.stringify(learned));
  classifier.consolidate();
  const vocabulary = new Set((learned as unknown[])[LEARNED_VOCABULARY] as string[]);
  return (seen) => {
    const all = features(seen);
    const known = all.filter((feature) => vocabulary.has(feature));
    return { known: known.length, seen: all.length, odds: classifier.computeOdds(known) as Scores['odds'] };
  };
}

/** Turns scores into a classification. */
export function classified(scores: Scores, temperature: number): Classification {
  const { known, odds } = scores;
  const [best] = odds;
  if (known === 0 || best === undefined) return { type: 'other', confidence: 0, alternatives: [] };
  const cooled = odds.map(([type, each]) => ({
    type,
    weight: Math.exp((each - best[1]) / (temperature * Math.sqrt(known))),
  }));
  const sum = cooled.reduce((total, { weight }) => total + weight, 0);
  const most = mostConfidence(scores);
  const ranked = cooled.map(({ type, weight }) => ({
    type,
    confidence: Math.round(Math.min(most, weight / sum) * 1_000) / 1_000,
  }));
  const [first = { type: 'other', confidence: 0 } as const, ...others] = ranked;
  if (first.confidence >= LIKE_NOTHING) return { ...first, alternatives: others.slice(0, ALTERNATIVES) };
  const alternatives = ranked.filter(({ type }) => type !== 'other').slice(0, ALTERNATIVES);
  return { type: 'other', confidence: first.confidence, alternatives };
}

/** Caps the confidence: words never seen in training could mean anything. */
function mostConfidence({ known, seen }: Scores): number {
  if (known < KNOWN_LEAST) return GUESS;
  return known >= KNOWN_ENOUGH ? 1 : Math.min(1, 1 - UNKNOWN_FORGIVEN + known / seen);
}
