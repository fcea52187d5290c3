// Producers imported as a table, over HTTP. Contract 3.7.
import test from 'ava';
import { bodyOf, newHouse } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

test('a table is imported row by row: a wrong row is named, and the same table again changes nothing', async (t) => {
  const house = await newHouse(platform);
  const officer = house.as('compliance_officer');
  const table = [
    'npn,name,email,licenseState,licenseNumber,licenseLines,licenseExpiration',
    '901,"Bay Agency, Inc.",desk@bay.example,TX,TX-9,GL; CP,2090-01-01',
    '901,"Bay Agency, Inc.",,FL,FL-9,,2091-01-01',
    '902,No Date,,TX,TX-8,,soon',
    ',No Number,,,,,',
    '903,Third,,,,,',
  ].join('\r\n');
  const send = () => {
    const form = new FormData();
    form.append('file', new Blob([table], { type: 'text/csv' }), 'producers.csv');
    return officer.send('POST', '/v1/producers/import', form);
  };
  const first = bodyOf(await send());
  t.like(first, { created: 2, updated: 1, unchanged: 0, failed: 2 });
  t.deepEqual(
    first.errors.map(({ row, field, rule }: { row: number; field: string; rule: string }) => [row, field, rule]),
    [
      [4, 'license.expirationDate', 'format'],
      [5, 'npn', 'required'],
    ],
  );
  const { data } = bodyOf(await officer.get('/v1/producers', { query: { q: 'bay agency' } }));
  t.is(data.length, 1);
  t.like(data[0], { npn: '901', name: 'Bay Agency, Inc.', email: 'desk@bay.example', status: 'pending' });
  t.deepEqual(data[0].licenses, [
    { state: 'TX', number: 'TX-9', lines: ['GL', 'CP'], status: 'active', expirationDate: '2090-01-01' },
    { state: 'FL', number: 'FL-9', lines: [], status: 'active', expirationDate: '2091-01-01' },
  ]);
  const contentBase64 = Buffer.from(table).toString('base64');
  const json = { fileName: 'producers.csv', contentType: 'text/csv', contentBase64 };
  const again = bodyOf(await officer.post('/v1/producers/import', json));
  t.deepEqual(again, { ...first, created: 0, updated: 0, unchanged: 3 });
  t.is(bodyOf(await officer.get(`/v1/producers/${data[0].id}`)).version, data[0].version);
  t.is((await house.as('underwriter').send('POST', '/v1/producers/import', new FormData())).status, 403);
});

test('a file that is refused imports nothing, not even the rows before the fault', async (t) => {
  const house = await newHouse(platform);
  const officer = house.as('compliance_officer');
  const tooMany = `npn,name\n${Array.from({ length: 20_001 }, (_, index) => `M${index},N ${index}`).join('\n')}`;
  for (const [bytes, rule] of [
    [tooMany, 'max'],
    ['npn,name\n1,One\n2,"Two', 'format'],
    [Buffer.concat([Buffer.from('npn,name\n1,Ren'), Buffer.from([0xe9])]), 'format'],
    ['npn;name\n1;One', 'unknown_field'],
  ] as const) {
    const contentBase64 = Buffer.from(bytes).toString('base64');
    t.like(await officer.post('/v1/producers/import', { contentBase64 }), {
      ...{ status: 400, body: { details: { field: 'file', rule } } },
    });
  }
  t.deepEqual(bodyOf(await officer.get('/v1/producers')).data, []);
});

test('a producer has at most 500 licenses, and the rows of further ones are errors', async (t) => {
  const officer = (await newHouse(platform)).as('compliance_officer');
  const row = (number: number) => `901,Bay Agency,TX,TX-${number},2090-01-01`;
  const licenses = Array.from({ length: 502 }, (_, index) => row(index));
  const table = ['npn,name,licenseState,licenseNumber,licenseExpiration', ...licenses].join('\n');
  const contentBase64 = Buffer.from(table).toString('base64');
  const message = 'A producer can have at most 500 licenses.';
  const error = (line: number) => ({ row: line, field: 'license', rule: 'max', message });
  t.deepEqual(bodyOf(await officer.post('/v1/producers/import', { contentBase64 })), {
    ...{ created: 1, updated: 499, unchanged: 0, failed: 2 },
    errors: [error(502), error(503)],
  });
  const [{ id, licenses: kept }] = bodyOf(await officer.get('/v1/producers')).data;
  t.is(kept.length, 500);
  bodyOf(await officer.patch(`/v1/producers/${id}`, { licenses: kept, phone: '+15125550100' }));
});

test('a row whose phone is no telephone number is an error, unless the producer already has it', async (t) => {
  const house = await newHouse(platform);
  const officer = house.as('compliance_officer');
  const send = (...rows: string[]) => {
    const contentBase64 = Buffer.from(['npn,name,phone', ...rows].join('\n')).toString('base64');
    return officer.post('/v1/producers/import', { contentBase64 });
  };
  const first = bodyOf(await send('901,Bay Agency,(512) 555-0100', '902,Gulf Agency,ask for Jo'));
  t.like(first, { created: 1, failed: 1 });
  t.like(first.errors, [{ row: 3, field: 'phone', rule: 'format' }]);
  await platform.database.transaction(house.orgId, (em) =>
    em.execute(`update producers set phone = 'ask for Jo' where org_id = ?`, [house.orgId]),
  );
  t.like(bodyOf(await send('901,Bay Agency,ask for Jo')), { unchanged: 1, failed: 0 });
  t.like(bodyOf(await send('901,Bay and Sons,ask for Jo')), { updated: 1, failed: 0 });
  t.like(bodyOf(await send('901,Bay Agency,ask for Al')), { updated: 0, failed: 1 });
  const [producer] = bodyOf(await officer.get('/v1/producers')).data;
  t.like(producer, { name: 'Bay and Sons', phone: 'ask for Jo' });
});

test('a row that contradicts an earlier row of the same producer is an error that names it, whatever the case of the number', async (t) => {
  const house = await newHouse(platform);
  const officer = house.as('compliance_officer');
  const table = [
    'npn,name,email,licenseState,licenseNumber,licenseExpiration',
    'ab-1,First,,TX,T-1,2090-01-01',
    'AB-1,Second,,,,',
    'ab-1,First,desk@bay.example,FL,F-1,2090-01-01',
    'AB-1,First,other@bay.example,,,',
    'ab-1,First,,TX,T-1,2091-01-01',
    'cd-2,Other,,,,',
  ].join('\n');
  const send = () => officer.post('/v1/producers/import', { contentBase64: Buffer.from(table).toString('base64') });
  const first = bodyOf(await send());
  t.like(first, { created: 2, updated: 1, unchanged: 0, failed: 3 });
  const message = 'Row 2 has the same producer number and contradicts this row.';
  t.deepEqual(first.errors, [
    { row: 3, field: 'name', rule: 'format', message },
    { row: 5, field: 'email', rule: 'format', message },
    { row: 6, field: 'license', rule: 'format', message },
  ]);
  t.like(bodyOf(await send()), { created: 0, updated: 0, unchanged: 3, failed: 3 });
  const same = await officer.post('/v1/producers', { name: 'Third', npn: 'Ab-1' });
  t.like(same, { status: 409, body: { error: 'already_exists' } });
  const contentBase64 = Buffer.from('npn,name\nAB-1,Renamed').toString('base64');
  t.like(bodyOf(await officer.post('/v1/producers/import', { contentBase64 })), { updated: 1 });
  const { data } = bodyOf(await officer.get('/v1/producers', { query: { q: 'renamed' } }));
  t.is(data[0].npn, 'ab-1', 'as it was written first');
});

test('a blank cell changes nothing within a license or an address on file; a new one must be complete', async (t) => {
  const house = await newHouse(platform);
  const officer = house.as('compliance_officer');
  const license = { state: 'TX', number: 'T-1', lines: ['GL'], status: 'suspended', expirationDate: '2089-01-01' };
  const address = { line1: '1 Main St', line2: 'Suite 4', city: 'Austin', state: 'TX', postalCode: '78701' };
  const producer = { name: 'Bay', npn: '31', licenses: [license], address };
  const { id } = bodyOf(await officer.post('/v1/producers', producer), 201);
  const table = [
    'npn,name,line1,city,licenseState,licenseNumber,licenseStatus,licenseExpiration',
    '31,Bay,2 Main St,,TX,T-1,,2090-01-01',
    '31,Bay,,,FL,F-1,,',
    '32,Sound,3 Main St,Dallas,,,,',
    '33,Cape,,,TX,C-1,,2090-01-01',
    '33,Cape,,,TX,C-1,suspended,',
    '33,Cape,,,,,suspended,',
  ].join('\n');
  const send = () => officer.post('/v1/producers/import', { contentBase64: Buffer.from(table).toString('base64') });
  const first = bodyOf(await send());
  t.deepEqual(
    first.errors.map(({ row, field, rule }: { row: number; field: string; rule: string }) => [row, field, rule]),
    [
      [3, 'license.expirationDate', 'required'],
      [4, 'address.state', 'required'],
      [4, 'address.postalCode', 'required'],
      [7, 'license.state', 'required'],
      [7, 'license.number', 'required'],
    ],
  );
  t.like(first, { created: 1, updated: 2, unchanged: 0, failed: 3 });
  const { licenses, address: merged } = bodyOf(await officer.get(`/v1/producers/${id}`));
  t.deepEqual(licenses, [{ ...license, expirationDate: '2090-01-01' }]);
  t.deepEqual(merged, { ...address, line1: '2 Main St' });
  const { data } = bodyOf(await officer.get('/v1/producers', { query: { q: 'cape' } }));
  const fresh = { state: 'TX', number: 'C-1', lines: [], status: 'suspended', expirationDate: '2090-01-01' };
  t.deepEqual(data[0].licenses, [fresh]);
  t.like(bodyOf(await send()), { created: 0, updated: 0, unchanged: 3, failed: 3 });
});

test('the table may be the whole body, and errors name the fault', async (t) => {
  const house = await newHouse(platform);
  const officer = house.as('compliance_officer');
  const send = async (body: string, type = 'text/csv') =>
    officer.send('POST', '/v1/producers/import', new Blob([body], { type }));
  t.like(bodyOf(await send('npn,name\n7,Seven')), { created: 1, failed: 0 });
  t.like(bodyOf(await send('npn,name\n7,Seven', 'text/csv; charset=utf-8')), { unchanged: 1 });
  t.like(await send(''), { status: 400, body: { details: { field: 'file' } } });
  const supported = ['multipart/form-data', 'application/json', 'text/csv'];
  t.like(await send('npn,name\n7,Seven', 'text/plain'), { status: 415, body: { details: { supported } } });
  const unknown = await send('npn,name,fax\n7,Seven,1');
  t.like(unknown, { status: 400, body: { details: { field: 'file', rule: 'unknown_field', column: 'fax' } } });
  t.regex(unknown.body.message, /"fax"/);
  t.regex((await send('npn,name,name\n7,Seven,7')).body.message, /repeats the column name/);
  const wrong = await officer.post('/v1/producers/import', { file: 'npn,name' });
  const fields = wrong.body.details.issues.map(({ field }: { field: string }) => field);
  t.deepEqual([wrong.status, fields.sort()], [400, ['contentBase64', 'file']]);
});
