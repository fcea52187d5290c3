import test from 'ava';
import {
  APPOINTMENT_STATUSES,
  appointmentExpiry,
  appointmentFilingDue,
  changedAppointmentStatus,
  ensureInOrder,
  isOver,
} from '../../../domain/distribution/appointment.ts';
import { refusal } from './refusal.ts';

/** Each status → those that may follow. An appointment that has ended cannot change at all. */
const MOVES = {
  pending: ['active', 'rejected', 'terminated'],
  active: ['suspended', 'terminated', 'expired'],
  suspended: ['active', 'terminated', 'expired'],
  terminated: [],
  expired: [],
  rejected: [],
} as const;

for (const from of APPOINTMENT_STATUSES) {
  test(`an appointment that is ${from} moves to ${MOVES[from].join(', ') || 'nothing'}, and the refusal names these`, (t) => {
    t.is(isOver(from), MOVES[from].length === 0);
    for (const to of APPOINTMENT_STATUSES.filter((each) => each !== from)) {
      const move = () => changedAppointmentStatus(from, to);
      if ((MOVES[from] as readonly string[]).includes(to)) t.is(move(), to);
      else t.deepEqual(refusal(move).details, { resource: 'appointment', from, action: to, allowed: [...MOVES[from]] });
    }
    if (isOver(from)) t.is(refusal(() => changedAppointmentStatus(from)).details.action, 'update');
    else t.is(changedAppointmentStatus(from), from);
  });
}

test('only an appointment in use ends by the calendar', (t) => {
  const expirationDate = '2027-01-01';
  t.is(appointmentExpiry({ status: 'active', expirationDate }), expirationDate);
  t.is(appointmentExpiry({ status: 'suspended', expirationDate }), expirationDate);
  t.is(appointmentExpiry({ status: 'pending', expirationDate }), null);
  t.is(appointmentExpiry({ status: 'active', expirationDate: null }), null);
});

test('an appointment expires after its effective date', (t) => {
  t.notThrows(() => ensureInOrder('2026-01-01', '2026-01-02'));
  t.notThrows(() => ensureInOrder(null, '2026-01-02'));
  t.deepEqual(refusal(() => ensureInOrder('2026-01-01', '2026-01-01')).details, {
    field: 'expirationDate',
    rule: 'min',
  });
});

test('the notice of appointment is filed within 15 days of the contract, else of the application', (t) => {
  const facts = { surplusLines: false, effectiveDate: '2026-02-20', today: '2026-01-05', environmentIsSandbox: false };
  t.is(appointmentFilingDue(facts), '2026-03-07');
  t.is(appointmentFilingDue({ ...facts, effectiveDate: null }), '2026-01-20');
  t.is(appointmentFilingDue({ ...facts, surplusLines: true }), null);
  t.is(appointmentFilingDue({ ...facts, environmentIsSandbox: true }), null);
});
