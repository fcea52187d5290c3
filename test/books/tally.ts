// How often each kind of deed was carried out, and how often a full run must at least have seen it.

/** The kind of a command: its path without ids, and what sets it apart from others on that path. */
export function kindOf(path: string, body: object): string {
  const words = path.split('/').filter((word) => word !== '' && !/^[a-z]{3}_[0-9a-z]{26}$/.test(word));
  return [words.join(' '), detailOf(words, body)].filter((part) => part !== '').join(': ');
}

function detailOf([noun, verb]: readonly string[], body: { changes?: object; reason?: string; kind?: string }): string {
  if (noun === 'policies' && verb === 'cancel') return body.reason ?? '';
  if (noun === 'remittances' && verb === undefined) return body.kind ?? 'carrier';
  return Object.keys(body.changes ?? {}).join(' ');
}

export type Tally = Map<string, number>;

/** Deeds that a run of a hundred lives sees several times as often. */
const AT_LEAST_IN_A_HUNDRED: Readonly<Record<string, number>> = {
  ...{ 'invoices pay': 100, 'invoices payment-intent': 15, 'invoices refund': 3, 'invoices void': 5 },
  ...{ 'invoices write-off': 5, 'disbursements cancel': 2, 'disbursements issue': 10, 'payments reverse': 3 },
  ...{ 'unapplied-cash return': 5, 'processor disputes': 3, 'processor payout': 2 },
  ...{ 'policies endorse: annualRevenue': 10, 'policies endorse: additionalInsureds': 1, lapse: 10 },
  ...{
    'policies endorse: insuredAddress': 1,
    'policies endorse: requestedLimit': 1,
    'policies endorse: deductible': 1,
  },
  ...{ 'policies cancel: insured_request': 5, 'policies cancel: misrepresentation': 1, 'policies reinstate': 5 },
  ...{ 'policies renew': 2, 'policies payment-plan': 1, 'policies non-renew': 3, 'policies non-renew withdraw': 1 },
  ...{ 'billing-holds': 1, 'ledger journals approve': 1, 'bank-statements': 2, 'commissions payouts approve': 1 },
  ...{ 'ledger transfers approve': 1, 'remittances approve': 1 },
};

/** A sentence for each kind of deed that happened less often than a run of that many lives must see it. */
export function tooRare(tally: Tally, lives: number): string[] {
  return Object.entries(AT_LEAST_IN_A_HUNDRED).flatMap(([kind, least]) => {
    const [times, wanted] = [tally.get(kind) ?? 0, Math.floor((least * lives) / 100)];
    return times >= wanted
      ? []
      : [`"${kind}" happened ${times} times in ${lives} lives: at least ${wanted} are wanted`];
  });
}

export function count(tally: Tally, kind: string, times = 1): void {
  tally.set(kind, (tally.get(kind) ?? 0) + times);
}
