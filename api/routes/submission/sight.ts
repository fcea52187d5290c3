// What a caller may see of flags and clearance: a producer does not learn of another's submissions, how much premium
// the organization writes, or which sanctions list entry a name resembles. Contract 2 "producer", 3.1.
import type { EntityManager } from '@mikro-orm/postgresql';
import type { StoredClearance } from '../../../db/entities/submission/submission.ts';
import { visibleSubmissions } from '../../../db/queries/submission/submissions.ts';
import type { DaFlag } from '../../../domain/authority/authority.ts';
import { type Actor, visibility } from '../../../domain/permissions.ts';
import type { ClearanceWire } from './submissions.schemas.ts';

/** What a caller may see of others' data. */
export interface Sight {
  /** Whether they see the organization's volume. */
  seesVolume: boolean;
  /** Whether they see the entries of sanctions lists that an insured's name resembles. */
  seesScreening: boolean;
  /** The submissions they may read; null for all. */
  submissionIds: ReadonlySet<string> | null;
}

/** A row that may name other submissions: a submission by its clearance, a quote or transaction by its flags. */
export interface Naming {
  clearance?: StoredClearance | null;
  daFlags?: readonly DaFlag[];
}

/** Reads what a caller may see of what these rows name. */
export async function sightOf(em: EntityManager, actor: Actor, rows: readonly (Naming | null)[]): Promise<Sight> {
  const seen = visibility(actor, 'submission:read');
  if (actor.role !== 'producer') return { seesVolume: true, seesScreening: true, submissionIds: null };
  const ids = rows.flatMap((row) => [
    row?.clearance?.duplicateOf ?? [],
    ...(row?.daFlags ?? []).map(({ code, actual }) => (code === DUPLICATE && actual !== null ? String(actual) : [])),
  ]);
  return {
    seesVolume: false,
    seesScreening: false,
    submissionIds: new Set(await visibleSubmissions(em, ids.flat(), seen)),
  };
}

/** Returns flags as a caller may see them: the same flags, minus values they may not know. */
export function flagsInSight<Flag extends Pick<DaFlag, 'code' | 'limit' | 'actual'>>(
  flags: readonly Flag[],
  { seesVolume, submissionIds }: Sight,
): Flag[] {
  return flags.map((flag) => {
    if (VOLUME.includes(flag.code) && !seesVolume) return { ...flag, limit: null, actual: null };
    const isHidden = flag.code === DUPLICATE && submissionIds?.has(String(flag.actual)) === false;
    return isHidden ? { ...flag, actual: null } : flag;
  });
}

/** Returns a clearance as a caller may see it. */
export function clearanceInSight(
  clearance: StoredClearance | null,
  { seesScreening, submissionIds }: Sight,
): ClearanceWire | null {
  if (clearance === null) return null;
  const { duplicateOf, sanctionsMatches } = clearance;
  const isHidden = duplicateOf !== null && submissionIds?.has(duplicateOf) === false;
  return { duplicateOf: isHidden ? null : duplicateOf, sanctionsMatches: seesScreening ? sanctionsMatches : null };
}

const DUPLICATE: DaFlag['code'] = 'CLEARANCE_DUPLICATE';
const VOLUME: readonly DaFlag['code'][] = ['DA_AGGREGATE_EXCEEDED', 'DA_AGGREGATE_APPROACHING'];
