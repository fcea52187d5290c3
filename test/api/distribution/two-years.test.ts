// Two years of licenses and appointments on the test clock, month by month, compared with their dates.
import test from 'ava';
import { addDays } from '../../../domain/dates.ts';
import { dieOf } from '../../support/fixed/chance.ts';
import { bodyOf, EFFECTIVE_DATE, type House, newHouse, quoted } from '../../support/house.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';
import { AGENCY, codesOf, verify } from './producer-calls.ts';

const MONTHS = 24;
const DAYS_OF_A_MONTH = 31;
const QUOTED_EVERY = 6;
/** Days before a license expires. */
const ANNOUNCED_DAYS = [30, 7, 1];
const die = dieOf('two years');
const between = (least: number, most: number) => least + die(most - least + 1);

let platform: Platform;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
});

interface Term {
  state: string;
  status: string;
  expirationDate: string | null;
}

/** One of each kind. */
function appointments(inDays: (days: number) => string): Term[] {
  return [
    { state: 'TX', status: 'active', expirationDate: inDays(between(70, 720)) },
    { state: 'CA', status: 'active', expirationDate: inDays(between(70, 720)) },
    { state: 'NY', status: 'suspended', expirationDate: inDays(between(70, 720)) },
    { state: 'FL', status: 'pending', expirationDate: inDays(between(70, 720)) },
    { state: 'OH', status: 'active', expirationDate: null },
  ];
}

/** The last day to renew an appointment is the day before it expires. */
function renewalsOf(appointed: Term[]): string[] {
  return appointed
    .filter(({ status, expirationDate }) => status !== 'pending' && expirationDate !== null)
    .map(({ expirationDate }) => `appointment_renewal ${addDays(expirationDate ?? '', -1)}`);
}

/** Records an active producer. Its appointments are for surplus lines: no notice is filed for them. */
async function record(house: House, start: string, licenses: object[], appointed: Term[]): Promise<string> {
  const officer = house.as('compliance_officer');
  const { id } = bodyOf(await officer.post('/v1/producers', { ...AGENCY, licenses }), 201);
  await verify(platform, house, id);
  const path = `/v1/producers/${id}`;
  bodyOf(await officer.patch(path, { status: 'active' }));
  for (const { state, status, expirationDate } of appointed) {
    const terms = { state, lineOfBusiness: 'GL', carrier: 'Default Carrier', surplusLines: true };
    const dates = { effectiveDate: start, ...(expirationDate === null ? {} : { expirationDate }) };
    const first = { ...terms, ...dates, status: status === 'pending' ? 'pending' : 'active' };
    const made = bodyOf(await officer.post(`${path}/appointments`, first), 201);
    if (status === 'suspended') bodyOf(await officer.patch(`${path}/appointments/${made.id}`, { status }));
  }
  return id;
}

test('through two years each license and appointment ends on its day, is announced on its days, and counts until then', async (t) => {
  const house = await newHouse(platform);
  const [admin, officer, underwriter] = [
    house.as('org_admin'),
    house.as('compliance_officer'),
    house.as('underwriter'),
  ];
  const { date: start } = bodyOf(await admin.get('/v1/test-clock'));
  const inDays = (days: number) => addDays(start, days);
  const licenseOf = (state: string, days: number) => ({
    ...{ state, number: `${state}-1`, lines: ['GL'], status: 'active', expirationDate: inDays(days) },
  });
  const renewed = licenseOf('NV', 400);
  const licenses = [
    ...['TX', 'CA', 'NY', 'FL'].map((state) => licenseOf(state, between(70, 700))),
    // Valid beyond the two years.
    licenseOf('OH', 1_000),
  ];
  const appointed = appointments(inDays);
  const producerId = await record(house, start, [...licenses, renewed], appointed);
  const path = `/v1/producers/${producerId}`;
  const dates = JSON.stringify({ start, licenses, appointed });
  const isOver = ({ status, expirationDate }: Term, today: string) =>
    status !== 'pending' && expirationDate !== null && expirationDate <= today;
  const statuses = (terms: Term[]) => Object.fromEntries(terms.map(({ state, status }) => [state, status]));
  const texas = appointed[0];
  for (let month = 1; month <= MONTHS; month += 1) {
    const today = inDays(month * DAYS_OF_A_MONTH);
    bodyOf(await admin.post('/v1/test-clock', { advanceTo: today }));
    const shown = statuses(bodyOf(await officer.get(path)).licenses);
    // A license's expiration date is its last day.
    const expired = licenses.filter(({ expirationDate }) => expirationDate < today).map(({ state }) => state);
    t.deepEqual(
      Object.keys(shown).filter((state) => shown[state] === 'expired'),
      expired,
      `${today} ${dates}`,
    );
    const { data } = bodyOf(await officer.get(`${path}/appointments`, { query: { limit: 100 } }));
    const ended = appointed.map((term) => ({ ...term, ...(isOver(term, today) ? { status: 'expired' } : {}) }));
    t.deepEqual(statuses(data), statuses(ended), `${today} ${dates}`);
    if (month === 10)
      bodyOf(await officer.patch(path, { licenses: [...licenses, { ...renewed, expirationDate: inDays(1_000) }] }));
    if (month % QUOTED_EVERY !== 0) continue;
    const effectiveDate = addDays(EFFECTIVE_DATE, month * DAYS_OF_A_MONTH);
    const { daFlags } = await quoted(underwriter, { producerId, effectiveDate });
    const sells = (licenses[0]?.expirationDate ?? '') >= effectiveDate && (texas?.expirationDate ?? '') > effectiveDate;
    t.is(codesOf(daFlags).includes('DA_PRODUCER_NOT_APPOINTED'), !sells, `${effectiveDate} ${dates}`);
  }
  const last = inDays(MONTHS * DAYS_OF_A_MONTH);
  const said = async (type: string) =>
    bodyOf(await admin.get('/v1/events', { query: { type, limit: 100 } })).data.map(
      ({ data: { kind, dueDate, daysLeft } }: { data: Record<string, unknown> }) => `${kind} ${dueDate} ${daysLeft}`,
    );
  const expired = licenses.filter(({ expirationDate }) => expirationDate <= last);
  const ofLicenses = expired.map(({ expirationDate }) => `licence_renewal ${expirationDate}`);
  const announced = [...ofLicenses, ...renewalsOf(appointed)].flatMap((due) =>
    ANNOUNCED_DAYS.map((left) => `${due} ${left}`),
  );
  t.deepEqual((await said('compliance.deadline_approaching')).sort(), announced.sort(), dates);
  // An expired appointment cannot be renewed.
  const missed = ofLicenses.map((due) => `${due} -1`);
  t.deepEqual((await said('compliance.deadline_missed')).sort(), missed.sort(), dates);
});
