import test from 'ava';
import { isLicensed, type License, licenseStatusOn, renewalChanges } from '../../../domain/distribution/license.ts';

const license: License = {
  state: 'TX',
  number: 'TX-1',
  lines: ['GL', 'CA'],
  status: 'active',
  expirationDate: '2026-06-30',
};
const sale = { state: 'TX', lineOfBusiness: 'GL', date: '2026-06-29' };

test('a license holds through its expiration date, and a suspended one stays suspended', (t) => {
  t.is(licenseStatusOn(license, '2026-06-30'), 'active');
  t.is(licenseStatusOn(license, '2026-07-01'), 'expired');
  t.is(licenseStatusOn({ ...license, status: 'suspended' }, '2026-07-01'), 'suspended');
});

const SALES: [what: string, licenses: License[], change: object, isAllowed: boolean][] = [
  ['the line in the state before the end', [license], {}, true],
  ['on the last day', [license], { date: '2026-06-30' }, true],
  ['after the last day', [license], { date: '2026-07-01' }, false],
  ['a line that the license does not name', [license], { lineOfBusiness: 'CP' }, false],
  ['any line under a license that names none', [{ ...license, lines: [] }], { lineOfBusiness: 'CP' }, true],
  ['a line under a license for something else', [{ ...license, lines: ['Life'] }], {}, false],
  ['a suspended license', [{ ...license, status: 'suspended' }], {}, false],
  ['one license in force beside one that has expired', [{ ...license, status: 'expired' }, license], {}, true],
  ['a state without a license on file', [license], { state: 'FL' }, true],
];

for (const [what, licenses, change, isAllowed] of SALES) {
  test(`a producer ${isAllowed ? 'may' : 'may not'} sell: ${what}`, (t) => {
    t.is(isLicensed(licenses, { ...sale, ...change }), isAllowed);
  });
}

const open = { state: 'TX', licenseNumber: 'TX-1', dueDate: '2026-06-30' };

test('a new license has a renewal to come, and the same list again changes nothing', (t) => {
  t.deepEqual(renewalChanges([], [license]), { filed: [], withdrawn: [], added: [open] });
  t.deepEqual(renewalChanges([open], [license]), { filed: [], withdrawn: [], added: [] });
});

test('a license with a later end was renewed, one with an earlier end was corrected', (t) => {
  const later = { ...license, expirationDate: '2028-06-30' };
  t.deepEqual(renewalChanges([open], [later]), {
    ...{ filed: [open], withdrawn: [], added: [{ ...open, dueDate: '2028-06-30' }] },
  });
  const earlier = { ...license, expirationDate: '2026-05-31' };
  t.deepEqual(renewalChanges([open], [earlier]), {
    ...{ filed: [], withdrawn: [open], added: [{ ...open, dueDate: '2026-05-31' }] },
  });
});

test('a license that is gone or suspended takes its renewal back', (t) => {
  t.deepEqual(renewalChanges([open], []), { filed: [], withdrawn: [open], added: [] });
  const suspended: License = { ...license, status: 'suspended' };
  t.deepEqual(renewalChanges([open], [suspended]), { filed: [], withdrawn: [open], added: [] });
});
