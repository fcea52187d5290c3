// What prevents a submission from being bound.
import test from 'ava';
import type { DaFlag, FlagCode, FlagSeverity } from '../../../domain/authority/authority.ts';
import { DomainError } from '../../../domain/errors.ts';
import { ensureBindable, quoteReadiness } from '../../../domain/submission/bind.ts';
import type { SubmissionStatus } from '../../../domain/submission/submission.ts';

const flag = (code: FlagCode, severity: FlagSeverity, clearedAt: string | null = null): DaFlag => ({
  ...{ code, severity, message: '', limit: null, actual: null, referralId: null, clearedBy: null, clearedAt },
});

const REFER = flag('DA_LIMIT_EXCEEDED', 'refer');
const CLEARED = flag('DA_LIMIT_EXCEEDED', 'refer', '2026-11-21T10:00:00.000Z');
const BLOCK = flag('DA_CLASS_PROHIBITED', 'block');
const INFO = flag('CLEARANCE_DUPLICATE', 'info');

interface Facts {
  status: SubmissionStatus;
  flags?: DaFlag[];
  hasQuote?: boolean;
  today?: string;
}

const attempt = ({ status, flags = [], hasQuote = true, today = '2026-12-01' }: Facts) =>
  ensureBindable({
    status,
    quote: hasQuote ? { expiresOn: '2026-12-01', daFlags: flags } : null,
    missing: status === 'incomplete' ? ['state'] : [],
    today,
  });

test('A quoted submission binds on the last day of its quote, with information and cleared flags', (t) => {
  t.notThrows(() => attempt({ status: 'quoted', flags: [INFO, CLEARED] }));
});

const REFUSALS: [what: string, facts: Facts, code: string][] = [
  ['after the last day of its quote', { status: 'quoted', today: '2026-12-02' }, 'quote_expired'],
  ['that expired with its quote', { status: 'expired', today: '2026-12-02' }, 'quote_expired'],
  ['that expired without a quote', { status: 'expired', hasQuote: false }, 'invalid_state_transition'],
  ['that is bound', { status: 'bound' }, 'invalid_state_transition'],
  ['that is bound, long after', { status: 'bound', today: '2027-12-02' }, 'invalid_state_transition'],
  ['that is declined', { status: 'declined' }, 'invalid_state_transition'],
  ['that is withdrawn', { status: 'withdrawn' }, 'invalid_state_transition'],
  ['that is not quoted', { status: 'triaged', hasQuote: false }, 'not_ready'],
  ['that was corrected after its quote', { status: 'triaged' }, 'not_ready'],
  ['that is incomplete', { status: 'incomplete', hasQuote: false }, 'not_ready'],
  ['that is referred', { status: 'referred', flags: [REFER] }, 'delegated_authority_exceeded'],
  ['with a block flag', { status: 'quoted', flags: [BLOCK] }, 'delegated_authority_exceeded'],
  ['with an uncleared refer flag', { status: 'quoted', flags: [REFER] }, 'delegated_authority_exceeded'],
];

for (const [what, facts, code] of REFUSALS) {
  test(`A submission ${what} is refused with ${code}`, (t) => {
    const error = t.throws(() => attempt(facts), { instanceOf: DomainError });
    t.is(error?.code, code as typeof error.code);
  });
}

test('The refusals list the missing fields and the open flags', (t) => {
  const incomplete = t.throws(() => attempt({ status: 'incomplete', hasQuote: false }), { instanceOf: DomainError });
  t.deepEqual(incomplete?.details, { missing: ['state'], blockers: ['NO_QUOTE'] });
  const referred = t.throws(() => attempt({ status: 'referred', flags: [REFER] }), { instanceOf: DomainError });
  t.deepEqual(referred?.details, { daFlags: [REFER] });
  const late = t.throws(() => attempt({ status: 'quoted', today: '2026-12-02' }), { instanceOf: DomainError });
  t.deepEqual(late?.details, { expiresOn: '2026-12-01' });
});

test('A submission is ready when nothing is missing and no block or refer flag is open', (t) => {
  t.deepEqual(quoteReadiness({ status: 'triaged', missing: [], flags: [INFO, CLEARED] }), {
    ready: true,
    missing: [],
    blockers: [],
  });
  t.deepEqual(quoteReadiness({ status: 'quoted', missing: [], flags: [BLOCK, REFER, REFER] }), {
    ready: false,
    missing: [],
    blockers: ['DA_CLASS_PROHIBITED', 'DA_LIMIT_EXCEEDED'],
  });
  t.deepEqual(quoteReadiness({ status: 'incomplete', missing: ['state'], flags: [] }), {
    ready: false,
    missing: ['state'],
    blockers: [],
  });
  t.deepEqual(quoteReadiness({ status: 'withdrawn', missing: [], flags: [] }).blockers, ['SUBMISSION_WITHDRAWN']);
});
