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
  /** The last day of the license, as the registries of the states give it. */
  expirationDate: BusinessDate;
}

/** What a license is worth on a date: an active one has expired when its last day is over. */
export function licenseStatusOn({ status, expirationDate }: License, date: BusinessDate): LicenseStatus {
  return status === 'active' && expirationDate < date ? 'expired' : status;
}

/**
 * Whether the licenses allow to sell a line in a state on a date. Where no license of the state is on file, the
 * appointment stands for it: a carrier appoints licensed producers only. A license without lines covers all of them;
 * one with a line that is none of ours does not.
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

/** A renewal that is due for a license. */
export interface DueRenewal {
  state: string;
  licenseNumber: string;
  dueDate: BusinessDate;
}

/** How the open renewals on file become those that the licenses require. `filed` are those that were renewed. */
export interface RenewalChanges<Row> {
  filed: Row[];
  withdrawn: Row[];
  added: DueRenewal[];
}

/**
 * Compares the open renewals of a producer with their licenses. A license with a later end was renewed; one that is
 * gone, suspended or shortened takes its renewal back. A producer who has left renews nothing.
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
