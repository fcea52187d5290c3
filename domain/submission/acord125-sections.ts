// The parts of a printed ACORD 125: a label without a word of whose it is stands for what its part is about. Pure.
// Domain 5.1, docs: decisions/0246.
import { plainLabel } from '../document/labelled-values.ts';

/**
 * Whose the values are: the agency's, those of others (earlier carriers, additional interests), those of the premises,
 * or the insured's; in the rest no address is the insured's.
 */
export type Section = 'insured' | 'agency' | 'premises' | 'others' | 'rest';

/** Heading, as `plainLabel` writes it → the part that it begins. */
const HEADINGS: Readonly<Record<string, Section>> = {
  'agency information': 'agency',
  'producer information': 'agency',
  'policy information': 'insured',
  'applicant information': 'insured',
  'contact information': 'insured',
  'premises information': 'premises',
  'additional interest': 'others',
  'additional interests': 'others',
  'prior carrier information': 'others',
  'prior coverage': 'others',
  'prior coverage information': 'others',
  'prior insurance': 'others',
  'general information': 'rest',
  'loss history': 'rest',
};

/** The block of the agency has no heading but its first label; the insured's name ends it. */
const AGENCY = new Set(['agency', 'agency name', 'producer', 'agent', 'broker']);
const INSURED = /^(?:name )?(?:first )?named insured\b|^applicant name$|^name of applicant$|^insured name$/;

/** What a heading says before it explains itself, as in `PREMISES INFORMATION (Attach ACORD 823 for more)`. */
const headingOf = (text: string): string => plainLabel(text.split(/[(:]/, 1)[0] ?? '');

/** Whether a text is the heading of a part. */
export const isHeading = (text: string): boolean => Object.hasOwn(HEADINGS, headingOf(text));

/** The part in which a text stands that comes after a text of another part. */
export function sectionAt(text: string, before: Section): Section {
  const heading = headingOf(text);
  const begun = Object.hasOwn(HEADINGS, heading) ? HEADINGS[heading] : undefined;
  if (begun) return begun;
  if (before === 'insured' && AGENCY.has(heading)) return 'agency';
  return before === 'agency' && INSURED.test(plainLabel(text)) ? 'insured' : before;
}
