// Every monthly bordereau of a book against the sum of its rows, and all of them together against the ledger.
import { lastDayOf, monthAfter, monthOf } from '../../domain/dates.ts';
import { inTurns } from '../chaos/turns.ts';
import type { TestClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { bodyOf } from '../support/house.ts';
import { bordereauxOf } from './expected.ts';
import type { KnownRows } from './known-rows.ts';
import type { LivedBook } from './lived-book.ts';

const CARRIER = 'Default Carrier';
const AT_A_TIME = 4;

/** Columns of settled amounts, and the trust ledger accounts that hold them until anything is paid out. */
const SETTLED: Readonly<Record<string, readonly number[]>> = {
  settledNetToCarrier: [2010],
  settledCommission: [2020, 2030],
  settledSurplusLinesTax: [2040],
  settledStampingFee: [2050],
  settledFees: [2090],
};

type Judge = (what: string, answer: object, must: object) => void;
type Totals = Record<string, number>;

/** Reports each month as it is now, as a new version. */
export async function compareBordereaux(
  client: TestClient,
  rows: KnownRows,
  { begun, today }: LivedBook,
  judge: Judge,
): Promise<void> {
  const months: string[] = [];
  for (let month = monthOf(begun); month <= monthOf(today); month = monthAfter(month)) months.push(month);
  const settled: Totals = {};
  const reported = await inTurns(AT_A_TIME, months, async (month) => ({
    month,
    premium: await totalsOf(client, month, 'premium'),
    risk: await totalsOf(client, month, 'risk'),
    claims: await totalsOf(client, month, 'claims'),
  }));
  for (const { month, premium, risk, claims } of reported) {
    const must = bordereauxOf(rows, { from: `${month}-01`, to: lastDayOf(month) });
    judge(`premium bordereau of ${month}`, premium, must.written);
    judge(`risk bordereau of ${month}`, risk, must.written);
    judge(`claims bordereau of ${month}`, { ...claims, paid: paidOf(claims) }, must.lost);
    for (const name of Object.keys(SETTLED)) settled[name] = cents((settled[name] ?? 0) + (premium[name] ?? 0));
  }
  judge('all premium bordereaux', settled, await balancesOf(client));
}

async function totalsOf(client: TestClient, month: string, kind: string): Promise<Totals> {
  const { id } = bodyOf(await client.post('/v1/bordereaux', { carrier: CARRIER, month, kind }), 202);
  const completed = async () => {
    const bordereau = bodyOf(await client.get(`/v1/bordereaux/${id}`));
    return bordereau.status === 'completed' && bordereau;
  };
  return (await eventually(completed, { what: `the ${kind} bordereau of ${month}` })).totals;
}

const cents = (dollars: number) => Math.round(dollars * 100) / 100;

const paidOf = ({ paidThisMonth = 0, recoveredThisMonth = 0 }: Totals) => cents(paidThisMonth - recoveredThisMonth);

async function balancesOf(client: TestClient): Promise<Totals> {
  const accounts: { account: number; balance: number }[] = bodyOf(await client.get('/v1/ledger/accounts')).data;
  const sumOf = (numbers: readonly number[]) =>
    cents(accounts.reduce((sum, { account, balance }) => (numbers.includes(account) ? sum + balance : sum), 0));
  return Object.fromEntries(Object.entries(SETTLED).map(([name, numbers]) => [name, sumOf(numbers)]));
}
