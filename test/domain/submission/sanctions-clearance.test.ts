import test from 'ava';
import { DomainError } from '../../../domain/errors.ts';
import { matchesToClear, nameKey, unclearedMatches } from '../../../domain/submission/sanctions-clearance.ts';

const VOLKOV = { entryId: 'snc_1', name: 'Volkov Trading House', program: 'SDN', score: 100 };
const SAMARA = { entryId: 'snc_2', name: 'Samara Trading House', program: 'SDN', score: 90 };

const isSame = (name: string, other: string) => nameKey(name) === nameKey(other);

test('a clearance covers only the entries that were shown: another entry, name or program is not cleared', (t) => {
  t.deepEqual(unclearedMatches([VOLKOV], []), [VOLKOV]);
  t.deepEqual(unclearedMatches([VOLKOV], [{ ...VOLKOV, score: 90 }]), []);
  for (const change of [{ entryId: 'snc_2' }, { name: 'Volkov Trade House' }, { program: 'UKR' }]) {
    const found = { ...VOLKOV, ...change };
    t.deepEqual(unclearedMatches([VOLKOV, found], [VOLKOV]), [found]);
  }
});

test('names with the same words are the same, whatever their case and punctuation', (t) => {
  t.true(isSame('Ada Guest', 'ADA GUEST.'));
  for (const other of ['Ada Guests', 'Guest Ada', 'Ada Guest LLC', 'Áda Guest']) {
    t.false(isSame('Ada Guest', other), other);
  }
  t.false(isSame('Acme LLC', 'Acme Ltd'));
  t.true(isSame('شركة النور', 'شركة النور.'));
  t.false(isSame('***', '---'), 'without letters only the very same name is the same');
});

test('a person clears the entries that they name, all of which the name must resemble, and none twice', (t) => {
  const found = [VOLKOV, SAMARA];
  t.deepEqual(matchesToClear(['snc_2'], { found, uncleared: found }), [SAMARA]);
  t.deepEqual(matchesToClear(['snc_1', 'snc_2'], { found, uncleared: [SAMARA] }), [SAMARA]);
  const refusal = (ids: string[], uncleared = found) =>
    t.throws(() => matchesToClear(ids, { found, uncleared }), { instanceOf: DomainError }) as DomainError;
  t.like(refusal(['snc_1', 'snc_3']), {
    ...{ code: 'validation_failed', details: { field: 'entryIds.1', rule: 'unknown_reference' } },
  });
  t.is(refusal(['snc_1'], [SAMARA]).code, 'already_exists');
});
