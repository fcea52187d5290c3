// Maps claims between the wire and the rows: dollars and cents, absent and null. Pure. Contract 3.3.
import type { Claim } from '../../../db/entities/claim/claim.ts';
import type { ClaimEntry } from '../../../db/entities/claim/claim-entry.ts';
import type { ClaimParticulars } from '../../../db/entities/claim/claim-particulars.ts';
import type { Particulars } from '../../../db/queries/claim/claim-words.ts';
import type { NamedHold } from '../../../db/queries/claim/payee-holds.ts';
import type { Address } from '../../../domain/address.ts';
import { CLAIM_CLOCKS, lettersOwed } from '../../../domain/claim/clocks.ts';
import { openFlags } from '../../../domain/claim/coverage.ts';
import { type ClaimAmounts, incurredCents, outstanding, sumOfAmounts } from '../../../domain/claim/figures.ts';
import type { Settlement } from '../../../domain/claim/settlement.ts';
import { toDollars } from '../../../domain/money.ts';
import { figuresOf } from '../../../plans/claim/claim-figures.ts';
import { addressToWire, dollarsOrNull, instantOrNull, instantToWire } from '../billing/charges.wire.ts';
import type { ClaimCreate, ClaimSummaryWire, ClaimWire, TimelineEntryWire } from './claims.schemas.ts';
import { heldPayeesToWire } from './payee-holds.wire.ts';

/** The ids of claims whose words a caller may see. */
export type KnownClaims = ReadonlyMap<string, 'named' | 'flagged'>;

/** The words of a claim that a caller may see. */
export interface SeenWords {
  particulars: Readonly<ClaimParticulars>;
  /** Texts by note id. */
  notes: ReadonlyMap<string, string>;
  /** Of the latest settlement; null without one. */
  payee: string | null;
  /** Of the denial; null without one. */
  policyProvision: string | null;
}

/** A notice without the policy it names. */
export type Loss = Omit<ClaimCreate, 'policyId' | 'policyNumber'>;

/** The particulars of a loss as stored; omitted values are null. */
export function particularsOf(claimId: string, body: Loss): Particulars {
  const { description, cause = null, reportedBy = null, lossLocation = null, claimant } = body;
  return {
    ...{ claimId, description, cause, reportedBy, lossLocation },
    claimantName: claimant?.name ?? null,
    claimantEmail: claimant?.email ?? null,
    claimantPhone: claimant?.phone ?? null,
    claimantAddress: addressToWire((claimant?.address ?? null) as Address | null),
  };
}

/** What a claim says about an earlier probable duplicate: nothing to those who may not know of that one. */
export function duplicateToWire(
  { duplicateOf, coverageFlags }: Pick<Claim, 'duplicateOf' | 'coverageFlags'>,
  known: KnownClaims,
): Pick<ClaimSummaryWire, 'duplicateOf' | 'coverageFlags'> {
  const sight = duplicateOf === null ? 'named' : known.get(duplicateOf);
  if (sight === undefined) return { duplicateOf: null, coverageFlags: openFlags(coverageFlags) };
  return { duplicateOf: sight === 'named' ? duplicateOf : null, coverageFlags };
}

/** Returns a claim as lists show it: without its particulars, reasons and notes. */
export function claimSummaryToWire(claim: Readonly<Claim>, known: KnownClaims): ClaimSummaryWire {
  const { id, orgId, claimNumber, status, policyId, policyNumber, insuredName, producerId, state } = claim;
  const { lineOfBusiness, lossDate, adjusterId, coverage, containsPhi } = claim;
  const { clocks, denial, closure, createdBy, version } = claim;
  const figures = figuresOf(claim);
  return {
    ...{ id, orgId, claimNumber, status, policyId, policyNumber, insuredName, producerId, state, lineOfBusiness },
    ...{ lossDate, reportedDate: claim.reportedOn, adjusterId },
    coverage: {
      status: coverage.status,
      limit: dollarsOrNull(coverage.limitCents),
      aggregateLimit: dollarsOrNull(coverage.aggregateLimitCents),
      deductible: dollarsOrNull(coverage.deductibleCents),
    },
    ...duplicateToWire(claim, known),
    estimatedAmount: dollarsOrNull(claim.estimatedAmountCents),
    reserves: amountsToWire(outstanding(figures)),
    paid: amountsToWire(figures.paid),
    recovered: toDollars(figures.recoveredCents),
    incurred: toDollars(incurredCents(figures)),
    settlement: claim.settlement && settlementToWire(claim.settlement),
    denial: denial && { date: denial.on },
    outcome: closure?.outcome ?? null,
    acknowledgeBy: clocks.claim_ack.dueDate,
    acknowledgedOn: clocks.claim_ack.metOn,
    decisionBy: clocks.claim_decision.dueDate,
    decidedOn: clocks.claim_decision.metOn,
    statusLetterBy: lettersOwed(clocks)?.dueDate ?? null,
    statusLetterSentOn: clocks.claim_status?.sentOn ?? null,
    missedDeadlines: CLAIM_CLOCKS.filter((kind) => clocks[kind].isMissed),
    ...{ containsPhi, redacted: containsPhi },
    closedAt: instantOrNull(claim.closedAt),
    ...{ createdBy, version, createdAt: instantToWire(claim.createdAt), updatedAt: instantToWire(claim.updatedAt) },
  };
}

/** The parts of a claim that come from other records. */
interface AroundClaim {
  known: KnownClaims;
  holds: readonly NamedHold[];
}

/** Returns a claim with the words its caller may see; null for a caller who may see none. */
export function claimToWire(claim: Readonly<Claim>, words: SeenWords | null, around: AroundClaim): ClaimWire {
  const { containsPhi } = claim;
  const heldPayees = heldPayeesToWire(around.holds, { containsPhi, isSeen: words !== null });
  const summary = { ...claimSummaryToWire(claim, around.known), heldPayees };
  if (words === null) return { ...summary, redacted: true };
  const { description, cause, reportedBy, lossLocation, ...claimant } = words.particulars;
  const { claimantName: name, claimantEmail: email, claimantPhone: phone } = claimant;
  const address = addressToWire(claimant.claimantAddress ?? null);
  return {
    ...summary,
    ...{ redacted: false, description, cause, reportedBy, lossLocation },
    claimant: name === null ? null : { name, email, phone, ...(address && { address }) },
    settlement: summary.settlement && { ...summary.settlement, ...settlementWords(claim, words) },
    denial: summary.denial && { ...summary.denial, ...denialWords(claim, words) },
  };
}

/** Removes the words from a claim shown with them. */
export function redactedWire(shown: ClaimWire): ClaimWire {
  const { description, cause, reportedBy, lossLocation, claimant, ...claim } = shown;
  const settlement = claim.settlement && withoutWords(claim.settlement);
  const denial = claim.denial && { date: claim.denial.date };
  const heldPayees = claim.heldPayees.map(({ payee, ...held }) => held);
  return { ...claim, settlement, denial, heldPayees, redacted: true };
}

function withoutWords({ payee, notes, ...settlement }: NonNullable<ClaimWire['settlement']>) {
  return settlement;
}

/** Returns an entry of a claim's history; its note only with the words. */
export function claimEntryToWire(
  entry: Readonly<ClaimEntry>,
  words: Pick<SeenWords, 'notes'> | null,
): TimelineEntryWire {
  const { id, claimId, action, happenedOn: date, createdAt, actor, changes, noteId } = entry;
  const note = words === null ? {} : { note: noteId === null ? null : (words.notes.get(noteId) ?? null) };
  return {
    ...{ id, claimId, action, date, at: instantToWire(createdAt), actor: { ...actor } },
    changes: Object.fromEntries(Object.entries(changes).map(changeToWire)),
    ...note,
  };
}

/** Shows an amount in dollars instead of cents, under its name without the unit. */
function changeToWire([field, { before, after }]: [string, { before: unknown; after: unknown }]) {
  return [field.replace(/Cents$/, ''), { before: inDollars(field, before), after: inDollars(field, after) }] as const;
}

function inDollars(field: string, value: unknown): unknown {
  if (typeof value === 'number') return field.endsWith('Cents') ? toDollars(value) : value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name.replace(/Cents$/, ''), inDollars(name, inner)]),
  );
}

function settlementToWire(settlement: Settlement) {
  const { id, status, amountCents, deductibleCents, payableCents, blockers, offeredBy, decidedBy, on } = settlement;
  return {
    ...{ id, status, amount: toDollars(amountCents), deductible: toDollars(deductibleCents) },
    ...{ payable: toDollars(payableCents), blockers, offeredBy: offeredBy.id, decidedBy: decidedBy?.id ?? null },
    date: on,
  };
}

function settlementWords({ settlement }: Readonly<Claim>, { notes, payee }: SeenWords) {
  return { payee: payee ?? '', notes: notes.get(settlement?.noteId ?? '') ?? null };
}

function denialWords({ denial }: Readonly<Claim>, { notes, policyProvision }: SeenWords) {
  return { reason: notes.get(denial?.noteId ?? ''), policyProvision };
}

function amountsToWire(amounts: ClaimAmounts) {
  return {
    indemnity: toDollars(amounts.indemnityCents),
    expense: toDollars(amounts.expenseCents),
    total: toDollars(sumOfAmounts(amounts)),
  };
}
