// Ledger entries: figures by hand, and properties of every amount.
import test from 'ava';
import { premiumShares } from '../../../domain/billing/commission.ts';
import { ACCOUNTS, type AccountNumber, accountOf } from '../../../domain/billing/ledger/chart.ts';
import {
  clawbackEntries,
  earningsEntry,
  earningsReturnEntry,
  failedPayoutEntry,
  payoutEntry,
  receiptEntry,
  returnEntry,
  splitEntry,
  transferEntries,
} from '../../../domain/billing/ledger/entries.ts';
import {
  type InvoiceSplit,
  premiumOfLines,
  refundedPart,
  splitInvoice,
  splitPremium,
  splitTotal,
} from '../../../domain/billing/ledger/invoice-split.ts';
import { type Posting, posting, reversalOf } from '../../../domain/billing/ledger/posting.ts';
import { fc } from '../../support/fixed/chance.ts';

const TERMS = { tier: 1, agentRate: '0.125', mgaRate: '0.10' };
const NO_SPLIT: InvoiceSplit = {
  carrierCents: 0,
  agentCents: 0,
  mgaCents: 0,
  taxCents: 0,
  stampingCents: 0,
  feeCents: 0,
};

const line = (kind: 'premium' | 'fee' | 'tax' | 'credit', code: string, amountCents: number) => ({
  kind,
  code,
  amountCents,
});

/** Texas, premium 10,000, taxable fee 250, tax 497.13, stamping 4.10: 10,751.23 in all. Domain facts 4.2. */
const SAMPLE = splitInvoice(
  [
    line('premium', 'PREMIUM', 1_000_000),
    line('fee', 'POLICY_FEE', 25_000),
    line('tax', 'SL_TAX', 49_713),
    line('tax', 'STAMPING_FEE', 410),
  ],
  [premiumShares(1_000_000, TERMS, true)],
);

/** An entry as account → debit less credit. */
function effect(entry: Posting | null): Record<number, number> {
  const found: Record<number, number> = {};
  for (const { account, debitCents, creditCents } of entry?.lines ?? []) {
    found[account] = (found[account] ?? 0) + debitCents - creditCents;
  }
  return found;
}

test('The chart is that of the trade: number, kind, and whether the money is held in trust', (t) => {
  const trust = [1010, 1020, 1040, 1100, 1110, 1200, 2010, 2020, 2030, 2040, 2050, 2060, 2070, 2080, 2090];
  const kinds = { 1: 'asset', 2: 'liability', 4: 'revenue', 5: 'expense' } as Record<number, string>;
  t.deepEqual(
    ACCOUNTS.map(({ account }) => account),
    [
      1010, 1020, 1030, 1040, 1100, 1110, 1120, 1130, 1200, 2010, 2020, 2030, 2040, 2050, 2060, 2070, 2080, 2090, 2110,
      4010, 4020, 5010, 5020,
    ],
  );
  for (const { account, kind, ledger } of ACCOUNTS) {
    t.is(kind, kinds[Math.trunc(account / 1000)] as typeof kind, String(account));
    t.is(ledger, trust.includes(account) ? 'fiduciary' : 'general', String(account));
  }
  t.throws(() => accountOf(9999 as AccountNumber), { instanceOf: TypeError });
});

test('An invoice of 10,751.23 is split into 7,750 for the carrier, 1,250 for the agent, 1,000 kept, tax, stamping and fee', (t) => {
  t.deepEqual(SAMPLE, {
    carrierCents: 775_000,
    agentCents: 125_000,
    mgaCents: 100_000,
    taxCents: 49_713,
    stampingCents: 410,
    feeCents: 25_000,
  });
  t.is(splitTotal(SAMPLE), 1_075_123);
  t.is(splitPremium(SAMPLE), 1_000_000);
});

test('The share of the agent stays with the carrier without a producer, and a credit takes from the premium', (t) => {
  const lines = [line('premium', 'PREMIUM', 1_100_000), line('credit', 'ENDORSEMENT', -100_000)];
  t.deepEqual(splitInvoice(lines, [premiumShares(premiumOfLines(lines), TERMS, false)]), {
    ...NO_SPLIT,
    carrierCents: 900_000,
    mgaCents: 100_000,
  });
});

const ENTRIES: [what: string, entry: Posting | null, ledger: string, effect: Record<number, number>][] = [
  ['A receipt by check', receiptEntry('check', 1_075_123), 'fiduciary', { 1010: 1_075_123, 2070: -1_075_123 }],
  ['A receipt by card', receiptEntry('card', 1_075_123), 'fiduciary', { 1110: 1_075_123, 2070: -1_075_123 }],
  [
    'The split of a paid invoice',
    splitEntry(SAMPLE),
    'fiduciary',
    { 2070: 1_075_123, 2010: -775_000, 2020: -125_000, 2030: -100_000, 2040: -49_713, 2050: -410, 2090: -25_000 },
  ],
  ['What is earned with it', earningsEntry(SAMPLE), 'general', { 1120: 125_000, 4010: -100_000, 4020: -25_000 }],
  [
    // Premium 6,000 of 10,000 with 4.85 percent tax and 2.40 stamping; the fee is retained.
    'A return of 6,293.40',
    returnEntry(
      {
        carrierCents: 465_000,
        agentCents: 75_000,
        mgaCents: 60_000,
        taxCents: 29_100,
        stampingCents: 240,
        feeCents: 0,
      },
      0,
    ),
    'fiduciary',
    { 2010: 465_000, 2020: 75_000, 2030: 60_000, 2040: 29_100, 2050: 240, 2060: -629_340 },
  ],
  [
    'A return of money that was not shared out yet',
    returnEntry(NO_SPLIT, 5_000),
    'fiduciary',
    { 2070: 5_000, 2060: -5_000 },
  ],
  [
    'What is not earned after all',
    earningsReturnEntry({ ...SAMPLE, mgaCents: 60_000, feeCents: 0 }),
    'general',
    { 4010: 60_000, 1120: -60_000 },
  ],
  [
    'What the processor pays back',
    payoutEntry([{ method: 'card', cents: 600_000 }]),
    'fiduciary',
    { 2060: 600_000, 1110: -600_000 },
  ],
  [
    'A check that pays back',
    payoutEntry([{ method: 'check', cents: 29_340 }]),
    'fiduciary',
    { 2060: 29_340, 1010: -29_340 },
  ],
  ['A card refund that failed', failedPayoutEntry(600_000), 'fiduciary', { 1110: 600_000, 2060: -600_000 }],
  [
    'The transfer, as it leaves the trust',
    transferEntries(SAMPLE)[0] ?? null,
    'fiduciary',
    { 2030: 100_000, 2090: 25_000, 1010: -125_000 },
  ],
  ['The transfer, as it arrives', transferEntries(SAMPLE)[1] ?? null, 'general', { 1030: 125_000, 1120: -125_000 }],
  ['What an agent owes back', clawbackEntries(75_000)[0] ?? null, 'general', { 1130: 75_000, 1030: -75_000 }],
  ['Our money that stands in for it', clawbackEntries(75_000)[1] ?? null, 'fiduciary', { 1010: 75_000, 2060: -75_000 }],
];

for (const [what, entry, ledger, expected] of ENTRIES) {
  test(`${what} is debited and credited as the contract says`, (t) => {
    t.is(entry?.ledger as string, ledger);
    t.deepEqual(effect(entry), expected);
  });
}

test('An entry of zero is no entry', (t) => {
  t.is(receiptEntry('check', 0), null);
  t.is(splitEntry(NO_SPLIT), null);
  t.is(earningsEntry(NO_SPLIT), null);
  t.is(payoutEntry([{ method: 'card', cents: 0 }]), null);
  t.deepEqual(transferEntries(NO_SPLIT), []);
  t.deepEqual(clawbackEntries(0), []);
});

test('An entry that does not balance, crosses the ledgers or is negative cannot be made', (t) => {
  const refused: [debits: [AccountNumber, number][], credits: [AccountNumber, number][]][] = [
    [[[1010, 100]], [[2070, 99]]],
    [[[1010, 100]], [[4010, 100]]],
    [[[1010, -100]], [[2070, -100]]],
    [[[1010, 100]], []],
  ];
  for (const [debits, credits] of refused) {
    t.throws(() => posting('fiduciary', 'receipt', { debits, credits }), { instanceOf: TypeError });
  }
});

const cents = fc.integer({ min: 0, max: 10_000_000 });
const small = fc.integer({ min: 0, max: 9 });
/** Splits of usual and of tiny amounts, with some parts zero. */
const anySplit: fc.Arbitrary<InvoiceSplit> = fc.oneof(cents, small).chain(() => {
  const part = fc.oneof(cents, small, fc.constant(0));
  return fc.record({
    carrierCents: part,
    agentCents: part,
    mgaCents: part,
    taxCents: part,
    stampingCents: part,
    feeCents: part,
  });
});

const entriesOf = (split: InvoiceSplit, extraCents: number): (Posting | null)[] => [
  receiptEntry('card', splitTotal(split)),
  splitEntry(split),
  earningsEntry(split),
  returnEntry(split, extraCents),
  earningsReturnEntry(split),
  payoutEntry([{ method: 'card', cents: extraCents }]),
  payoutEntry([{ method: 'wire', cents: split.carrierCents }]),
  failedPayoutEntry(extraCents),
  ...transferEntries(split),
  ...clawbackEntries(split.agentCents),
];

test('Every entry balances, stays in its ledger and has no line of zero, whatever the amounts', (t) => {
  fc.assert(
    fc.property(anySplit, cents, (split, extraCents) => {
      for (const entry of entriesOf(split, extraCents)) {
        if (entry === null) continue;
        let sum = 0;
        for (const { account, debitCents, creditCents } of entry.lines) {
          sum += debitCents - creditCents;
          t.is(accountOf(account).ledger, entry.ledger);
          t.true(debitCents > 0 !== creditCents > 0);
        }
        t.is(sum, 0);
      }
    }),
  );
});

test('A reversal undoes its entry, and reversed twice it is the entry itself', (t) => {
  fc.assert(
    fc.property(anySplit, cents, (split, extraCents) => {
      for (const entry of entriesOf(split, extraCents).filter((each) => each !== null)) {
        const reversal = reversalOf(entry);
        const sum = effect({ ...entry, lines: [...entry.lines, ...reversal.lines] });
        t.true(Object.values(sum).every((left) => left === 0));
        t.is(reversal.ledger, entry.ledger);
        t.deepEqual(reversalOf(reversal).lines, entry.lines);
      }
    }),
  );
});

test('Two refunds of 10,751.23 give back each part once: 6,293.40 first, the rest then', (t) => {
  const first = refundedPart(SAMPLE, 0, 629_340);
  // 629,340 / 1,075,123 = 0.585365… of 775,000 is 453,658.4; of 125,000 73,170.7; of 100,000 58,536.5.
  t.like(first, { carrierCents: 453_658, agentCents: 73_171, mgaCents: 58_537 });
  t.is(splitTotal(first), 629_340);
  const second = refundedPart(SAMPLE, 629_340, 1_075_123 - 629_340);
  for (const part of Object.keys(SAMPLE) as (keyof InvoiceSplit)[]) t.is(first[part] + second[part], SAMPLE[part]);
});

test('However a sum is refunded in parts, no part is negative, none exceeds its share, and all together are the split', (t) => {
  fc.assert(
    fc.property(anySplit, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }), (split, cuts) => {
      const total = splitTotal(split);
      const stops = [...cuts.map((cut) => Math.floor(cut * total)).sort((a, b) => a - b), total];
      const given = { ...NO_SPLIT };
      let refundedCents = 0;
      for (const stop of stops) {
        const part = refundedPart(split, refundedCents, stop - refundedCents);
        t.is(splitTotal(part), stop - refundedCents);
        for (const name of Object.keys(split) as (keyof InvoiceSplit)[]) {
          t.true(part[name] >= 0, `${name} ${part[name]}`);
          given[name] += part[name];
          t.true(given[name] <= split[name], name);
        }
        refundedCents = stop;
      }
      t.deepEqual(given, split);
    }),
    { numRuns: 1_000 },
  );
});

test('Refunded cent by cent, every refund can be posted and each part stays within two cents of its proportion', (t) => {
  const split = {
    ...NO_SPLIT,
    carrierCents: 309,
    agentCents: 50,
    mgaCents: 40,
    taxCents: 20,
    stampingCents: 1,
    feeCents: 19,
  };
  const total = splitTotal(split);
  const given = { ...NO_SPLIT };
  for (let refunded = 0; refunded < total; refunded += 1) {
    const part = refundedPart(split, refunded, 1);
    t.notThrows(() => returnEntry(part, 0));
    for (const name of Object.keys(split) as (keyof InvoiceSplit)[]) {
      given[name] += part[name];
      t.true(Math.abs(given[name] - (split[name] * (refunded + 1)) / total) <= 2, `${name} after ${refunded + 1}`);
    }
  }
  t.deepEqual(given, split);
});
