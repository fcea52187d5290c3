// The life of a policy: submitted, quoted, bound, paid, changed, and a claim. Run it against a local platform:
// node clients/typescript/example/life.ts <address> <machine secret> <organization>
import { BinderyClient, BinderyError } from '../src/index.ts';

const [baseUrl = 'http://localhost:8787', token = '', organizationId = ''] = process.argv.slice(2);
const bindery = new BinderyClient({ baseUrl, credential: { token }, organizationId });

const today = new Date().toISOString().slice(0, 10);

const submission = await bindery.call('createSubmission', {
  body: {
    ...{ insuredName: 'Harbor Diner', naicsCode: '722511', state: 'TX', lineOfBusiness: 'GL', effectiveDate: today },
    ...{ annualRevenue: 1_000_000, requestedLimit: 1_000_000, lossesLast5Years: 1 },
  },
});
const quote = await bindery.call('quoteSubmission', { path: { id: submission.id } });
const bound = await bindery.call('bindSubmission', {
  path: { id: submission.id },
  body: { installmentPlan: 'QUARTERLY_4' },
});

let paid = 0;
for await (const invoice of bindery.list('listInvoices', { query: { policyId: bound.policyId, limit: 1 } })) {
  const body = { amount: invoice.balance, method: 'check', reference: `Check for ${invoice.invoiceNumber}` } as const;
  paid += (await bindery.call('payInvoice', { path: { id: invoice.id }, body })).amount;
}

const change = {
  path: { id: bound.policyId },
  body: { effectiveDate: today, changes: { annualRevenue: 1_300_000 }, reason: 'A second kitchen.' },
};
const preview = await bindery.preview('endorsePolicy', change);
const endorsement = await bindery.call('endorsePolicy', change);

const filed = await bindery.call('createClaim', {
  body: { policyId: bound.policyId, lossDate: today, description: 'A guest fell.', claimant: { name: 'Ada Guest' } },
});
await bindery.call('investigateClaim', { path: { id: filed.id } });
const claim = await bindery.call('reserveClaim', {
  path: { id: filed.id },
  body: { indemnity: 5_000, expense: 500, reason: 'First estimate.' },
});

let refusal: string | undefined;
try {
  await bindery.call('payInvoice', {
    path: { id: bound.invoices[0]?.id ?? '' },
    body: { amount: 1, method: 'check', reference: 'Once more' },
  });
} catch (error) {
  if (!BinderyError.is(error, 'amount_exceeds_balance')) throw error;
  refusal = `balance ${error.details.balance}`;
}

const result = { quoted: quote.totalDue, paid, previewed: preview.totalChange, endorsed: endorsement.totalChange };
process.stdout.write(`${JSON.stringify({ ...result, reserved: claim.reserves.total, refusal })}\n`);
