// The sections of a printed ACORD 125: a label that does not say whose value it is belongs to its section's subject.
// Pure. Domain 5.1, docs: decisions/0246.
import { plainLabel } from '../document/labelled-values.ts';

/**
 * Whose values they are: the agency's, third parties' (prior carriers, additional interests), the premises', or the
 * insured's; in the rest no address is the insured's.
 */
export type Section = 'insured' | 'agency' | 'premises' | 'others' | 'rest';

/** Heading, as `plainLabel` writes it → the section that it begins. */
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

/** The agency block's only heading is its first label; the insured's name ends it. */
const AGENCY = new Set(['agency', 'agency name', 'producer', 'agent', 'broker']);
const INSURED = /^(?:name )?(?:first )?named insured\b|^applicant name$|^name of applicant$|^insured name$/;

/** The part of a heading before its explanation, as in `PREMISES INFORMATION (Attach ACORD 823 for more)`. */
const headingOf = (text: string): string => plainLabel(text.split(/[(:]/, 1)[0] ?? '');

/** Whether a text is a section heading. */
export const isHeading = (text: string): boolean => Object.hasOwn(HEADINGS, headingOf(text));

/** The section of a text that follows a text of the given section. */
export function sectionAt(text: string, before: Section): Section {
  const heading = headingOf(text);
  const begun = Object.hasOwn(HEADINGS, heading) ? HEADINGS[heading] : undefined;
  if (begun) return begun;
  if (before === 'insured' && AGENCY.has(heading)) return 'agency';
  return before === 'agency' && INSURED.test(plainLabel(text)) ? 'insured' : before;
}
