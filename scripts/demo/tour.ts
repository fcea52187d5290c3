// The tour itself: its calls, and the parts of the answers worth showing.
import type { DemoClient, Json } from './client.ts';
import { money, type Printer, printer, text } from './printer.ts';

const DAY_MS = 86_400_000;
const STARTS_IN_DAYS = 14;

export interface Tour {
  api: DemoClient;
  /** The organization's business date. */
  today: string;
  /** Null if Temporal's web interface is not ours. */
  temporalUiUrl: string | null;
  temporalNamespace: string;
  write: (line: string) => void;
}

/** Submits, quotes and binds, then shows the policy, its invoices, its timeline and the events. */
export async function tour({ api, today, write, ...place }: Tour): Promise<void> {
  const show = printer(write);
  const submission = await submit(api, show, today);
  const quote = await quoteIt(api, show, submission);
  const bound = await bind(api, show, submission);
  await showPolicy(api, show, bound);
  await showInvoices(api, show, bound);
  await showTimeline(api, show, bound);
  await showEvents(api, show, bound);
  write('');
  if (place.temporalUiUrl) {
    const workflow = encodeURIComponent(`submission/${submission.orgId}/${submission.id}`);
    write(
      `The whole story as a workflow: ${place.temporalUiUrl}/namespaces/${place.temporalNamespace}/workflows/${workflow}`,
    );
  }
  write(`${text(bound.policyNumber)} is bound for ${money(quote.totalDue)}.`);
}

async function submit(api: DemoClient, show: Printer, today: string): Promise<Json> {
  show.title('A broker submits a restaurant in Texas', 'POST /v1/submissions');
  const submission = await api.post('/submissions', {
    insuredName: `Lone Star Diner ${new Date().toISOString().slice(0, 19)}`,
    naicsCode: '722511',
    annualRevenue: 1_000_000,
    requestedLimit: 1_000_000,
    effectiveDate: new Date(Date.parse(today) + STARTS_IN_DAYS * DAY_MS).toISOString().slice(0, 10),
    state: 'TX',
    lineOfBusiness: 'GL',
    lossesLast5Years: 1,
  });
  const triage = submission.triage as Json;
  show.fact('submission', submission.id);
  show.fact('status', submission.status);
  show.fact('triage', `${triage.score} of 100, ${triage.band}`);
  return submission;
}

async function quoteIt(api: DemoClient, show: Printer, submission: Json): Promise<Json> {
  show.title('It is rated and quoted', `POST /v1/submissions/${submission.id}/quote`);
  const quote = await api.post(`/submissions/${submission.id}/quote`);
  for (const step of quote.ratingWorksheet as Json[]) {
    show.fact(`  ${step.step}`, `× ${step.factor}`.padEnd(14) + money(step.amount));
  }
  show.fact('premium', money(quote.grossPremium));
  for (const fee of quote.fees as Json[]) show.fact(text(fee.code), money(fee.amount));
  for (const tax of quote.taxes as Json[]) show.fact(`${tax.code} at ${tax.rate}`, money(tax.amount));
  show.fact('total due', money(quote.totalDue));
  show.fact('bindable', quote.bindable);
  return quote;
}

async function bind(api: DemoClient, show: Printer, submission: Json): Promise<Json> {
  show.title('The broker binds it, payable in ten installments', `POST /v1/submissions/${submission.id}/bind`);
  const bound = await api.post(`/submissions/${submission.id}/bind`, { installmentPlan: 'MONTHLY_10' });
  show.fact('policy number', bound.policyNumber);
  show.fact('term', `${bound.effectiveDate} to ${bound.expirationDate}`);
  return bound;
}

async function showPolicy(api: DemoClient, show: Printer, bound: Json): Promise<void> {
  show.title('The policy', `GET /v1/policies/${bound.policyId}`);
  const policy = await api.get(`/policies/${bound.policyId}`);
  show.fact('status', policy.status);
  show.fact('insured', policy.insuredName);
  show.fact('limit', `${money(policy.limit)} each, ${money(policy.aggregateLimit)} in all`);
}

async function showInvoices(api: DemoClient, show: Printer, bound: Json): Promise<void> {
  const path = `/invoices?policyId=${bound.policyId}&limit=12`;
  show.title('Its invoices', `GET /v1${path}`);
  const invoices = ((await api.get(path)).data as Json[]).toSorted(
    (a, b) => Number(a.installmentNumber) - Number(b.installmentNumber),
  );
  for (const invoice of invoices) {
    show.fact(
      text(invoice.invoiceNumber),
      `due ${invoice.dueDate}  ${money(invoice.total).padStart(10)}  ${invoice.status}`,
    );
  }
}

async function showTimeline(api: DemoClient, show: Printer, bound: Json): Promise<void> {
  show.title('Its timeline', `GET /v1/policies/${bound.policyId}/timeline`);
  for (const entry of (await api.get(`/policies/${bound.policyId}/timeline`)).data as Json[]) {
    show.fact(text(entry.type), `${entry.effectiveDate}  premium ${money(entry.premiumChange)}`);
  }
}

async function showEvents(api: DemoClient, show: Printer, bound: Json): Promise<void> {
  show.title('The events that integrations receive', 'GET /v1/events?limit=100');
  for (const event of (await api.get('/events?limit=100')).data as Json[]) {
    if (!JSON.stringify(event.data).includes(String(bound.policyId))) continue;
    show.fact(text(event.type), event.timestamp);
  }
}
