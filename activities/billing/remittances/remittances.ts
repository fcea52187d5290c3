/**
 * Prepares a remittance, which claims ledger lines so that no other remittance covers them, and decides it: on
 * approval it is posted immediately; on rejection it releases them. One transaction each. Contract 3.4 "Ledgers".
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Command } from '../../../contracts/machinery/command.ts';
import type { PreparePayload, RemittanceDecisionPayload, RemittanceOutcome } from '../../../contracts/remittance.ts';
import { Remittance } from '../../../db/entities/billing/remittance.ts';
import type { Filing } from '../../../db/entities/insight/filing.ts';
import { addRow, writeNewRows } from '../../../db/new-rows.ts';
import { postEntry } from '../../../db/queries/billing/ledger.ts';
import { trustCashCents } from '../../../db/queries/billing/ledger-lists.ts';
import { takeReference } from '../../../db/queries/billing/paid-under.ts';
import {
  coverLines,
  heldFor,
  owedBackBy,
  type RemittanceScope,
  releaseLines,
} from '../../../db/queries/billing/remittances/owed.ts';
import {
  lockRemittance,
  lockRemittances,
  waitForReturns,
  waitingRemittanceOf,
} from '../../../db/queries/billing/remittances/remittances.ts';
import { isPremiumDue } from '../../../db/queries/insight/bordereaux.ts';
import { openRemittancesTo } from '../../../db/queries/insight/filings.ts';
import { reportsPaidBy } from '../../../db/queries/insight/paid-reports.ts';
import { writeAudit } from '../../../db/queries/platform/audit.ts';
import { auditedChanges, changedFields } from '../../../domain/audit.ts';
import { cashCents, remittanceEntries } from '../../../domain/billing/ledger/remittance-entries.ts';
import {
  decidedRemittance,
  ensureCashCovers,
  ensureFilingUnpaid,
  ensureStillOwed,
  nettedCents,
  nettedForPolicy,
  type RemittancePart,
  remittanceParts,
  remittedCents,
} from '../../../domain/billing/remittance.ts';
import type { BusinessDate } from '../../../domain/dates.ts';
import { DomainError } from '../../../domain/errors.ts';
import { judgeOf } from '../../../plans/authority/own-authority.ts';
import { businessDay } from '../../../plans/platform/business-day.ts';
import { auditOf } from '../../audit.ts';
import { commandActivity, type Deps } from '../../context.ts';
import { ensureExpected } from '../../expected-version.ts';

/**
 * Covers what a payee is owed, as a remittance awaiting approval; nothing is posted until then.
 * @throws DomainError not_ready when nothing is owed, already_exists for a filing whose payment is waiting, forbidden
 */
export const prepareRemittance = (deps: Deps) =>
  commandActivity<PreparePayload, null, RemittanceOutcome>(deps, 'prepareRemittance', {
    lock: async (em) => {
      await lockRemittances(em);
      return null;
    },
    work: async (em, command) => {
      const { orgId, entityId: id, actor, payload } = command;
      (await judgeOf(em, command, 'remittance:prepare'))({ orgId });
      const { kind, payee, through, filingId, policyId } = payload;
      if (filingId !== null) ensureFilingUnpaid(await waitingRemittanceOf(em, filingId, kind));
      const parts = await coveredParts(em, { kind, payee, remittanceId: id, through, policyId });
      const row = addRow(em, Remittance, {
        ...{ id, kind, payee, through, filingId, parts, status: 'pending_approval', preparedBy: actor.id },
        ...{ amountCents: remittedCents(kind, parts), nettedCents: nettedCents(kind, parts) },
        cashCents: cashCents(kind, parts),
        ...{ decidedBy: null, decidedAt: null, rejectionReason: null, paidOn: null, reference: null },
      });
      const { status, amountCents } = row;
      const changes = auditedChanges(null, { status, kind, amountCents, through, filingId });
      writeAudit(em, auditOf(command, 'remittance:prepare', 'remittance', changes));
      return { remittanceId: id };
    },
  });

/** A payment for one policy nets no more than it covers. */
async function coveredParts(em: EntityManager, coverage: RemittanceScope): Promise<RemittancePart[]> {
  const { kind, policyId } = coverage;
  const owedBack = await owedBackBy(em, coverage);
  const held = policyId === null ? null : await heldFor(em, coverage, 'promised');
  const { owed: covered, takenBack } = await coverLines(em, coverage);
  const netted = held === null ? owedBack : nettedForPolicy({ covered, takenBack, owedBack, held });
  return remittanceParts(kind, covered, netted);
}

/**
 * Approves a remittance, which posts it, or rejects it.
 * @throws DomainError not_found, forbidden for the preparer, precondition_failed, invalid_state_transition,
 * already_exists for a reference used for another payment, not_ready when some of it was returned after it was
 * prepared, amount_exceeds_balance when the trust account does not hold the cash
 */
export const decideRemittance = (deps: Deps) =>
  commandActivity<RemittanceDecisionPayload, Remittance, RemittanceOutcome>(deps, 'decideRemittance', {
    lock: async (em, id) => {
      await waitForReturns(em);
      await lockRemittances(em);
      return lockRemittance(em, id);
    },
    work: async (em, command, row) => {
      if (row === null) throw new DomainError('not_found', 'There is no such remittance.');
      const { orgId, preparedBy: requestedBy } = row;
      (await judgeOf(em, command, 'remittance:decide'))({ orgId, requestedBy });
      ensureExpected(command, row);
      const { decision, reason, reference = null } = command.payload;
      const before = { status: row.status };
      const status = decidedRemittance(row.status, decision);
      if (reference !== null) await takeReference(em, reference, 'reference');
      const { today } = await businessDay(em, orgId, deps.now());
      const decided = { status, decidedBy: command.actor.id, decidedAt: new Date(deps.now()) };
      const paidOn = status === 'paid' ? today : null;
      Object.assign(row, { ...decided, rejectionReason: reason, paidOn, reference });
      if (status === 'paid') ensureCashCovers(row.cashCents, await trustCashCents(em));
      await em.flush();
      await (status === 'paid' ? post(em, row, today) : releaseLines(em, row.id));
      if (status === 'paid') await fileWhatIsPaid(em, command, row, today);
      const changes = auditedChanges(before, { status, paidOn: row.paidOn, reference });
      writeAudit(em, auditOf(command, `remittance:${decision}`, 'remittance', changes));
      return { remittanceId: row.id };
    },
  });

/** Money returned since it was prepared is no longer the payee's. @throws DomainError not_ready */
async function post(em: EntityManager, { id, kind, payee, parts, through }: Remittance, on: BusinessDate) {
  const source = { sourceType: 'remittance', sourceId: id, date: on } as const;
  const description = `${DESCRIPTIONS[kind]} up to ${through}`;
  for (const entry of remittanceEntries(kind, parts)) postEntry(em, entry, { ...source, description });
  await writeNewRows(em);
  ensureStillOwed(await heldFor(em, { kind, payee }));
}

/** Marks the filings that a payment meets as filed, under its id. */
async function fileWhatIsPaid(em: EntityManager, command: Command<unknown>, paid: Remittance, today: BusinessDate) {
  const { id: reference, paidOn: filedOn } = paid;
  for (const filing of await filingsMetBy(em, paid, today)) {
    const filed = { status: 'filed' as const, filedOn, filedBy: command.actor.id, nextStepOn: null };
    const changes = changedFields({ ...filing }, { ...filing, ...filed });
    em.assign(filing, { ...filed, reference });
    writeAudit(em, auditOf({ ...command, entityId: filing.id }, 'filing:update', 'filing', changes));
  }
}

/** The filings that a payment meets, among those met by paying. */
async function filingsMetBy(em: EntityManager, paid: Remittance, today: BusinessDate): Promise<Filing[]> {
  const { kind, payee: carrier } = paid;
  if (kind === 'tax' || kind === 'stamping') return reportsPaidBy(em, kind, paid);
  if (kind !== 'carrier') return [];
  // Once nothing more is owed to a carrier for a past month, no remittance is due for it.
  const met: Filing[] = [];
  for (const filing of await openRemittancesTo(em, carrier, today)) {
    if (!(await isPremiumDue(em, { carrier, period: filing.period ?? '' }, today))) met.push(filing);
  }
  return met;
}

const DESCRIPTIONS: Readonly<Record<Remittance['kind'], string>> = {
  commission: 'Commission paid to a producer',
  carrier: 'Premium remitted to a carrier',
  tax: 'Surplus lines tax remitted to a state',
  stamping: 'Stamping fees remitted to a stamping office',
  transfer: 'Commission and fees moved to operating cash',
};
