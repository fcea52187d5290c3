// What is referred in the trial: quotes, endorsements and renewals that were refused, and submissions and policies
// that a person refers.
import type { Dice } from '../chaos/dice.ts';
import type { PatientClient } from '../chaos/patient-client.ts';
import { risk } from '../support/house.ts';
import type { Matter } from './people.ts';

const LIMITS = [500_000, 1_000_000, 2_000_000, 5_000_000];
/** Above the contract: only an administrator decides, or their deputy. */
const CHANGED_LIMITS = [3_000_000, 5_000_000];
const BOUND_LIMIT = 1_000_000;
/** Three of them raise a flag. */
const LOSSES = { lossesLast5Years: 3 };
const KINDS = [...Array(6).fill('quote'), 'endorsement', 'endorsement', 'submission', 'policy', 'renewal'] as const;

export interface Question extends Matter {
  kind: 'quote' | 'endorsement' | 'submission' | 'policy' | 'renewal';
  referralId: string;
  /** Empty for a renewal. */
  submissionId: string;
  /** For a change or a manually referred policy. */
  policyId: string | null;
}

export interface Asking {
  client: PatientClient;
  requestedBy: string;
  dice: Dice;
  /** Policies to renew; each is used once. */
  expiring: string[];
}

/** How many policies this many questions renew. */
export function renewalsAmong(questions: number): number {
  return Math.ceil(questions / KINDS.length);
}

/** Gets the nth question referred. */
export function askQuestion(n: number, asking: Asking): Promise<Question> {
  const kind = KINDS[n % KINDS.length] as Question['kind'];
  return ASK[kind](asking);
}

const ASK: Readonly<Record<Question['kind'], (asking: Asking) => Promise<Question>>> = {
  quote: askQuote,
  endorsement: askEndorsement,
  submission: askSubmission,
  policy: askPolicy,
  renewal: askRenewal,
};

async function askQuote({ client, requestedBy, dice }: Asking): Promise<Question> {
  const limit = dice.pick(LIMITS);
  const { submissionId, daFlags, grossPremium } = await quoteOf(client, { ...LOSSES, requestedLimit: limit });
  const facts = { requestedBy, submissionId, policyId: null, limit, premium: grossPremium };
  return { kind: 'quote', referralId: referralOf(daFlags), ...facts };
}

async function askEndorsement({ client, requestedBy, dice }: Asking): Promise<Question> {
  const { policyId, submissionId, effectiveDate } = await bind(client);
  const limit = dice.pick(CHANGED_LIMITS);
  const body = { effectiveDate, changes: { requestedLimit: limit } };
  const refused = await refusedChange(client, `/v1/policies/${policyId}/endorse`, body);
  return { kind: 'endorsement', ...refused, requestedBy, submissionId, policyId, limit };
}

async function askRenewal({ client, requestedBy, dice, expiring }: Asking): Promise<Question> {
  const policyId = expiring.pop();
  if (policyId === undefined) throw new Error('No policy is left to renew');
  const limit = dice.pick(CHANGED_LIMITS);
  const body = { changes: { requestedLimit: limit } };
  const refused = await refusedChange(client, `/v1/policies/${policyId}/renew`, body);
  return { kind: 'renewal', ...refused, requestedBy, submissionId: '', policyId, limit };
}

async function refusedChange(client: PatientClient, path: string, body: object) {
  const { details } = await client.command(path, body, 422);
  const referralId = referralOf(details.daFlags);
  const { figures } = await client.read(`/v1/referrals/${referralId}`);
  return { referralId, premium: figures.premium };
}

async function askSubmission({ client, requestedBy, dice }: Asking): Promise<Question> {
  const limit = dice.pick(LIMITS.slice(0, -1));
  const { id: submissionId } = await client.command('/v1/submissions', risk({ requestedLimit: limit }));
  const body = { submissionId, reason: 'An old kitchen.' };
  const { id: referralId, figures } = await client.command('/v1/referrals', body);
  const { premium } = figures;
  return { kind: 'submission', referralId, requestedBy, submissionId, policyId: null, limit, premium };
}

async function askPolicy({ client, requestedBy }: Asking): Promise<Question> {
  const { policyId, submissionId, grossPremium: premium } = await bind(client);
  const { id: referralId } = await client.command('/v1/referrals', { policyId, reason: 'May it be rewritten?' });
  return { kind: 'policy', referralId, requestedBy, submissionId, policyId, limit: BOUND_LIMIT, premium };
}

async function quoteOf(client: PatientClient, changes: object) {
  const { id } = await client.command('/v1/submissions', risk({ ...changes }));
  return client.command(`/v1/submissions/${id}/quote`, {});
}

/** Binds a policy with a limit that the contract allows. */
export async function bind(client: PatientClient) {
  const { submissionId } = await quoteOf(client, { requestedLimit: BOUND_LIMIT });
  return client.command(`/v1/submissions/${submissionId}/bind`, { installmentPlan: 'PAY_IN_FULL' });
}

function referralOf(flags: { referralId: string | null }[]): string {
  const [id] = flags.flatMap(({ referralId }) => referralId ?? []);
  if (id === undefined) throw new Error('Nothing was referred');
  return id;
}
