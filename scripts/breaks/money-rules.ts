// Deliberate breaks of the money rules: one small change each, with the tests that must catch it. A break that no
// test catches shows a rule that nothing enforces.

/** One change in one file. */
export interface Break {
  /** What is wrong with the change made. */
  what: string;
  file: string;
  /** Occurs in the file exactly once. */
  from: string;
  to: string;
  /** The quickest tests that cover the rule. */
  tests: readonly string[];
}

const LEDGER = ['test/domain/billing/ledger.test.ts'];
const REFUND = ['test/domain/billing/refund.test.ts'];
const INVOICE = ['test/domain/billing/invoice.test.ts'];
const PAID_AGAIN = ['test/domain/billing/paid-again.test.ts'];
const COMMISSION = ['test/domain/billing/commission.test.ts'];
const OWED = ['test/domain/billing/owed-money.test.ts'];
const BILLING = ['test/domain/policy/billing-change.test.ts'];
const ON_DATABASE = ['test/activities/billing/owed-money.test.ts'];

export const MONEY_BREAKS: readonly Break[] = [
  {
    what: 'an entry need not balance',
    file: 'domain/billing/ledger/posting.ts',
    from: 'debitCents - creditCents)) !== 0)',
    to: 'debitCents - creditCents)) > 1)',
    tests: LEDGER,
  },
  {
    what: 'an entry may cross from trust to general accounts',
    file: 'domain/billing/ledger/posting.ts',
    from: 'accountOf(account).ledger !== ledger)',
    to: 'accountOf(account).ledger === null)',
    tests: LEDGER,
  },
  {
    what: 'card money lies in the trust account immediately',
    file: 'domain/billing/ledger/entries.ts',
    from: "method === 'card' ? 1110 : 1010",
    to: "method === 'cards' ? 1110 : 1010",
    tests: LEDGER,
  },
  {
    what: 'tax and stamping fee change places',
    file: 'domain/billing/ledger/entries.ts',
    from: '[2040, split.taxCents]',
    to: '[2050, split.taxCents]',
    tests: LEDGER,
  },
  {
    what: 'a transfer leaves the fee out of what we receive',
    file: 'domain/billing/ledger/entries.ts',
    from: '  const cents = mgaCents + feeCents;\n',
    to: '  const cents = mgaCents;\n',
    tests: LEDGER,
  },
  {
    what: 'the stamping fee counts as tax as well',
    file: 'domain/billing/ledger/invoice-split.ts',
    from: "line.kind === 'tax' && line.code !== STAMPING",
    to: "line.kind === 'tax'",
    tests: LEDGER,
  },
  {
    what: 'a credit line takes no premium off',
    file: 'domain/billing/ledger/invoice-split.ts',
    from: "kind === 'premium' || kind === 'credit'",
    to: "kind === 'premium'",
    tests: LEDGER,
  },
  {
    what: 'a return leaves no residual with the last account',
    file: 'domain/billing/ledger/returned-part.ts',
    from: '    part[name] += room;\n',
    to: '',
    tests: REFUND,
  },
  {
    what: 'a tier ends one cent early',
    file: 'domain/billing/commission.ts',
    from: 'producerPremiumCents <= tier.maxCents',
    to: 'producerPremiumCents < tier.maxCents',
    tests: COMMISSION,
  },
  {
    what: 'an agent shares in premium without a producer',
    file: 'domain/billing/commission.ts',
    from: 'hasProducer ? percentOf(premiumCents, ratio(terms.agentRate)) : 0',
    to: 'percentOf(premiumCents, ratio(terms.agentRate))',
    tests: COMMISSION,
  },
  {
    what: 'a refund of exactly 1,000.00 dollars is reviewed',
    file: 'domain/billing/refund.ts',
    from: 'refundCents > REVIEWED_ABOVE_CENTS',
    to: 'refundCents >= REVIEWED_ABOVE_CENTS',
    tests: REFUND,
  },
  {
    what: 'the oldest receipt gives first',
    file: 'domain/billing/refund.ts',
    from: 'one.id < other.id ? 1 : -1',
    to: 'one.id < other.id ? -1 : 1',
    tests: REFUND,
  },
  {
    what: 'a return takes from the invoice before unapplied money',
    file: 'domain/billing/refund.ts',
    from: 'Math.min(returnCents, Math.max(unappliedCents, 0))',
    to: 'Math.min(returnCents, Math.max(unappliedCents - appliedCents, 0))',
    tests: REFUND,
  },
  {
    what: 'money that another invoice took counts as unapplied still',
    file: 'domain/billing/refund.ts',
    from: 'moneyOf(receipt) - receipt.appliedCents - movedCents',
    to: 'moneyOf(receipt) - receipt.appliedCents',
    tests: REFUND,
  },
  {
    what: 'what a policy change gives back must be paid again',
    file: 'domain/billing/paid-again.ts',
    from: '  if (row.composition !== null) return 0;\n',
    to: '',
    tests: PAID_AGAIN,
  },
  {
    what: 'what a bank holds for now counts as left over',
    file: 'domain/billing/paid-again.ts',
    from: 'leftOverCents(invoice) - disputedCents(others)',
    to: 'leftOverCents(invoice)',
    tests: PAID_AGAIN,
  },
  {
    what: 'a reversed payment leaves its invoice paid',
    file: 'domain/billing/invoice.ts',
    from: 'invoice.paidCents - invoice.refundedBeforePaidCents >= invoice.totalCents',
    to: 'invoice.paidCents >= invoice.totalCents',
    tests: INVOICE,
  },
  {
    what: 'an invoice that is open again bills what was given back of it',
    file: 'domain/billing/invoice.ts',
    from: 'totalCents: totalCents - keptCents,',
    to: 'totalCents,',
    tests: INVOICE,
  },
  {
    what: 'an invoice is past due on its due date',
    file: 'domain/billing/invoice.ts',
    from: 'invoice.dueDate < today',
    to: 'invoice.dueDate <= today',
    tests: INVOICE,
  },
  {
    what: 'an invoice that is payable again is due immediately',
    file: 'domain/billing/reversal.ts',
    from: 'const DAYS_TO_PAY_AGAIN = 10;',
    to: 'const DAYS_TO_PAY_AGAIN = 0;',
    tests: OWED,
  },
  {
    what: 'a void invoice takes money again that a bank gives back',
    file: 'domain/billing/reversal.ts',
    from: '  if (voided) return 0;\n',
    to: '',
    tests: OWED,
  },
  {
    what: 'a dispute that was won can be lost by a late event',
    file: 'domain/billing/dispute.ts',
    from: "known === 'open' && reported === 'lost'",
    to: "reported === 'lost'",
    tests: OWED,
  },
  {
    what: 'what was cancelled of a check can be cancelled again',
    file: 'domain/billing/disbursement.ts',
    from: 'Math.min(bouncedCents, amountCents) - (cancelledCents - keptCents)',
    to: 'Math.min(bouncedCents, amountCents)',
    tests: OWED,
  },
  {
    what: 'a debt that is payable again loses its place',
    file: 'domain/policy/billing-change.ts',
    from: 'firstDueDate ?? dueDate',
    to: 'dueDate ?? firstDueDate',
    tests: BILLING,
  },
  {
    what: 'what went back as goodwill goes back once more',
    file: 'domain/policy/billing-change.ts',
    from: 'Math.max(Math.min(rest[part], open[part]), 0));',
    to: '0 * (rest[part] + open[part]));',
    tests: BILLING,
  },
  {
    what: 'short rate keeps a fifth of the unearned premium',
    file: 'domain/policy/cancellation.ts',
    from: "ratio('0.9')",
    to: "ratio('0.8')",
    tests: ['test/domain/policy/cancellation.test.ts'],
  },
  {
    what: 'the fee is billed with the last installment',
    file: 'domain/billing/installments.ts',
    from: 'index === 0 ? order.feeCents : 0',
    to: 'index === months.length - 1 ? order.feeCents : 0',
    tests: ['test/domain/submission/quote.test.ts'],
  },
  {
    what: 'the deductible is paid',
    file: 'domain/claim/settlement.ts',
    from: 'payableCents: amountCents - deductibleCents',
    to: 'payableCents: amountCents',
    tests: ['test/domain/claim/settlement.test.ts'],
  },
  {
    what: 'what another invoice has taken of a check that bounced stays there',
    file: 'activities/billing/payments/taken-back.ts',
    from: 'await takeBack(em, deps, applied, { ...taking, missingCents })',
    to: 'await takeBack(em, deps, [], { ...taking, missingCents })',
    tests: ON_DATABASE,
  },
  {
    what: 'an invoice from which money was taken back keeps its shares',
    file: 'activities/billing/payments/taken-back.ts',
    from: '  await resettle(em, invoice, {',
    to: '  if (wasPaid === null) await resettle(em, invoice, {',
    tests: ON_DATABASE,
  },
  {
    what: 'a check is issued for the part that was cancelled too',
    file: 'activities/billing/disbursements/disbursements.ts',
    from: 'cents: amountCents - cancelledCents }',
    to: 'cents: amountCents }',
    tests: ON_DATABASE,
  },
];
