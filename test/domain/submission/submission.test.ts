// What a submission allows in each state, and what makes it complete.
import test from 'ava';
import { DomainError } from '../../../domain/errors.ts';
import {
  allowedActions,
  completeness,
  correctionAction,
  ensureQuotable,
  isOpen,
  missingFields,
  nextSubmissionStatus,
  SUBMISSION_ACTIONS,
  SUBMISSION_STATUSES,
  type SubmissionFields,
} from '../../../domain/submission/submission.ts';

const COMPLETE: SubmissionFields = {
  insuredName: 'Acme Tacos LLC',
  naicsCode: '722511',
  annualRevenueCents: 100_000_000,
  requestedLimitCents: 100_000_000,
  effectiveDate: '2026-12-01',
  state: 'TX',
  lineOfBusiness: 'GL',
};

/** Columns are actions in the order of SUBMISSION_ACTIONS, cells the first letters of the next state, `-` a refusal. */
const EXPECTED: Record<string, string> = {
  //          complete correct update_contact quote refer approve reject bind withdraw decline expire lose
  received: '  triaged received received - - - - - withdrawn declined expired -',
  incomplete: 'triaged incomplete incomplete - - - - - withdrawn declined expired -',
  triaged: '   - triaged triaged quoted referred - - - withdrawn declined expired -',
  quoted: '    - triaged quoted quoted referred - - bound withdrawn declined expired not_taken',
  referred: '  - triaged referred quoted referred quoted declined - withdrawn declined expired -',
  bound: '     - - - - - - - - - - - -',
  declined: '  - - - - - - - - - - - -',
  withdrawn: ' - - - - - - - - - - - -',
  expired: '   - - - - - - - - - - - -',
  not_taken: ' - - - - - - - - - - - -',
};

for (const status of SUBMISSION_STATUSES) {
  test(`A submission that is ${status} allows exactly its actions`, (t) => {
    const cells = EXPECTED[status]?.trim().split(/\s+/) ?? [];
    t.is(cells.length, SUBMISSION_ACTIONS.length);
    const allowed = SUBMISSION_ACTIONS.filter((_, index) => cells[index] !== '-');
    t.deepEqual([...allowedActions(status)].sort(), [...allowed].sort());
    t.is(isOpen(status), allowed.length > 0);
    SUBMISSION_ACTIONS.forEach((action, index) => {
      if (cells[index] !== '-') {
        t.is(nextSubmissionStatus(status, action), cells[index] as typeof status);
        return;
      }
      const error = t.throws(() => nextSubmissionStatus(status, action), { instanceOf: DomainError });
      t.is(error?.code, 'invalid_state_transition');
      t.deepEqual(error?.details, { resource: 'submission', from: status, action, allowed: allowedActions(status) });
    });
  });
}

test('A name that objects inherit is no action', (t) => {
  const error = t.throws(() => nextSubmissionStatus('bound', 'constructor' as 'bind'), { instanceOf: DomainError });
  t.is(error?.code, 'invalid_state_transition');
});

test('The seven required fields are missing until they have a value', (t) => {
  t.deepEqual(missingFields(COMPLETE), []);
  t.deepEqual(missingFields({}), [
    'insuredName',
    'naicsCode',
    'annualRevenue',
    'requestedLimit',
    'effectiveDate',
    'state',
    'lineOfBusiness',
  ]);
  t.deepEqual(missingFields({ ...COMPLETE, insuredName: '', requestedLimitCents: null }), [
    'insuredName',
    'requestedLimit',
  ]);
});

test('Completeness counts required and optional fields, a zero included', (t) => {
  t.deepEqual(completeness({}), { given: 0, of: 16 });
  t.deepEqual(completeness({ ...COMPLETE, deductibleCents: 0, lossesLast5Years: 0 }), { given: 9, of: 16 });
});

test('An incomplete submission is not ready for a quote, an ended one refuses it, an open one may be quoted again', (t) => {
  const notReady = t.throws(() => ensureQuotable('incomplete', { ...COMPLETE, state: null }), {
    instanceOf: DomainError,
  });
  t.is(notReady?.code, 'not_ready');
  t.deepEqual(notReady?.details, { missing: ['state'], blockers: [] });
  for (const status of ['bound', 'declined', 'withdrawn', 'expired', 'not_taken'] as const) {
    const ended = t.throws(() => ensureQuotable(status, COMPLETE), { instanceOf: DomainError });
    t.is(ended?.code, 'invalid_state_transition');
  }
  for (const status of ['triaged', 'quoted', 'referred'] as const) t.notThrows(() => ensureQuotable(status, COMPLETE));
});

test('A new e-mail leaves a quote standing, a new revenue or producer does not', (t) => {
  t.is(correctionAction(['insuredEmail', 'insuredPhone', 'description']), 'update_contact');
  t.is(correctionAction([]), 'update_contact');
  t.is(correctionAction(['insuredEmail', 'annualRevenueCents']), 'correct');
  t.is(correctionAction(['producerId']), 'correct');
});
