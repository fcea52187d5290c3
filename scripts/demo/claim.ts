// The claim: a guest falls in an insured restaurant. It is filed, investigated, reserved, settled, paid and closed.
import { setTimeout as delay } from 'node:timers/promises';
import type { DemoClient, Json } from './client.ts';
import { money, type Printer, printer, text } from './printer.ts';

const [PAYMENT_ATTEMPTS, PAYMENT_PAUSE_MS] = [100, 200];

export interface ClaimTour {
  /** A client that uses the machine secret to act in an organization, or without one on the platform. */
  clientFor: (orgId?: string) => DemoClient;
  write: (line: string) => void;
}

/** Insures a restaurant from today and follows one claim from its first notice to its closing. */
export async function claimTour({ clientFor, write }: ClaimTour): Promise<void> {
  const show = printer(write);
  const organization = await clientFor().post('/organizations', { name: `A claim ${new Date().toISOString()}` });
  const api = clientFor(text(organization.id));
  const { date: today } = (await api.get('/test-clock')) as { date: string };
  const policy = await insure(api, today);

  show.title('A guest falls: the first notice of loss', 'POST /v1/claims');
  const filed = await api.post('/claims', {
    ...{ policyNumber: policy.policyNumber, lossDate: today, cause: 'Slip and fall', containsPhi: true },
    ...{ description: 'A guest fell on the wet floor and broke an arm.', claimant: { name: 'Ada Guest' } },
  });
  showClaim(show, filed);
  show.fact('acknowledge by', filed.acknowledgeBy);
  show.fact('decide by', filed.decisionBy);
  const path = `/claims/${filed.id}`;

  show.title('An adjuster investigates', `POST /v1${path}/investigate`);
  showClaim(
    show,
    await api.post(`${path}/investigate`, { adjusterId: 'usr_demo_adjuster', notes: 'The floor was wet.' }),
  );
  show.title('What it may cost', `POST /v1${path}/reserves`);
  const reserves = { indemnity: 12_000, expense: 1500, reason: 'An arm, and a lawyer.' };
  showClaim(show, await api.post(`${path}/reserves`, reserves));
  show.title('The carrier pays into its loss fund', 'POST /v1/loss-funds/deposits');
  const fund = { carrier: 'Default Carrier', amount: 20_000, reference: 'Wire 1' };
  show.fact('in the fund', money((await api.post('/loss-funds/deposits', fund)).balance));
  show.title('It is settled, less the deductible', `POST /v1${path}/settle`);
  const settled = await api.post(`${path}/settle`, { amount: 9000, payee: 'Ada Guest' });
  showClaim(show, settled);
  show.fact('payable', money((settled.settlement as Json).payable));
  show.title("And paid from the carrier's loss fund", `GET /v1${path}/payments`);
  const payment = await paidBy(api, `${path}/payments`);
  show.fact(money(payment.amount), `${payment.status}, to ${payment.payee}`);
  show.title('And closed', `POST /v1${path}/close`);
  showClaim(show, await api.post(`${path}/close`, { outcome: 'paid' }));

  show.title('Who did what', `GET /v1${path}/timeline`);
  for (const entry of (await api.get(`${path}/timeline`)).data as Json[]) {
    show.fact(text(entry.action), `${entry.date}  ${(entry.actor as Json).id}  ${entry.note ?? ''}`);
  }
}

/** The money leaves the loss fund shortly after the decision. */
async function paidBy(api: DemoClient, path: string): Promise<Json> {
  for (let attempt = 1; ; attempt += 1) {
    const [payment = {}] = (await api.get(path)).data as Json[];
    if (payment.status === 'paid' || attempt === PAYMENT_ATTEMPTS) return payment;
    await delay(PAYMENT_PAUSE_MS);
  }
}

async function insure(api: DemoClient, effectiveDate: string): Promise<Json> {
  const submission = await api.post('/submissions', {
    ...{ insuredName: 'Slippery Diner', naicsCode: '722511', state: 'TX', lineOfBusiness: 'GL', effectiveDate },
    ...{ annualRevenue: 1_000_000, requestedLimit: 1_000_000, deductible: 1000, lossesLast5Years: 0 },
  });
  await api.post(`/submissions/${submission.id}/quote`);
  return api.post(`/submissions/${submission.id}/bind`, { installmentPlan: 'PAY_IN_FULL' });
}

function showClaim(show: Printer, claim: Json): void {
  const { reserves, paid } = claim as Record<'reserves' | 'paid', Json>;
  show.fact(text(claim.claimNumber), claim.status);
  show.fact('reserved', money(reserves.total));
  show.fact('paid', money(paid.total));
  show.fact('incurred', money(claim.incurred));
}
