// Quoted submissions ready to bind, and policies bound from them.
import { type Clones, cloneId, cloneIdOf, cloneRow } from './clone-rows.ts';
import { measure } from './measure.ts';
import { call, type Organization, type Setting } from './setting.ts';

const EFFECTIVE_IN_DAYS = 20;
const DAY_MS = 86_400_000;
const PREPARED_AT_A_TIME = 8;

const BIND_BODY = { installmentPlan: 'MONTHLY_10' };

export interface Quoted {
  submissionId: string;
  quoteId: string;
}

/** Creates and quotes submissions through the platform, so that their workflows are in its worker's cache. */
export async function quotedSubmissions(
  setting: Setting,
  organization: Organization,
  count: number,
): Promise<Quoted[]> {
  const authorization = await organization.authorization();
  const effectiveDate = new Date(Date.now() + EFFECTIVE_IN_DAYS * DAY_MS).toISOString().slice(0, 10);
  const quoted: Quoted[] = [];
  await measure(
    Array.from({ length: count }, (_, i) => i),
    PREPARED_AT_A_TIME,
    async (i) => {
      const submission = await call(setting.http, 'POST', '/v1/submissions', authorization, 201, {
        insuredName: `Measured Restaurant ${i} ${organization.id.slice(-4)}`,
        naicsCode: '722511',
        annualRevenue: 1_000_000,
        requestedLimit: 1_000_000,
        effectiveDate,
        state: 'TX',
        lineOfBusiness: 'GL',
        lossesLast5Years: 1,
      });
      const submissionId = String(submission.id);
      const quote = await call(setting.http, 'POST', `/v1/submissions/${submissionId}/quote`, authorization, 201);
      quoted.push({ submissionId, quoteId: String(quote.id) });
    },
  );
  return quoted;
}

/** Binds through the platform. */
export async function bind(
  setting: Setting,
  authorization: string,
  submissionId: string,
): Promise<{ policyId: string }> {
  const bound = await call(setting.http, 'POST', `/v1/submissions/${submissionId}/bind`, authorization, 201, BIND_BODY);
  return { policyId: String(bound.policyId) };
}

/** Copies a quoted submission with its quote, for a side without our workflows; each side has its own series. */
export async function clonedSubmissions(
  setting: Setting,
  source: Quoted,
  { series, count }: { series: number; count: number },
): Promise<Quoted[]> {
  const ids = { submission: cloneId('sub', series), quote: cloneId('quo', series) };
  // They refer to each other, which the database checks at the end of the transaction.
  await setting.owner.query('begin');
  const clone = (clones: Omit<Clones, 'count'>) => cloneRow(setting.owner, { ...clones, count });
  const { submissionId, quoteId } = source;
  await clone({ table: 'submissions', sourceId: submissionId, columns: { id: ids.submission, quote_id: ids.quote } });
  await clone({ table: 'quotes', sourceId: quoteId, columns: { id: ids.quote, submission_id: ids.submission } });
  await setting.owner.query('commit');
  return Array.from({ length: count }, (_, i) => ({
    submissionId: cloneIdOf('sub', series, i + 1),
    quoteId: cloneIdOf('quo', series, i + 1),
  }));
}
