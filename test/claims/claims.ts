// Claims that go through random deeds while workers and Temporal are killed, a few policies at a time: each must match
// the model, no limit may be exceeded, and in the end the loss fund, the ledger and the model must agree.
import type { PatientClient } from '../chaos/patient-client.ts';
import { Rows } from '../faults/bind.ts';
import { onDyingWorkers, type Surroundings } from '../faults/dying-workers.ts';
import type { OwnTemporal } from '../faults/own-temporal.ts';
import { signToken } from '../support/tokens.ts';
import type { ClaimModel } from './claim-model.ts';
import { liveOnTerm } from './claims-of-term.ts';
import { bringToRest, deposit, fundFindings } from './fund-at-rest.ts';

const CLAIMS_OF_A_TERM = 10;
/** Too little for everyone, so that some payments wait for the carrier. */
const FIRST_DEPOSIT = 500_000_00;

export interface ClaimsOptions {
  /** The first policy's seed; the others follow. */
  seed: number;
  lives: number;
  termsAtATime: number;
  /** How many commands are answered between two deaths of a worker. */
  answersBetween: number;
  dataDir: string;
  /** A running server that is killed too; without it, only workers are. */
  temporal?: OwnTemporal;
  report: (line: string) => void;
}

export interface ClaimsReport {
  lives: number;
  payments: number;
  commands: number;
  killed: number;
  findings: string[];
}

/** Runs it on the servers that the environment names; stops whatever it started. */
export async function runClaims(options: ClaimsOptions): Promise<ClaimsReport> {
  const { seed, answersBetween, dataDir, temporal } = options;
  const dying = { title: `claims-${seed}`, answersBetween, dataDir, temporal };
  const { result, killed } = await onDyingWorkers(dying, (around) => claims(around, options));
  return { ...result, killed };
}

async function claims(around: Surroundings, { seed, lives, termsAtATime, report }: ClaimsOptions) {
  const { admin, orgId } = await found(around);
  let depositedCents = await deposit(admin, FIRST_DEPOSIT, 'The first');
  const lived: ClaimModel[] = [];
  const findings: string[] = [];
  const queue = termsOf(seed, lives).values();
  const takeTurns = async () => {
    for (const term of queue) {
      try {
        lived.push(...(await liveOnTerm(admin, term.seed, term.claims)));
      } catch (error) {
        findings.push(`policy ${term.seed}: ${(error as Error).message}`);
        report(findings.at(-1) ?? '');
      }
      report(`${lived.length} lives, ${around.answered()} commands, ${findings.length} findings`);
    }
  };
  await Promise.all(Array.from({ length: termsAtATime }, takeTurns));
  await around.calm();
  depositedCents += await bringToRest(around, admin, orgId);
  // Without all of the claims the sums mean nothing.
  if (findings.length === 0)
    findings.push(...(await fundFindings(around, admin, { orgId, claims: lived, depositedCents })));
  const payments = lived.reduce((sum, claim) => sum + claim.payments.length, 0);
  return { lives: lived.length, payments, commands: around.answered(), findings };
}

function termsOf(seed: number, lives: number): { seed: number; claims: number }[] {
  const terms: { seed: number; claims: number }[] = [];
  for (let left = lives; left > 0; left -= CLAIMS_OF_A_TERM) {
    terms.push({ seed: seed + terms.length, claims: Math.min(left, CLAIMS_OF_A_TERM) });
  }
  return terms;
}

async function found({ machine, platform, database }: Surroundings): Promise<{ admin: PatientClient; orgId: string }> {
  const { id: orgId } = await machine.command('/v1/organizations', { name: 'Claims', tier: 'enterprise' });
  const admin = machine.within(() => signToken(platform.config, { role: 'org_admin', org: orgId }));
  await new Rows(database.ownerUrl).query(
    'update da_contracts set max_annual_premium_volume_cents = 10000000000 where org_id = $1',
    [orgId],
  );
  return { admin, orgId };
}
