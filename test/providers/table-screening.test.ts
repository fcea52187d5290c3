import test from 'ava';
import { createTableScreening } from '../../providers/table-screening.ts';

const LISTED = { id: 'snc_1', name: 'Volkov Trading House', program: 'SAMPLE' };

test('a name is held against the list, which is read once a minute', async (t) => {
  let nowMs = 0;
  let reads = 0;
  const screening = createTableScreening({
    loadEntries: async () => {
      reads += 1;
      return [LISTED];
    },
    now: () => nowMs,
  });
  t.like(await screening.screen('VOLKOV TRADING HOUSE'), [{ entryId: 'snc_1', score: 100 }]);
  t.deepEqual(await screening.screen('Blue Plate Diner'), []);
  t.is(reads, 1);
  nowMs = 60_000;
  await screening.screen('Blue Plate Diner');
  t.is(reads, 2);
});

test('a list that could not be read is read again for the next name', async (t) => {
  let attempts = 0;
  const screening = createTableScreening({
    loadEntries: async () => {
      attempts += 1;
      if (attempts === 1) throw new Error('away');
      return [LISTED];
    },
    now: () => 0,
  });
  await t.throwsAsync(screening.screen('Volkov Trading House'), { message: 'away' });
  t.is((await screening.screen('Volkov Trading House')).length, 1);
});
