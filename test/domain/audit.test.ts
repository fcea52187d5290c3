import test from 'ava';
import { auditedChanges } from '../../domain/audit.ts';

test('the audit shows before and after of each field that changed and of no other', (t) => {
  const before = { status: 'quoted', state: 'TX', lossesLast5Years: null };
  const after = { status: 'triaged', state: 'TX', lossesLast5Years: 0 };
  t.deepEqual(auditedChanges(before, after), {
    status: { before: 'quoted', after: 'triaged' },
    lossesLast5Years: { before: null, after: 0 },
  });
  t.deepEqual(auditedChanges(after, after), {});
});

test('the audit shows that personal data was given, changed or removed, but not the data', (t) => {
  const before = { insuredName: 'A', insuredEmail: 'a@example.com', insuredPhone: null, insuredAddress: { city: 'X' } };
  const after = { insuredName: 'B', insuredEmail: null, insuredPhone: '1', insuredAddress: { city: 'X' } };
  t.deepEqual(auditedChanges(before, after), {
    insuredName: { before: 'withheld', after: 'withheld' },
    insuredEmail: { before: 'withheld', after: null },
    insuredPhone: { before: null, after: 'withheld' },
  });
});
