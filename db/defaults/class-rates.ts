// Classes of business with their dollars per $1,000 of revenue, line by line, and the appetite for each. The published
// rates leave appetite open: a class is preferred when its general-liability rate is at most 1.20 (offices, finance,
// real estate, wholesale, non-profits), prohibited or referred when the default contract says so, and standard
// otherwise; in the other lines the classes named `preferred` are the ones their rate shows as mild.
import { PROHIBITED_NAICS, REFER_NAICS } from '../../domain/authority/authority-contract.ts';
import type { Appetite, ClassRate } from '../../domain/submission/rating.ts';

/** NAICS prefixes that share a rate; the appetite is `standard` unless named. */
export type ClassRow = readonly [prefixes: string, rate: string, appetite?: Appetite];

/**
 * Spreads the rows over their prefixes and adds the prohibited and referred classes at the rate of their wider class.
 */
export function classRates(rows: readonly ClassRow[], defaultRate: string): ClassRate[] {
  const named = rows.flatMap(([prefixes, rate, appetite = 'standard']) =>
    prefixes.split(' ').map((naicsPrefix): ClassRate => ({ naicsPrefix, rate, appetite })),
  );
  const special = (prefixes: readonly string[], appetite: Appetite): ClassRate[] =>
    prefixes
      .filter((prefix) => !named.some((row) => row.naicsPrefix === prefix))
      .map((naicsPrefix) => ({ naicsPrefix, rate: widerRate(named, naicsPrefix) ?? defaultRate, appetite }));
  return [...named, ...special(PROHIBITED_NAICS, 'prohibited'), ...special(REFER_NAICS, 'refer')];
}

function widerRate(rows: readonly ClassRate[], naicsPrefix: string): string | undefined {
  const wider = rows.filter((row) => naicsPrefix.startsWith(row.naicsPrefix));
  return wider.sort((a, b) => b.naicsPrefix.length - a.naicsPrefix.length)[0]?.rate;
}

/** General liability: premises and operations. */
export const GL_CLASSES: readonly ClassRow[] = [
  ['541', '0.60', 'preferred'], // professional services
  ['5415', '0.45', 'preferred'], // information technology
  ['52', '0.40', 'preferred'], // finance
  ['53', '1.20', 'preferred'], // real estate
  ['42', '0.75', 'preferred'], // wholesale
  ['44 45', '1.90'], // retail
  ['445', '2.20'], // food retail
  ['31 32 33', '2.10'], // manufacturing
  ['484', '3.00'], // trucking
  ['493', '2.00'], // storage
  ['561720', '4.50'], // janitorial
  ['561730', '6.50'], // landscaping
  ['7225', '4.20'], // restaurants
  ['7224', '12.00', 'refer'], // bars
  ['721', '5.50'], // hotels
  ['8111', '13.75'], // auto repair
  ['236', '7.50'], // general contractors
  ['238', '8.50'], // trades
  ['238160', '28.00', 'refer'], // roofing
  ['62', '1.50'], // health
  ['71', '6.00'], // recreation
  ['813', '0.90', 'preferred'], // non-profits
];

/** Commercial auto: vehicles, distances, passengers. */
export const CA_CLASSES: readonly ClassRow[] = [
  ['541 52 53', '0.80', 'preferred'],
  ['813', '1.10', 'preferred'],
  ['42', '3.20'],
  ['44 45', '2.40'],
  ['31 32 33', '2.20'],
  ['236 238', '5.50'],
  ['484', '16.00'],
  ['4842', '18.50'],
  ['485', '22.00', 'refer'],
  ['492', '14.00'],
  ['5617', '5.00'],
  ['562', '12.00'],
  ['722', '2.00'],
  ['62', '1.80'],
];

/** Motor truck cargo: what is carried for others. */
export const MTC_CLASSES: readonly ClassRow[] = [
  ['484', '4.20'],
  ['4841', '4.00', 'preferred'],
  ['4842', '5.20'],
  ['492', '3.60'],
  ['493', '2.10'],
  ['488510', '1.80', 'preferred'],
  ['42', '1.20'],
];

/** Commercial property: what can burn. */
export const CP_CLASSES: readonly ClassRow[] = [
  ['541 52', '0.50', 'preferred'],
  ['53', '1.40', 'preferred'],
  ['42', '1.10', 'preferred'],
  ['44 45', '1.50'],
  ['31 32 33', '2.00'],
  ['321', '4.50', 'refer'],
  ['493', '1.90'],
  ['7225', '3.40'],
  ['7224', '5.00', 'refer'],
  ['721', '3.00'],
  ['8111', '2.80'],
  ['62', '0.90'],
  ['813', '1.00'],
];

/** Business owners: property and liability of small businesses in one. */
export const BOP_CLASSES: readonly ClassRow[] = [
  ['541', '0.90', 'preferred'],
  ['5415', '0.75', 'preferred'],
  ['52', '0.80', 'preferred'],
  ['53', '1.90', 'preferred'],
  ['42', '1.60', 'preferred'],
  ['44 45', '2.60'],
  ['7225', '6.00'],
  ['7224', '14.00', 'refer'],
  ['721', '7.00'],
  ['8111', '11.00'],
  ['812', '2.40'],
  ['62', '2.10'],
  ['813', '1.50', 'preferred'],
];

/** Professional liability: advice and its errors. */
export const PL_CLASSES: readonly ClassRow[] = [
  ['5411', '6.50'],
  ['5412', '4.00', 'preferred'],
  ['5413', '7.50'],
  ['5415', '4.20', 'preferred'],
  ['5416', '3.50', 'preferred'],
  ['541', '4.50'],
  ['52', '5.00'],
  ['53', '3.80', 'preferred'],
  ['62', '8.00'],
  ['621', '12.00', 'refer'],
  ['813', '1.50', 'preferred'],
];

/** Cyber: records held and dependence on systems. */
export const CYBER_CLASSES: readonly ClassRow[] = [
  ['541', '1.10', 'preferred'],
  ['5415', '1.80'],
  ['518', '2.40', 'refer'],
  ['52', '2.00'],
  ['44 45', '1.20'],
  ['31 32 33', '0.80', 'preferred'],
  ['236 238', '0.50', 'preferred'],
  ['484', '0.70', 'preferred'],
  ['62', '2.60'],
  ['61', '1.90'],
];

/** Umbrella: what exceeds the lines below. */
export const UMB_CLASSES: readonly ClassRow[] = [
  ['541 52', '0.25', 'preferred'],
  ['53', '0.50', 'preferred'],
  ['42', '0.40', 'preferred'],
  ['44 45', '0.70'],
  ['31 32 33', '0.85'],
  ['236', '2.00'],
  ['238', '2.20'],
  ['238160', '6.00', 'refer'],
  ['484', '3.20', 'refer'],
  ['7225', '1.10'],
  ['7224', '3.00', 'refer'],
  ['62', '0.80'],
  ['813', '0.30', 'preferred'],
];

/** Workers compensation: injuries at work, by revenue as a stand-in for payroll. */
export const WC_CLASSES: readonly ClassRow[] = [
  ['541', '0.80', 'preferred'],
  ['52', '0.60', 'preferred'],
  ['53', '1.80'],
  ['42', '2.40'],
  ['44 45', '2.20'],
  ['31 32 33', '4.50'],
  ['484', '11.00'],
  ['561720', '6.00'],
  ['561730', '8.50'],
  ['721', '3.60'],
  ['722', '2.80', 'preferred'],
  ['8111', '5.00'],
  ['236', '9.00'],
  ['238', '11.50'],
  ['238160', '30.00', 'refer'],
  ['62', '2.60'],
  ['813', '1.20', 'preferred'],
];
