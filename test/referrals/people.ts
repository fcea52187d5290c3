// Who decides in the referral trial, and what each of them may decide: stated a second time, slowly and independently
// of domain/permissions.ts, with every limit written out.

/** A person in the organization; limits in dollars, null without limits of their own. */
export interface Person {
  name: string;
  role: 'underwriter' | 'org_admin' | 'auditor' | 'claims_supervisor';
  limits: { limit: number; premium: number; lines: string[] | null } | null;
}

/** What is to be decided, in dollars; a null premium is not known yet. */
export interface Matter {
  requestedBy: string;
  limit: number;
  premium: number | null;
}

/** Limits of a new organization's contract. */
const CONTRACT = { limit: 2_000_000, premium: 100_000 };
/** Every risk in the trial is in this line. */
const LINE = 'GL';

const underwriter = (name: string, limits: Person['limits'] = null): Person => ({ name, role: 'underwriter', limits });

/** They make requests, and may decide those of others. */
export const REQUESTERS: readonly Person[] = ['ann', 'ben', 'cay'].map((name) => underwriter(name));

export const PEOPLE: readonly Person[] = [
  ...REQUESTERS,
  underwriter('up-to-half-a-million', { limit: 500_000, premium: 100_000, lines: null }),
  underwriter('up-to-a-million', { limit: 1_000_000, premium: 100_000, lines: [LINE] }),
  underwriter('up-to-two-millions', { limit: 2_000_000, premium: 100_000, lines: null }),
  underwriter('up-to-ten-millions', { limit: 10_000_000, premium: 1_000_000, lines: null }),
  underwriter('of-small-premiums', { limit: 2_000_000, premium: 4_500, lines: null }),
  underwriter('of-another-line', { limit: 2_000_000, premium: 100_000, lines: ['CA'] }),
  underwriter('deputy-of-one', { limit: 500_000, premium: 100_000, lines: null }),
  underwriter('deputy-of-all', { limit: 500_000, premium: 100_000, lines: null }),
  { name: 'head', role: 'org_admin', limits: null },
  { name: 'reader', role: 'auditor', limits: null },
  { name: 'of-claims', role: 'claims_supervisor', limits: null },
];

/** The deputy, and who has lent them their authority. */
export const LENT: readonly (readonly [deputy: string, lender: string])[] = [
  ['deputy-of-one', 'up-to-a-million'],
  ['deputy-of-all', 'head'],
  ['deputy-of-all', 'ann'],
];

/** Whether a person may decide it. */
export function slowlyMayDecide(person: Person, matter: Matter): boolean {
  if (person.role !== 'underwriter' && person.role !== 'org_admin') return false;
  if (person.name === matter.requestedBy) return false;
  if (reaches(person, matter)) return true;
  for (const [deputy, lenderName] of LENT) {
    if (deputy !== person.name || lenderName === matter.requestedBy) continue;
    const lender = PEOPLE.find(({ name }) => name === lenderName);
    if (lender !== undefined && reaches(lender, matter)) return true;
  }
  return false;
}

function reaches({ role, limits }: Person, { limit, premium }: Matter): boolean {
  if (role === 'org_admin') return true;
  if (limit > CONTRACT.limit) return false;
  if (premium !== null && premium > CONTRACT.premium) return false;
  if (limits === null) return true;
  if (limit > limits.limit) return false;
  if (premium !== null && premium > limits.premium) return false;
  return limits.lines === null || limits.lines.includes(LINE);
}
