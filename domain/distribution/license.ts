// A producer's licenses by state: when they are in force, what they cover, when they must be renewed. Contract 3.7.
import type { BusinessDate } from '../dates.ts';

export const LICENSE_STATUSES = ['active', 'expired', 'suspended'] as const;
export type LicenseStatus = (typeof LICENSE_STATUSES)[number];

export interface License {
  state: string;
  number: string;
  /** Codes of lines of business; empty for every line. */
  lines: string[];
  status: LicenseStatus;
  /** The last day of the license, per the state registry. */
  expirationDate: BusinessDate;
}

/** A license's status on a date: an active one has expired once its last day is over. */
export function licenseStatusOn({ status, expirationDate }: License, date: BusinessDate): LicenseStatus {
  return status === 'active' && expirationDate < date ? 'expired' : status;
}

/**
 * Whether the licenses allow selling a line in a state on a date. If no license for the state is on file, the
 * appointment stands in for it: carriers appoint only licensed producers. A license without lines covers all lines;
 * one that lists only lines we do not write does not.
 */
export function isLicensed(
  licenses: readonly License[],
  { state, lineOfBusiness, date }: { state: string; lineOfBusiness: string; date: BusinessDate },
): boolean {
  const ofState = licenses.filter((license) => license.state === state);
  if (ofState.length === 0) return true;
  return ofState.some(
    (license) =>
      licenseStatusOn(license, date) === 'active' &&
      (license.lines.length === 0 || license.lines.includes(lineOfBusiness)),
  );
}

/** A renewal due for a license. */
export interface DueRenewal {
  state: string;
  licenseNumber: string;
  dueDate: BusinessDate;
}

/** The changes that turn the open renewals on file into those that the licenses require. `filed` are those renewed. */
export interface RenewalChanges<Row> {
  filed: Row[];
  withdrawn: Row[];
  added: DueRenewal[];
}

/**
 * Compares the open renewals of a producer with their licenses. A license with a later end date was renewed; one
 * removed, suspended or shortened withdraws its renewal. A producer who has left renews nothing.
 */
export function renewalChanges<
  Row extends { state: string | null; licenseNumber: string | null; dueDate: BusinessDate },
>(open: readonly Row[], licenses: readonly License[]): RenewalChanges<Row> {
  const required = licenses.filter(({ status }) => status !== 'suspended').map(renewalOf);
  const wanted = new Map(required.map((due) => [licenseKey(due), due]));
  const isKept = (row: Row) => wanted.get(licenseKey(row))?.dueDate === row.dueDate;
  const isRenewed = (row: Row) => row.dueDate < (wanted.get(licenseKey(row))?.dueDate ?? '');
  const left = open.filter((row) => !isKept(row));
  const kept = new Set(open.filter(isKept).map(licenseKey));
  return {
    filed: left.filter(isRenewed),
    withdrawn: left.filter((row) => !isRenewed(row)),
    added: [...wanted.values()].filter((due) => !kept.has(licenseKey(due))),
  };
}

function licenseKey({ state, licenseNumber }: { state: string | null; licenseNumber: string | null }): string {
  return `${state} ${licenseNumber}`;
}

function renewalOf({ state, number, expirationDate }: License): DueRenewal {
  return { state, licenseNumber: number, dueDate: expirationDate };
}
