/**
 * Writes commission records: one earned per set of terms on an invoice, and its later movements. An invoice's records
 * add up to its shares in the trust, party by party, and each has the date of the entry that moves the share; the
 * database moves both out of a closed month. Spec 6.4.4, Contract 3.4 "Commission record".
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { CommissionRecord } from '../../../db/entities/billing/commission-record.ts';
import type { Invoice } from '../../../db/entities/billing/invoice.ts';
import { newId } from '../../../db/ids.ts';
import { addRow } from '../../../db/new-rows.ts';
import { commissionRecordsOf } from '../../../db/queries/billing/commission-basis.ts';
import type { CommissionTerms, PremiumShares } from '../../../domain/billing/commission.ts';
import { inProportion, isSameTerms } from '../../../domain/billing/ledger/premium-by-terms.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { sumCents } from '../../../domain/money.ts';
import type { InvoiceShares } from '../../../plans/billing/invoice-shares.ts';

/**
 * The cause of a record; unique per invoice, so further records with the same cause append their position to its id.
 */
type CommissionSource = Pick<CommissionRecord, 'sourceType' | 'sourceId'>;

/** A cause with its day. */
type CommissionEvent = CommissionSource & { on: BusinessDate };

type Party = keyof PremiumShares;
const PARTIES: readonly Party[] = ['carrierCents', 'agentCents', 'mgaCents'];
const COLUMN_OF = {
  carrierCents: 'carrierNetCents',
  agentCents: 'agentCommissionCents',
  mgaCents: 'mgaCommissionCents',
} as const;

/** Sources that earn; all others adjust for money received or returned. */
const EARNINGS = new Set(['invoice', 'transaction', 'exchange']);

/**
 * Records what the producer and we have earned on an invoice, once. The first record names the invoice as its source;
 * each further one, on other terms, its transaction. Without a producer there are none.
 */
export async function persistEarned(
  em: EntityManager,
  invoice: Invoice,
  { shares: { producerId, byTerms }, on }: { shares: InvoiceShares; on: BusinessDate },
): Promise<void> {
  if (producerId === null || (await commissionRecordsOf(em, invoice.id)).length > 0) return;
  const of = { policyId: invoice.policyId, invoiceId: invoice.id, producerId };
  for (const [index, each] of byTerms.entries()) {
    const { terms, transactionId, ...moved } = each;
    if (index > 0 && grossOf(moved) === 0) continue;
    const source =
      index === 0
        ? { sourceType: 'invoice', sourceId: invoice.id }
        : { sourceType: 'transaction', sourceId: transactionId };
    addRow(em, CommissionRecord, recordOf(of, { terms, moved, ...source, on }, null));
  }
}

/** Records what an exchange of lines has moved, per set of terms. */
export function persistExchanged(
  em: EntityManager,
  records: readonly CommissionRecord[],
  { before, after, source }: { before: InvoiceShares; after: InvoiceShares; source: CommissionEvent },
): void {
  const all = [...before.byTerms, ...after.byTerms].map(({ terms }) => terms);
  const moves = distinct(all).map((terms) => ({
    terms,
    moved: mapParties((party) => sumAt(after, terms, party) - sumAt(before, terms, party)),
  }));
  persistMoves(em, records, { moves, source });
}

/**
 * Divides the parties' gain or loss on an invoice over its terms: a loss in proportion to what each has left, a gain
 * in proportion to what each had earned. Does nothing if nothing was earned.
 */
export function persistMoved(
  em: EntityManager,
  records: readonly CommissionRecord[],
  { moved, source }: { moved: PremiumShares; source: CommissionEvent },
): void {
  const isGain = grossOf(moved) > 0;
  const counted = isGain ? records.filter(({ sourceType }) => EARNINGS.has(sourceType)) : records;
  const all = distinct(records.map(termsOf));
  const weights = (party: Party) =>
    all.map((terms) => sumCents(counted.filter(isAt(terms)).map((record) => record[COLUMN_OF[party]])));
  const shares = mapParties((party) => inProportion(moved[party], weights(party)));
  const moves = all.map((terms, index) => ({ terms, moved: mapParties((party) => shares[party][index] ?? 0) }));
  persistMoves(em, records, { moves, source });
}

/** Reverses records, each by its own. */
export function persistTakenBack(
  em: EntityManager,
  records: readonly CommissionRecord[],
  source: CommissionEvent,
): void {
  for (const [index, record] of records.entries()) {
    const moved = mapParties((party) => 0 - record[COLUMN_OF[party]]);
    addRow(em, CommissionRecord, recordOf(record, { terms: termsOf(record), moved, ...placed(source, index) }, record));
  }
}

interface Moves {
  moves: { terms: CommissionTerms; moved: PremiumShares }[];
  source: CommissionEvent;
}

/** More premium earns more; less premium reverses part of the earned commission. */
function persistMoves(em: EntityManager, records: readonly CommissionRecord[], { moves, source }: Moves): void {
  const [first] = records;
  if (first === undefined) return;
  const real = moves.filter(({ moved }) => PARTIES.some((party) => moved[party] !== 0));
  for (const [index, { terms, moved }] of real.entries()) {
    const earned = records.find((record) => record.type === 'earned' && isAt(terms)(record)) ?? first;
    const reversed = grossOf(moved) > 0 ? null : earned;
    addRow(em, CommissionRecord, recordOf(first, { terms, moved, ...placed(source, index) }, reversed));
  }
}

function recordOf(
  { policyId, invoiceId, producerId }: Pick<CommissionRecord, 'policyId' | 'invoiceId' | 'producerId'>,
  { terms, moved, sourceType, sourceId, on }: CommissionEvent & { terms: CommissionTerms; moved: PremiumShares },
  reversed: CommissionRecord | null,
) {
  const { tier, agentRate, mgaRate } = terms;
  return {
    ...{ id: newId('commissionRecord'), policyId, invoiceId, producerId, sourceType, sourceId },
    type: reversed === null ? ('earned' as const) : ('reversal' as const),
    reversesId: reversed?.id ?? null,
    grossPremiumCents: grossOf(moved),
    agentCommissionCents: moved.agentCents,
    mgaCommissionCents: moved.mgaCents,
    carrierNetCents: moved.carrierCents,
    ...{ tier, rates: { agentRate, mgaRate }, recordedOn: on },
  };
}

function placed({ sourceId, ...event }: CommissionEvent, index: number): CommissionEvent {
  return { ...event, sourceId: index === 0 ? sourceId : `${sourceId}/${index + 1}` };
}

function sumAt({ byTerms }: InvoiceShares, terms: CommissionTerms, party: Party): number {
  return sumCents(byTerms.filter((each) => isSameTerms(each.terms, terms)).map((each) => each[party]));
}

function distinct(all: readonly CommissionTerms[]): CommissionTerms[] {
  return all.filter((terms, index) => index === all.findIndex((each) => isSameTerms(each, terms)));
}

function isAt(terms: CommissionTerms): (record: CommissionRecord) => boolean {
  return (record) => isSameTerms(termsOf(record), terms);
}

function termsOf({ tier, rates }: CommissionRecord): CommissionTerms {
  return { tier, agentRate: rates.agentRate, mgaRate: rates.mgaRate };
}

function grossOf(moved: PremiumShares): number {
  return sumCents(PARTIES.map((party) => moved[party]));
}

function mapParties<Value>(find: (party: Party) => Value): Record<Party, Value> {
  return { carrierCents: find('carrierCents'), agentCents: find('agentCents'), mgaCents: find('mgaCents') };
}
