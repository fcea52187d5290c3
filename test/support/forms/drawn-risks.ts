// Random risks as a 2016-edition form shows them, with what must be read from each. The same number draws the same
// risk; the expected values are drawn, not read from the form.
import { type FormValues, OTHERS } from './acord-forms.ts';

const NAMES = ['Lone Star Bakery LLC', "O'Brien & Sons, Inc.", 'A-1 Towing', 'Müller Dachbau GmbH', 'Three Rivers Inn'];
const STREETS = ['100 Congress Ave', '9 Pier Road', '2200 N. Mesa St.', '1 Main St'];
const CITIES = [
  ['Austin', 'TX', '78701'],
  ['San Diego', 'CA', '92101'],
  ['Tampa', 'FL', '33602'],
  ['Albany', 'NY', '12207'],
] as const;
const TRADES = [
  ['722511', 'Bakery with a small cafe'],
  ['238160', 'Roofing of homes and shops'],
  ['484110', 'Local trucking of dry goods'],
] as const;

/** Boxes by rank: the first one checked is the line of the risk. */
const LINES = [
  ['CommercialGeneralLiability_A', 'GL'],
  ['BusinessAutoIndicator_A', 'CA'],
  ['UmbrellaIndicator_A', 'UMB'],
  ['CrimeIndicator_A', 'CRIME'],
] as const;
/** We write none of these lines, so one of the others is always checked too. */
const OURS = 3;

export interface DrawnRisk {
  form: FormValues;
  expected: Record<string, unknown>;
  chance: () => number;
}

/**
 * Draws a risk whose policy begins in 2027. Every form shows the agency and an earlier policy; some forms have no date
 * and no e-mail address of the insured, some have several lines, and some have loss rows that say "none".
 */
export function drawnRisk(number: number): DrawnRisk {
  const chance = chanceOf(number);
  const below = (most: number) => Math.floor(chance() * most);
  const oneOf = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  const name = oneOf(NAMES);
  const [city, state, postalCode] = oneOf(CITIES);
  const [naics, description] = oneOf(TRADES);
  const line1 = oneOf(STREETS);
  const revenue = (1 + below(900)) * 12_500;
  const [month, day] = [1 + below(12), 1 + below(28)];
  const years = 1 + below(40);
  const began = 2027 - years;
  const losses = lossesOf(below(4), oneOf(['box', 'words', 'zeros'] as const));
  const first = below(OURS);
  const lines = LINES.filter((_, index) => index === first || (index > first && below(2) === 0));
  const [hasDate, hasEmail, hasNumber] = [below(4) > 0, below(4) > 0, below(2) === 0];
  const phone = `(512) 555-01${String(below(100)).padStart(2, '0')}`;
  const email = `owner${below(1_000)}@risk.example`;
  const written = `${below(2) === 0 ? '$' : ''}${revenue.toLocaleString('en-US')}${below(2) === 0 ? '.00' : ''}`;
  return {
    chance,
    form: {
      ...{ NamedInsured_FullName_A: name, NamedInsured_NAICSCode_A: naics },
      ...{ NamedInsured_MailingAddress_LineOne_A: line1, NamedInsured_MailingAddress_CityName_A: city },
      ...{ NamedInsured_MailingAddress_StateOrProvinceCode_A: state },
      ...{ NamedInsured_MailingAddress_PostalCode_A: postalCode, NamedInsured_Primary_PhoneNumber_A: phone },
      ...(hasEmail ? { NamedInsured_Contact_PrimaryEmailAddress_A: email } : {}),
      // Years count to the policy's effective date, which is in 2027.
      NamedInsured_BusinessStartDate_A: `01/01/${below(2) === 0 ? began : String(began).slice(-2)}`,
      ...(hasDate ? { Policy_EffectiveDate_A: dateText(month, day, 2027, below(2) === 0) } : {}),
      Policy_ExpirationDate_A: dateText(month, day, 2028, below(2) === 0),
      ...Object.fromEntries(lines.map(([box]) => [`Policy_LineOfBusiness_${box}`, true as const])),
      ...{ CommercialStructure_AnnualRevenueAmount_A: written, CommercialPolicy_OperationsDescription_A: description },
      ...(hasNumber ? { CommercialPolicy_RemarkText_A: 'Fleet of 4, USDOT 1,234,567' } : {}),
      ...losses.form,
      ...OTHERS,
    },
    expected: {
      ...{ insuredName: name, naicsCode: naics, annualRevenueCents: revenue * 100, state, description },
      ...(hasDate ? { effectiveDate: `2027-${two(month)}-${two(day)}` } : {}),
      ...{ lineOfBusiness: lines[0]?.[1], additionalLines: lines.slice(1).map(([, line]) => line) },
      ...{ requestedLimitCents: 100_000_000, lossesLast5Years: losses.count, insuredPhone: phone },
      ...(hasEmail ? { insuredEmail: email } : {}),
      ...(hasNumber ? { usdotNumber: '1234567' } : {}),
      // Without a date they count to the day of reading, which is in 2026.
      yearsInBusiness: hasDate ? years : years - 1,
      insuredAddress: { line1, line2: '', city, state, postalCode },
    },
  };
}

/** Loss rows, or one of the ways to say that there are none. */
function lossesOf(count: number, none: 'box' | 'words' | 'zeros'): { form: FormValues; count: number } {
  const row = (letter: string, date: string, description: string, paid: string): FormValues => ({
    [`LossHistory_OccurrenceDate_${letter}`]: date,
    [`LossHistory_OccurrenceDescription_${letter}`]: description,
    [`LossHistory_PaidAmount_${letter}`]: paid,
  });
  const rows = ['A', 'B', 'C'].slice(0, count);
  const losses = rows.map((letter, index) => row(letter, `0${index + 2}/10/2025`, 'Water damage', '$1,200.00'));
  const box: FormValues = { LossHistory_NoPriorLossesIndicator_A: true };
  const zeros = ['A', 'B', 'C'].map((letter) => ({ [`LossHistory_PaidAmount_${letter}`]: '$0.00' }));
  const without = { box, words: row('A', '', 'NONE', ''), zeros: Object.assign({}, box, ...zeros) as FormValues };
  return { form: count === 0 ? without[none] : (Object.assign({}, ...losses) as FormValues), count };
}

const two = (number: number): string => String(number).padStart(2, '0');

const dateText = (month: number, day: number, year: number, isFull: boolean): string =>
  isFull ? `${two(month)}/${two(day)}/${year}` : `${month}/${day}/${year}`;

/** Numbers from 0 to 1; the same seed gives the same ones. */
function chanceOf(seed: number): () => number {
  let state = (seed * 2_654_435_761) | 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 8) / 16_777_216;
  };
}
