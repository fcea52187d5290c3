// Reads documents without a network: the type from the words, the values from labels, columns and form fields.
import { byNameAlone } from '../../domain/document/classification.ts';
import { valuesByPlace } from '../../domain/document/read-document.ts';
import type { DocumentAnalyst } from '../ports.ts';
import { createClassifier } from './classifier.ts';

/** Builds it; the model is unpacked with the first document. */
export function createLocalAnalyst(): DocumentAnalyst {
  const classifier = createClassifier();
  return {
    understand: async (document, { today }) => {
      const found = await classifier.classify(document.seen);
      const classification = document.readFrom === 'name' ? byNameAlone(found) : found;
      return { classification, extracted: valuesByPlace(classification, document, today), isByModelAlone: false };
    },
  };
}
