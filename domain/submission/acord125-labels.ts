// The labels printed beside the values of an ACORD 125, mapped to the form's fields. Domain 5.1.
import { type Labels, plainLabel } from '../document/labelled-values.ts';
import { NAMES } from './acord125-names.ts';
import { isHeading } from './acord125-sections.ts';

/** Field → the labels that mean it anywhere on the form, as `plainLabel` writes them. */
const LABELS: Readonly<Record<string, readonly string[]>> = {
  [NAMES.insuredName[0]]: [
    'name first named insured and mailing address including zip 4',
    'name first named insured and mailing address',
    'name first named insured',
    'first named insured',
    'named insured',
    'applicant name',
    'name of applicant',
    'insured name',
  ],
  [NAMES.naicsCode[0]]: ['naics code', 'naics'],
  [NAMES.sicCode[0]]: ['sic code', 'sic'],
  [NAMES.glClassCode[0]]: ['gl code', 'gl class code'],
  [NAMES.fein[0]]: ['fein or soc sec', 'fein'],
  [NAMES.effectiveDate[0]]: ['proposed eff date', 'proposed effective date'],
  [NAMES.expirationDate[0]]: ['proposed exp date', 'proposed expiration date'],
  [NAMES.insuredPhone[0]]: ['business phone', 'primary phone'],
  [NAMES.insuredEmail[0]]: ['primary e mail address', 'primary email address'],
  [NAMES.businessStart[0]]: ['date business started', 'business start date', 'date bus started'],
  [NAMES.description[0]]: ['description of primary operations', 'description of operations'],
  [NAMES.producerName[0]]: ['agency name', 'agency', 'producer'],
  [NAMES.carrierName[0]]: ['carrier', 'company'],
  [NAMES.fullTimeEmployees[0]]: ['full time employees', 'full time empl'],
  [NAMES.partTimeEmployees[0]]: ['part time employees', 'part time empl'],
  [NAMES.requestedLimit[0]]: ['each occurrence', 'each occurrence limit', 'limit each occurrence', 'requested limit'],
  [NAMES.remarks[0]]: ['remarks', 'usdot number', 'usdot'],
};

/** Labels that agencies and earlier policies also have: they count less, and only in sections about the insured. */
const PLAIN_LABELS: Readonly<Record<string, readonly string[]>> = {
  [NAMES.effectiveDate[0]]: ['effective date', 'eff date'],
  [NAMES.expirationDate[0]]: ['expiration date', 'exp date'],
  [NAMES.insuredPhone[0]]: ['phone'],
  [NAMES.insuredEmail[0]]: ['e mail address', 'email address', 'email'],
  [NAMES.website[0]]: ['website address', 'website'],
  [NAMES.contactName[0]]: ['contact name'],
};

/** Address labels: the insured's address or, once the premises section begins, the risk's. */
const ADDRESS_LABELS: Readonly<Record<string, readonly string[]>> = {
  LineOne: ['street', 'address line 1', 'street address', 'mailing address'],
  LineTwo: ['address line 2'],
  CityName: ['city'],
  StateOrProvinceCode: ['state'],
  PostalCode: ['zip', 'zip code', 'postal code'],
};

/** Each of several premises states its revenue. */
const REVENUE_LABELS: readonly string[] = ['annual revenues', 'annual revenue', 'annual gross receipts'];
export const LOSS_DATES: readonly string[] = ['date of occurrence', 'occurrence date', 'date of loss'];
export const LOSS_DESCRIPTIONS: readonly string[] = [
  'type description of occurrence or claim',
  'description of occurrence or claim',
  'description of occurrence',
];
export const NO_LOSSES: readonly string[] = ['check if none', 'no prior losses', 'no losses'];

/** Text next to a line of business checkbox → the name of the box. */
export const LINE_LABELS: Readonly<Record<string, string>> = {
  'commercial general liability': 'CommercialGeneralLiability',
  'general liability': 'CommercialGeneralLiability',
  'business auto': 'BusinessAuto',
  'commercial auto': 'BusinessAuto',
  truckers: 'Truckers',
  'motor carrier': 'MotorCarrier',
  'business owners': 'BusinessOwners',
  'commercial property': 'CommercialProperty',
  property: 'CommercialProperty',
  'motor truck cargo': 'MotorTruckCargo',
  'professional liability': 'ProfessionalLiability',
  umbrella: 'Umbrella',
  'cyber and privacy': 'CyberAndPrivacy',
  cyber: 'CyberAndPrivacy',
  'workers compensation': 'WorkersCompensation',
  'commercial inland marine': 'CommercialInlandMarine',
  'inland marine': 'CommercialInlandMarine',
  crime: 'Crime',
  'boiler machinery': 'BoilerAndMachinery',
};

/** Label → a field, or part of an address. */
export type Meaning = { field: string; isPlain?: true } | { part: string } | { isRevenue: true };

const MEANINGS = new Map<string, Meaning>([
  ...Object.entries(LABELS).flatMap(([field, all]) => all.map((label): [string, Meaning] => [label, { field }])),
  ...Object.entries(PLAIN_LABELS).flatMap(([field, all]) =>
    all.map((label): [string, Meaning] => [label, { field, isPlain: true }]),
  ),
  ...Object.entries(ADDRESS_LABELS).flatMap(([part, all]) => all.map((label): [string, Meaning] => [label, { part }])),
  ...REVENUE_LABELS.map((label): [string, Meaning] => [label, { isRevenue: true }]),
]);

/** The labels of the form. */
export const FORM_LABELS: Labels<Meaning> = {
  meaningOf: (text) => MEANINGS.get(plainLabel(text)) ?? null,
  isLabel: (text) => {
    const plain = plainLabel(text);
    return MEANINGS.has(plain) || Object.hasOwn(LINE_LABELS, plain) || isHeading(text) || text.trimEnd().endsWith(':');
  },
};
