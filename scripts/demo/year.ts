// The year: a separate company with six insureds, whose business date is moved forward a year. Some pay, one forgets,
// one leaves.
import type { DemoClient, Json } from './client.ts';
import { money, type Printer, printer, text } from './printer.ts';

const DAY_MS = 86_400_000;
const STARTS_IN_DAYS = 5;
/** A year, plus some days for the next terms to begin. */
const DAYS = 375;

export interface Year {
  /** A client that uses the machine secret to act in an organization, or without one on the platform. */
  clientFor: (orgId?: string) => DemoClient;
  write: (line: string) => void;
}

/** What an insured does: on given days after the term starts, and with their installments. */
interface Habit {
  name: string;
  plan: string;
  /** How many days after its due date an installment is paid; null leaves it unpaid. */
  pays: (installment: number) => number | null;
  deeds?: { onDay: number; what: string; path: string; body: (today: string) => Json }[];
}

const onTime = () => 0;

const INSUREDS: Habit[] = [
  { name: 'Punctual Diner', plan: 'QUARTERLY_4', pays: onTime },
  // Notice of cancellation goes out on the eleventh day; ten days later it would take effect.
  { name: 'Repentant Diner', plan: 'SEMI_ANNUAL_2', pays: (installment) => (installment === 2 ? 15 : 0) },
  { name: 'Forgetful Diner', plan: 'QUARTERLY_4', pays: (installment) => (installment > 2 ? null : 0) },
  {
    name: 'Growing Diner',
    plan: 'PAY_IN_FULL',
    pays: onTime,
    deeds: [
      {
        onDay: 100,
        what: 'reports more revenue',
        path: 'endorse',
        body: (effectiveDate) => ({
          effectiveDate,
          changes: { annualRevenue: 1_300_000 },
          reason: 'A second kitchen.',
        }),
      },
    ],
  },
  {
    name: 'Leaving Diner',
    plan: 'PAY_IN_FULL',
    pays: onTime,
    deeds: [
      {
        onDay: 146,
        what: 'requests cancellation',
        path: 'cancel',
        body: (effectiveDate) => ({ effectiveDate, reason: 'insured_request' }),
      },
    ],
  },
  {
    name: 'Unwanted Diner',
    plan: 'PAY_IN_FULL',
    pays: onTime,
    deeds: [
      {
        onDay: 200,
        what: 'gets notice that there will be no next term',
        path: 'non-renew',
        body: () => ({ reason: 'Losses.' }),
      },
    ],
  },
];

interface Insured {
  habit: Habit;
  policyId: string;
  policyNumber: string;
  starts: string;
  status: string;
}

/** Binds the six policies, plays through the year, and shows how each ended. */
export async function year({ clientFor, write }: Year): Promise<void> {
  const show = printer(write);
  show.title('A company of its own, whose policies are renewed by themselves', 'POST /v1/organizations');
  const organization = await clientFor().post('/organizations', { name: `A year ${new Date().toISOString()}` });
  const api = clientFor(text(organization.id));
  await api.put('/flags/auto_renewal', { value: true });
  const { date: begin } = (await api.get('/test-clock')) as { date: string };
  show.fact('organization', organization.id);
  show.fact('business date', begin);

  show.title('Six restaurants are insured', 'POST /v1/submissions, …/quote, …/bind');
  const insureds: Insured[] = [];
  for (const habit of INSUREDS) insureds.push(await insure(api, show, habit, dayAfter(begin, STARTS_IN_DAYS)));

  show.title('A year passes', 'POST /v1/test-clock');
  const end = dayAfter(begin, DAYS);
  for (let date = begin; date < end; ) {
    date = [...(await datesToCome(api, insureds, date)), end].sort()[0] ?? end;
    await api.post('/test-clock', { advanceTo: date });
    await showChanges(api, show, insureds, date);
    for (const insured of insureds) await act(api, show, insured, date);
    await showChanges(api, show, insureds, date);
  }
  await showEnd(api, show, insureds);
}

async function insure(api: DemoClient, show: Printer, habit: Habit, effectiveDate: string): Promise<Insured> {
  const submission = await api.post('/submissions', {
    ...{ insuredName: habit.name, naicsCode: '722511', state: 'TX', lineOfBusiness: 'GL', effectiveDate },
    ...{ annualRevenue: 1_000_000, requestedLimit: 1_000_000, lossesLast5Years: 1 },
    insuredEmail: `${habit.name.toLowerCase().replace(' ', '.')}@example.com`,
  });
  await api.post(`/submissions/${submission.id}/quote`);
  const bound = await api.post(`/submissions/${submission.id}/bind`, { installmentPlan: habit.plan });
  show.fact(habit.name, `${bound.policyNumber}  ${money(bound.grossPremium)}  ${habit.plan}`);
  const { policyId, policyNumber } = bound as Record<string, string>;
  return {
    habit,
    policyId: text(policyId),
    policyNumber: text(policyNumber),
    starts: effectiveDate,
    status: text(bound.status),
  };
}

/** The days on which someone acts; the platform does the rest automatically in between. */
async function datesToCome(api: DemoClient, insureds: Insured[], today: string): Promise<string[]> {
  const dates = new Set<string>();
  for (const { habit, policyId, starts } of insureds) {
    for (const { onDay } of habit.deeds ?? []) dates.add(dayAfter(starts, onDay));
    for (const { dueDate, installmentNumber } of await invoicesOf(api, policyId)) {
      const pays = habit.pays(Number(installmentNumber));
      dates.add(dayAfter(text(dueDate), pays ?? 0));
      // Lets the diary show what happens to those who do not pay on time.
      if (pays !== 0) for (const days of [1, 11, 21]) dates.add(dayAfter(text(dueDate), days));
    }
  }
  return [...dates].filter((date) => date > today);
}

async function act(api: DemoClient, show: Printer, { habit, policyId, starts }: Insured, today: string): Promise<void> {
  for (const { onDay, what, path, body } of habit.deeds ?? []) {
    if (today !== dayAfter(starts, onDay)) continue;
    const { totalChange } = await api.post(`/policies/${policyId}/${path}`, body(today));
    show.fact(today, `${habit.name} ${what}${totalChange === undefined ? '' : `: ${money(totalChange)}`}`);
  }
  for (const invoice of await invoicesOf(api, policyId)) {
    const pays = habit.pays(Number(invoice.installmentNumber));
    const isDue = pays !== null && dayAfter(text(invoice.dueDate), pays) <= today;
    if (!isDue || Number(invoice.balance) <= 0) continue;
    const check = { amount: invoice.balance, method: 'check', reference: `Check for ${invoice.invoiceNumber}` };
    await api.post(`/invoices/${invoice.id}/pay`, check);
    show.fact(today, `${habit.name} pays ${money(invoice.balance)}`);
  }
}

async function showChanges(api: DemoClient, show: Printer, insureds: Insured[], today: string): Promise<void> {
  for (const insured of insureds) {
    const { status } = await api.get(`/policies/${insured.policyId}`);
    if (status === insured.status) continue;
    show.fact(today, `${insured.habit.name}: ${insured.status} → ${status}`);
    insured.status = text(status);
  }
}

async function showEnd(api: DemoClient, show: Printer, insureds: Insured[]): Promise<void> {
  show.title('Where they stand', 'GET /v1/policies/:id');
  for (const { habit, policyId } of insureds) {
    const policy = await api.get(`/policies/${policyId}`);
    const next = policy.renewalPolicyId ? await api.get(`/policies/${policy.renewalPolicyId}`) : null;
    const then = next ? `, then ${next.policyNumber} ${next.status}` : '';
    show.fact(habit.name, `${policy.policyNumber}  ${policy.status}  ${money(policy.grossPremium)} written${then}`);
  }
  show.title('The money held for others', 'GET /v1/ledger/accounts');
  const accounts = ((await api.get('/ledger/accounts')).data as Json[]).filter(({ fiduciary }) => fiduciary);
  for (const { account, name, balance } of accounts) {
    if (Number(balance) !== 0) show.fact(`${account} ${name}`, money(balance));
  }
}

async function invoicesOf(api: DemoClient, policyId: string): Promise<Json[]> {
  return (await api.get(`/invoices?policyId=${policyId}&limit=50`)).data as Json[];
}

function dayAfter(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
}
