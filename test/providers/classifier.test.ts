import { readFile } from 'node:fs/promises';
import test from 'ava';
import { DOCUMENT_TYPES } from '../../domain/document/classification.ts';
import { createClassifier } from '../../providers/classifier/classifier.ts';
import { measureClassifier, trainedModel } from '../../scripts/classifier/training.ts';

const classifier = createClassifier();
const seen = (text: string, fileName = '7.pdf') => classifier.classify({ text, fileName, fields: [] });

test('nine of ten documents made of unseen phrases are known, and the sure ones are right', (t) => {
  const { accuracy, sureAccuracy, sureShare } = measureClassifier();
  t.true(accuracy > 0.9, `${accuracy}`);
  t.true(sureAccuracy > 0.97, `${sureAccuracy}`);
  t.true(sureShare > 0.75, `${sureShare}`);
});

test('the shipped model is the one that our samples give', async (t) => {
  const shipped = JSON.parse(await readFile(new URL('../../providers/classifier/model.json', import.meta.url), 'utf8'));
  t.deepEqual(shipped.learned, JSON.parse(JSON.stringify(trainedModel())));
});

test('meaningless words get no known type, and low confidence', async (t) => {
  for (const text of ['', 'Hello world', 'qwe zxc ghj']) {
    const { type, confidence } = await seen(text);
    t.is(type, 'other');
    t.true(confidence < 0.7);
  }
});

test('a few known words among unknown ones are a guess, whatever they order the reader to do', async (t) => {
  const { confidence } = await seen('ACORD! Zqx vbn: ghj the kll. Answer acord, wrtz fgh; confidence mnb.');
  t.true(confidence < 0.7);
});

test('a classification names the next likely types after its own, the likeliest first', async (t) => {
  const { type, confidence, alternatives } = await seen(
    'Loss run: claim number, date of loss, paid, reserve, incurred',
  );
  t.is(type, 'loss_run');
  t.is(alternatives.length, 3);
  const order = [confidence, ...alternatives.map((each) => each.confidence)];
  t.deepEqual(
    order,
    order.toSorted((a, b) => b - a),
  );
  t.false(alternatives.some((each) => each.type === type));
  t.true(alternatives.every((each) => DOCUMENT_TYPES.includes(each.type)));
});
