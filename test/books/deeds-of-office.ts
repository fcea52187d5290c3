// What the office of an organization does for all its policies between two days: pays carriers, states and producers,
// moves its own money, makes journals, holds bills, and reads what processor and bank say.
import { addDays, type BusinessDate } from '../../domain/dates.ts';
import type { Dice } from '../chaos/dice.ts';
import type { TestProviders } from '../support/servers/providers.ts';
import type { Desk } from './desk.ts';

export interface Office {
  dice: Dice;
  /** Sends as one administrator and approves as another. */
  desk: Desk;
  /** Sends as a billing administrator and approves as an administrator. */
  billing: Desk;
  processor: TestProviders['processor'];
  producerId: string;
  states: readonly string[];
  today: BusinessDate;
  /** Holds that nobody has lifted. */
  holds: string[];
}

const CARRIER = 'Default Carrier';
const DEEDS = [remit, remit, payOutCards, payOutCards, journal, hold, liftHold, uploadStatement] as const;
const DEEDS_A_DAY = 4;

export async function workInOffice(office: Office): Promise<void> {
  for (let count = 0; count < DEEDS_A_DAY; count += 1) await office.dice.pick(DEEDS)(office);
}

/** Pays a carrier, a state, the producer or ourselves. */
async function remit({ dice, billing, producerId, states, today: through }: Office): Promise<void> {
  const state = dice.pick(states);
  const [path, body] = dice.pick([
    ['/remittances', { carrier: CARRIER }],
    ['/remittances', { kind: 'tax', state }],
    ['/remittances', { kind: 'stamping', state }],
    ['/commissions/payouts', { producerId }],
    ['/commissions/payouts', { producerId }],
    ['/ledger/transfers', {}],
    ['/ledger/transfers', {}],
  ] as const);
  const prepared = await billing.send(path, { ...body, through });
  if (prepared === null) return;
  const isApproved = dice.percent(85);
  const paid = isApproved && (await billing.approve(`${path}/${prepared.id}/approve`, { reference: prepared.id }));
  // What waits would block the next one to the same payee.
  if (!paid) await billing.approve(`${path}/${prepared.id}/reject`, { reason: 'Not now.' });
}

/** The processor pays out what it holds, and tells the platform. */
async function payOutCards({ desk, processor }: Office): Promise<void> {
  try {
    desk.note(`at the processor: pays out ${processor.payOut()}`);
    desk.count('processor payout');
  } catch (error) {
    desk.note(`at the processor: pays out → refused, ${(error as Error).message}`);
  }
}

/** The cost of cards, or interest on the trust account. Neither touches a policy. */
const JOURNALS = [
  { ledger: 'general', description: 'Costs of cards.', debit: 5010, credit: 1030 },
  { ledger: 'fiduciary', description: 'Interest.', debit: 1010, credit: 2070 },
] as const;

async function journal({ dice, billing }: Office): Promise<void> {
  const amount = (1 + dice.below(5_000)) / 100;
  const { debit, credit, ...what } = dice.pick(JOURNALS);
  const lines = [
    { account: debit, debit: amount },
    { account: credit, credit: amount },
  ];
  const made = await billing.send('/ledger/entries', { ...what, lines });
  if (made === null) return;
  const path = `/ledger/journals/${made.id}`;
  if (dice.percent(80)) await billing.approve(`${path}/approve`);
  else await billing.approve(`${path}/reject`, { reason: 'No.' });
}

/** No policy of a state lapses for a while. */
async function hold({ dice, desk, states, today, holds }: Office): Promise<void> {
  const from = addDays(today, dice.below(10));
  const placed = await desk.send('/billing-holds', {
    state: dice.pick(states),
    from,
    to: addDays(from, dice.below(40)),
  });
  if (placed !== null) holds.push(placed.id);
}

async function liftHold({ desk, holds }: Office): Promise<void> {
  const id = holds.pop();
  if (id !== undefined) await desk.remove(`/billing-holds/${id}`);
}

/** Yesterday's bookings as the bank knows them: most of our movements, and a fee of its own. */
async function uploadStatement({ dice, desk, billing, today }: Office): Promise<void> {
  const { data } = await desk.read('/ledger/bank-movements?status=unmatched&limit=100');
  const rows = data
    .filter(() => dice.percent(80))
    .map(({ amount, references }: { amount: number; references: string[] }) => [
      amount,
      references[0] ?? '',
      'Booking',
    ]);
  if (dice.percent(30)) rows.push([-15, '', 'Account fee']);
  if (rows.length === 0) return;
  const lines = rows.map((row: unknown[]) => [today, ...row].join(','));
  const content = ['date,amount,reference,description', ...lines].join('\n');
  await billing.send('/bank-statements', {
    ...{ fileName: 'statement.csv', contentType: 'text/csv' },
    contentBase64: Buffer.from(content).toString('base64'),
  });
}
