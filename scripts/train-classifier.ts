// npm run classifier: trains the document classifier on our own samples and writes its model. Prints how well a model
// trained on only some of the phrases does on documents made of the others.
import './help/show-help.ts';
import { writeFile } from 'node:fs/promises';
import { measureClassifier, trainedModel } from './classifier/training.ts';

const MODEL = new URL('../providers/classifier/model.json', import.meta.url);

const { accuracy, sureAccuracy, sureShare, temperature } = measureClassifier();
const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
console.log(
  `held out: ${percent(accuracy)} right; ${percent(sureShare)} need no review, ${percent(sureAccuracy)} of them right`,
);
await writeFile(MODEL, `${JSON.stringify({ temperature, learned: trainedModel() })}\n`);
