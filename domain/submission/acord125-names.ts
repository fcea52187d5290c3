// The field names of an ACORD 125, across editions and spellings, mapped to our facts. Includes ACORD 126 names for
// files with both forms. Domain 5.1.

/** `F[0].P1[0].Name[0]`, `form1.#subform[0].Name` and `Name` are the same field. */
export function bareName(name: string): string {
  const [bare = ''] = (name.split('.').at(-1) ?? '').split('[', 1);
  return bare.toLowerCase();
}

const STRUCTURE = 'CommercialStructure_PhysicalAddress';
const MAILING = 'NamedInsured_MailingAddress';

/** Fact → the fields that hold it, most trusted first. */
export const NAMES = {
  insuredName: [
    'NamedInsured_FullName_A',
    'Insured_FullName_A',
    'ACORD_Policy_Insured1_Name',
    'NamedInsured_Name_A',
    'NamedInsured',
    'Insured_Name',
  ],
  naicsCode: ['NamedInsured_NAICSCode_A', 'BusinessInformation_NAICSCode_A', 'NAICSCode', 'NAICS'],
  effectiveDate: ['Policy_EffectiveDate_A', 'Policy_Status_EffectiveDate_A', 'ACORD_Policy_EffectiveDate'],
  expirationDate: ['Policy_ExpirationDate_A', 'ACORD_Policy_ExpirationDate'],
  state: [`${STRUCTURE}_StateOrProvinceCode_A`, `${MAILING}_StateOrProvinceCode_A`, 'ACORD_Policy_Insured1_State'],
  requestedLimit: ['GeneralLiability_EachOccurrence_LimitAmount_A', 'Vehicle_CombinedSingleLimit_LimitAmount_A'],
  otherRevenue: ['BusinessInformation_AnnualRevenueAmount_A', 'NamedInsured_AnnualRevenue_A', 'AnnualRevenue'],
  otherLine: ['Policy_LineOfBusiness_OtherLineOfBusinessDescription_A'],
  insuredEmail: ['NamedInsured_Contact_PrimaryEmailAddress_A', 'NamedInsured_Primary_EmailAddress_A'],
  insuredPhone: ['NamedInsured_Primary_PhoneNumber_A', 'NamedInsured_Contact_PrimaryPhoneNumber_A'],
  mailingLine1: [`${MAILING}_LineOne_A`, 'ACORD_Policy_Insured1_Address1'],
  mailingLine2: [`${MAILING}_LineTwo_A`],
  mailingCity: [`${MAILING}_CityName_A`, 'ACORD_Policy_Insured1_City'],
  mailingState: [`${MAILING}_StateOrProvinceCode_A`, 'ACORD_Policy_Insured1_State'],
  mailingPostalCode: [`${MAILING}_PostalCode_A`, 'ACORD_Policy_Insured1_PostalCode'],
  businessStart: ['NamedInsured_BusinessStartDate_A', 'BusinessInformation_BusinessStartDate_A'],
  description: ['CommercialPolicy_OperationsDescription_A', 'BuildingOccupancy_OperationsDescription_A'],
  remarks: ['CommercialPolicy_RemarkText_A'],
  sicCode: ['NamedInsured_SICCode_A', 'BusinessInformation_SICCode_A'],
  glClassCode: ['NamedInsured_GeneralLiabilityCode_A'],
  fein: ['NamedInsured_TaxIdentifier_A'],
  website: ['NamedInsured_Primary_WebsiteAddress_A'],
  contactName: ['NamedInsured_Contact_FullName_A'],
  producerName: ['Producer_FullName_A'],
  carrierName: ['Insurer_FullName_A'],
  fullTimeEmployees: ['BusinessInformation_FullTimeEmployeeCount_A'],
  partTimeEmployees: ['BusinessInformation_PartTimeEmployeeCount_A'],
  noPriorLosses: ['LossHistory_NoPriorLossesIndicator_A'],
  totalLosses: ['LossHistory_TotalAmount_A'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type FactName = keyof typeof NAMES;

/** Premises, each with its revenue. */
export const REVENUES: readonly string[] = ['A', 'B', 'C', 'D'].map(
  (row) => `CommercialStructure_AnnualRevenueAmount_${row}`,
);

/** What a row of the loss history may hold; a row with none of it is empty. */
export const LOSS_ROWS: readonly (readonly string[])[] = [...'ABCDEFGHIJ'].map((row) =>
  ['OccurrenceDate', 'ClaimDate', 'OccurrenceDescription', 'PaidAmount', 'ReservedAmount'].map(
    (part) => `LossHistory_${part}_${row}`,
  ),
);

/** Line of business checkboxes, without the `Indicator` that only some of them have → our code. */
export const LINE_BOXES: Readonly<Record<string, string>> = {
  CommercialGeneralLiability: 'GL',
  GeneralLiability: 'GL',
  BusinessAuto: 'CA',
  Truckers: 'CA',
  MotorCarrier: 'CA',
  BusinessOwners: 'BOP',
  CommercialProperty: 'CP',
  Property: 'CP',
  MotorTruckCargo: 'MTC',
  ProfessionalLiability: 'PL',
  Umbrella: 'UMB',
  CyberAndPrivacy: 'CYBER',
  WorkersCompensation: 'WC',
  CommercialInlandMarine: 'IM',
  Crime: 'CRIME',
  BoilerAndMachinery: 'BM',
  Other: 'OTHER',
};

/** The name of a line's checkbox. */
export const lineBox = (line: string): string => `Policy_LineOfBusiness_${line}Indicator_A`;

/** Its checkbox without `Indicator`, as the other half of them are named. */
export const plainLineBox = (line: string): string => `Policy_LineOfBusiness_${line}_A`;

/** If several lines are checked, the first in this list is the submission's, the others are additional. */
export const LINE_RANK: readonly string[] = [
  ...['GL', 'CA', 'BOP', 'CP', 'MTC', 'PL', 'UMB', 'CYBER', 'WC'],
  ...['IM', 'CRIME', 'BM', 'OTHER'],
];

/** A premium for a line shows that it is wanted if its checkbox could not be read. */
export const LINE_PREMIUMS: Readonly<Record<string, string>> = {
  GeneralLiabilityLineOfBusiness_TotalPremiumAmount_A: 'GL',
  CommercialVehicleLineOfBusiness_PremiumAmount_A: 'CA',
  CommercialPropertyLineOfBusiness_PremiumAmount_A: 'CP',
  CommercialUmbrellaLineOfBusiness_PremiumAmount_A: 'UMB',
  CommercialInlandMarineLineOfBusiness_PremiumAmount_A: 'IM',
};

/** Lines without their own checkbox, as people write them in next to the "other" box. */
export const WRITTEN_LINES: readonly (readonly [RegExp, string])[] = [
  [/cargo/i, 'MTC'],
  [/professional|errors\s*(and|&)\s*omissions|e\s*&\s*o/i, 'PL'],
  [/workers'?\s*comp/i, 'WC'],
  [/cyber/i, 'CYBER'],
  [/umbrella|excess/i, 'UMB'],
  [/general\s+liability/i, 'GL'],
  [/auto|truck/i, 'CA'],
];

const KNOWN: ReadonlySet<string> = new Set(
  [
    ...Object.values(NAMES).flat(),
    ...REVENUES,
    ...Object.keys(LINE_BOXES).flatMap((line) => [lineBox(line), plainLineBox(line)]),
  ].map((name) => name.toLowerCase()),
);

/** Whether a bare name belongs to a field that we read. */
export const isKnownField = (name: string): boolean => KNOWN.has(name);
