// Likely duplicates and the sanctions screen.
import test from 'ava';
import { SANCTIONS_ENTRIES } from '../../../db/seed/data/sanctions.ts';
import { clearanceWindow, isLikelyDuplicate, normalizeName } from '../../../domain/submission/clearance.ts';
import { type SanctionsEntry, screener } from '../../../domain/submission/sanctions.ts';
import { fc } from '../../support/fixed/chance.ts';

const screenName = (name: string, entries: readonly SanctionsEntry[]) => screener(entries)(name);

test('A name is reduced to the part that identifies the business', (t) => {
  for (const [name, expected] of [
    ['Acme Tacos LLC', 'acme tacos'],
    ['  THE  Acme Tacos, L.L.C.', 'acme tacos'],
    ['Acme-Tacos Company, Inc.', 'acme tacos'],
    ['Müller & Söhne Corp.', 'muller and sohne'],
    ["Joe's Diner", 'joes diner'],
    ['Joe’s Diner', 'joes diner'],
    ['A.B.C. Trucking', 'abc trucking'],
    ['The Company', 'the company'],
    ['7-Eleven 4U', '7 eleven 4u'],
    ['東京 株式会社', '東京 株式会社'],
    ['Ac\u200Bme Ta\u00ADcos\u2060\u3164 LLC', 'acme tacos'],
    ['***', ''],
  ] as const) {
    t.is(normalizeName(name), expected);
  }
});

test('Normalising twice changes nothing', (t) => {
  fc.assert(fc.property(fc.string(), (name) => normalizeName(normalizeName(name)) === normalizeName(name)));
  t.pass();
});

const SUBMITTED = { insuredName: 'Acme Tacos LLC', state: 'TX', lineOfBusiness: 'GL', effectiveDate: '2026-12-01' };

test('The same name, state and line within 30 days is a likely duplicate, one way and the other', (t) => {
  for (const [change, expected] of [
    [{}, true],
    [{ insuredName: 'ACME TACOS, INC.' }, true],
    [{ effectiveDate: '2026-12-31' }, true],
    [{ effectiveDate: '2026-11-01' }, true],
    [{ effectiveDate: '2027-01-01' }, false],
    [{ effectiveDate: '2026-10-31' }, false],
    [{ state: 'OK' }, false],
    [{ lineOfBusiness: 'BOP' }, false],
    [{ insuredName: 'Acme Burritos' }, false],
    [{ insuredName: null }, false],
    [{ state: null }, false],
    [{ lineOfBusiness: null }, false],
    [{ effectiveDate: null }, false],
  ] as const) {
    const other = { ...SUBMITTED, ...change };
    t.is(isLikelyDuplicate(SUBMITTED, other), expected, JSON.stringify(change));
    t.is(isLikelyDuplicate(other, SUBMITTED), expected, JSON.stringify(change));
  }
  t.deepEqual(clearanceWindow('2026-12-01'), { from: '2026-11-01', to: '2026-12-31' });
});

test('Two submissions without a telling name are no duplicates', (t) => {
  const nameless = { ...SUBMITTED, insuredName: '***' };
  t.false(isLikelyDuplicate(nameless, nameless));
});

test('A listed party is found under its name, in another order, and with a slip of the pen', (t) => {
  for (const [name, score] of [
    ['Blackreef Maritime Holdings Ltd', 100],
    ['HOLDINGS, MARITIME BLACKREEF', 100],
    ['Ivan Testovich Sanktsionof', 92],
    ['Zarqand Petrolium Trading', 91],
  ] as const) {
    const [match] = screenName(name, SANCTIONS_ENTRIES);
    t.is(match?.score, score, name);
  }
});

test('A party is found within a longer name, beside others, in care of somebody, or behind a trading name', (t) => {
  for (const name of [
    'Blackreef Maritime Holdings Ltd and John Doe',
    'John Doe & Blackreef Maritime Holdings',
    'John Doe c/o Blackreef Maritime Holdings Ltd.',
    'Law Office trust account f/b/o Blackreef Maritime Holdings Ltd',
    'Reef Diner dba Blackreef Maritime Holdings',
    'Estate of Ivan Testovich Sanktsionov',
    'Sanktsionov, Ivan Testovich, Attn John Doe',
  ]) {
    t.is(screenName(name, SANCTIONS_ENTRIES)[0]?.score, 100, name);
  }
  const [close] = screenName('Estate of Ivan Testovich Sanktsionof', SANCTIONS_ENTRIES);
  t.is(close?.score, 92, 'one word is spelled otherwise');
});

test('A party is found whatever its letters are disguised by', (t) => {
  for (const [name, score] of [
    ['Bl\u200Backr\u200Beef Mari\u200Btime Hol\u200Bdings Ltd', 100],
    ['Black\u00ADreef Mari\u3164time Holdings', 100],
    ['Вlасkrееf Маritimе Ноldings Ltd', 100],
    ['BlackreefMaritimeHoldingsLtd', 99],
    ['Black reef Mari time Holdings', 99],
    ['John Doe c/o Blackreef MaritimeHoldings', 99],
  ] as const) {
    t.is(screenName(name, SANCTIONS_ENTRIES)[0]?.score, score, name);
  }
  const short = [{ id: 'A', name: 'Abu Ali', program: 'P' }];
  t.deepEqual(screenName('Babu Alistair Diner', short), []);
  t.deepEqual(screenName('Abu Alistair Diner', short), []);
});

test('A party is found with a stroke through its letters, in small capitals, and with a word in its middle', (t) => {
  for (const name of [
    'Blaçkrĕef Mariŧime Holđings',
    'ʙʟᴀᴄᴋʀᴇᴇꜰ ᴍᴀʀɪᴛɪᴍᴇ ʜᴏʟᴅɪɴɢꜱ',
    'Blackreef Asia Maritime Holdings Ltd',
    'Diner of Blackreef Maritime and Holdings',
  ]) {
    t.is(screenName(name, SANCTIONS_ENTRIES)[0]?.score, 100, name);
  }
  const ligatures = [{ id: 'A', name: 'Caesar Thor Strasse Soeren', program: 'P' }];
  t.is(screenName('Cæsar Þor Straße Sœren', ligatures)[0]?.score, 100);
});

test('Words of a party that do not stand together, and a party of one word, are not found within a longer name', (t) => {
  const entries = [
    { id: 'A', name: 'Zarqand Petroleum Trading', program: 'P' },
    { id: 'B', name: 'Delta', program: 'P' },
  ];
  t.deepEqual(screenName('Zarqand Bakery near Petroleum Trading Street', entries), []);
  t.deepEqual(screenName('Delta Diner', entries), []);
  t.is(screenName('Delta', entries)[0]?.entryId, 'B');
});

test('Ordinary names match nobody', (t) => {
  for (const name of [
    'Acme Tacos LLC',
    'Blackreef Diner',
    'Maritime Holdings',
    'Test Company',
    'Petroleum Trading',
    '***',
    '',
  ]) {
    t.deepEqual(screenName(name, SANCTIONS_ENTRIES), [], name);
  }
});

test('A match names the entry and its list, the best one first', (t) => {
  const entries = [
    { id: 'B', name: 'Zarqand Petroleum Tradings', program: 'P' },
    { id: 'A', name: 'Zarqand Petroleum Trading', program: 'P' },
  ];
  const matches = screenName('Zarqand Petroleum Trading Co', entries);
  t.deepEqual(matches[0], { entryId: 'A', name: 'Zarqand Petroleum Trading', program: 'P', score: 100 });
  t.is(matches.length, 2);
  t.true((matches[1]?.score ?? 100) < 100);
});

test('Every listed name finds itself', (t) => {
  for (const entry of SANCTIONS_ENTRIES) t.is(screenName(entry.name, SANCTIONS_ENTRIES)[0]?.entryId, entry.id);
});
