// What else an ACORD 125 says, field by field: the kind of business, the agency, the carrier, the policy requested, the
// premises, prior coverage, each loss and the signature. It is kept with the intake for underwriters, and decides
// nothing. Pure. Domain 5.1.
import { isTicked, readCount, readDate, readPhoneNumber, readState, wholeText } from '../document/read-values.ts';
import { type Reading, readDollars } from './acord125-reading.ts';

type Read = (text: string) => string | number | null;

/** Name of a value → the ending of its field's name, and how to read it. */
type Plan = Readonly<Record<string, readonly [string, Read]>>;

const address = (prefix: string): Plan => ({
  line1: [`${prefix}_LineOne`, wholeText],
  line2: [`${prefix}_LineTwo`, wholeText],
  city: [`${prefix}_CityName`, wholeText],
  county: [`${prefix}_CountyName`, wholeText],
  state: [`${prefix}_StateOrProvinceCode`, readState],
  postalCode: [`${prefix}_PostalCode`, wholeText],
});

const SECTIONS: Readonly<Record<string, Plan>> = {
  producer: {
    ...address('Producer_MailingAddress'),
    contactName: ['Producer_ContactPerson_FullName', wholeText],
    contactPhone: ['Producer_ContactPerson_PhoneNumber', readPhoneNumber],
    contactEmail: ['Producer_ContactPerson_EmailAddress', wholeText],
    fax: ['Producer_FaxNumber', wholeText],
    customerId: ['Producer_CustomerIdentifier', wholeText],
    representative: ['Producer_AuthorizedRepresentative_FullName', wholeText],
    stateLicense: ['Producer_StateLicenseIdentifier', wholeText],
    npn: ['Producer_NationalIdentifier', wholeText],
  },
  carrier: {
    naicCode: ['Insurer_NAICCode', wholeText],
    product: ['Insurer_ProductDescription', wholeText],
    productCode: ['Insurer_ProductCode', wholeText],
    producerCode: ['Insurer_ProducerIdentifier', wholeText],
    subProducerCode: ['Insurer_SubProducerIdentifier', wholeText],
    underwriter: ['Insurer_Underwriter_FullName', wholeText],
    underwriterOffice: ['Insurer_Underwriter_OfficeIdentifier', wholeText],
  },
  policy: {
    number: ['Policy_PolicyNumberIdentifier', wholeText],
    formCompletedOn: ['Form_CompletionDate', readDate],
    effectiveTime: ['Policy_Status_EffectiveTime', wholeText],
    paymentSchedule: ['Policy_Payment_PaymentScheduleCode', wholeText],
    paymentMethod: ['Policy_PaymentMethod_MethodDescription', wholeText],
    auditFrequency: ['Policy_Audit_FrequencyCode', wholeText],
    deposit: ['Policy_Payment_DepositAmount', readDollars],
    minimumPremium: ['Policy_Payment_MinimumPremiumAmount', readDollars],
    estimatedTotal: ['Policy_Payment_EstimatedTotalAmount', readDollars],
  },
  insured: {
    contactRole: ['NamedInsured_Contact_ContactDescription', wholeText],
    members: ['NamedInsured_LegalEntity_MemberManagerCount', readCount],
    otherEntity: ['NamedInsured_LegalEntity_OtherDescription', wholeText],
  },
  signature: {
    name: ['NamedInsured_Signature', wholeText],
    date: ['NamedInsured_SignatureDate', readDate],
    initials: ['NamedInsured_Initials', wholeText],
  },
};

const STRUCTURE = 'CommercialStructure';
/** The values of each of the premises and each loss; the field's name ends with the row's letter. */
const ROWS: Readonly<Record<string, { letters: string; plan: Plan }>> = {
  premises: {
    letters: 'ABCD',
    plan: {
      ...address(`${STRUCTURE}_PhysicalAddress`),
      occupiedArea: ['BuildingOccupancy_OccupiedArea', wholeText],
      openToPublicArea: ['BuildingOccupancy_OpenToPublicArea', wholeText],
      operations: ['BuildingOccupancy_OperationsDescription', wholeText],
      buildingArea: ['Construction_BuildingArea', wholeText],
    },
  },
  losses: {
    letters: 'ABCDEFGHIJ',
    plan: {
      occurredOn: ['LossHistory_OccurrenceDate', readDate],
      line: ['LossHistory_LineOfBusiness', wholeText],
      description: ['LossHistory_OccurrenceDescription', wholeText],
      claimedOn: ['LossHistory_ClaimDate', readDate],
      paid: ['LossHistory_PaidAmount', readDollars],
      reserved: ['LossHistory_ReservedAmount', readDollars],
      subrogation: ['LossHistory_ClaimStatus_SubrogationCode', wholeText],
      open: ['LossHistory_ClaimStatus_OpenCode', wholeText],
    },
  },
};

const PRIOR_LINES = ['GeneralLiability', 'Automobile', 'Property', 'OtherLine'];
/** The columns of the earlier policies; A is the latest year. */
const PRIOR_YEARS = 'ABC';

function priorPolicy(line: string): Plan {
  return {
    insurerName: [`PriorCoverage_${line}_InsurerFullName`, wholeText],
    policyNumber: [`PriorCoverage_${line}_PolicyNumberIdentifier`, wholeText],
    totalPremium: [`PriorCoverage_${line}_TotalPremiumAmount`, readDollars],
    effectiveDate: [`PriorCoverage_${line}_EffectiveDate`, readDate],
    expirationDate: [`PriorCoverage_${line}_ExpirationDate`, readDate],
  };
}

/** Name of a value → its boxes, by the ending of their names. One checked box is the value. */
const BOXES: Readonly<Record<string, { field: (box: string) => string; boxes: readonly string[] }>> = {
  legalEntity: {
    field: (box) => `NamedInsured_LegalEntity_${box}Indicator_A`,
    boxes: [
      ...['Corporation', 'Individual', 'JointVenture', 'LimitedLiabilityCorporation', 'NotForProfit', 'Partnership'],
      ...['SubchapterSCorporation', 'Trust'],
    ],
  },
  'policy.transaction': {
    field: (box) => `Policy_Status_${box}Indicator_A`,
    boxes: ['Quote', 'Issue', 'Renew', 'Bound', 'Change', 'Cancel'],
  },
  'policy.billing': { field: (box) => `Policy_Payment_${box}Indicator_A`, boxes: ['DirectBill', 'ProducerBill'] },
  'premises.A.cityLimits': {
    field: (box) => `${STRUCTURE}_RiskLocation_${box}CityLimitsIndicator_A`,
    boxes: ['Inside', 'Outside'],
  },
  'premises.A.interest': {
    field: (box) => `${STRUCTURE}_InsuredInterest_${box}Indicator_A`,
    boxes: ['Owner', 'Tenant', 'Other'],
  },
  safetyManual: {
    field: (box) => `CommercialPolicy_FormalSafetyProgram_${box}Indicator_A`,
    boxes: ['SafetyManual'],
  },
};

/**
 * Records them as `producer.city`, `losses.B.paid` (in dollars), `priorCoverage.GeneralLiability.A.insurerName` or
 * `policy.billing`, each if the form has it.
 */
export function takeListed(reading: Reading): void {
  for (const [section, plan] of Object.entries(SECTIONS)) takeSection(reading, section, plan, 'A');
  const priorCoverage = PRIOR_LINES.map((line) => {
    return [`priorCoverage.${line}`, { letters: PRIOR_YEARS, plan: priorPolicy(line) }] as const;
  });
  for (const [section, { letters, plan }] of [...Object.entries(ROWS), ...priorCoverage]) {
    for (const letter of letters) takeSection(reading, `${section}.${letter}`, plan, letter);
  }
  for (const [name, { field, boxes }] of Object.entries(BOXES))
    takeBox(
      reading,
      name,
      boxes.map((box) => [box, field(box)]),
    );
}

function takeSection(reading: Reading, section: string, plan: Plan, letter: string): void {
  for (const [name, [field, read]] of Object.entries(plan)) {
    reading.takeFrom([`${field}_${letter}`], `${section}.${name}`, read);
  }
}

/** Two checked boxes leave it open. */
function takeBox(reading: Reading, name: string, boxes: readonly [box: string, field: string][]): void {
  const ticked = boxes.flatMap(([box, field]) => {
    const answer = reading.answer(field);
    return answer && isTicked(answer.value) ? [{ box, answer }] : [];
  });
  const [first, second] = ticked;
  if (second) for (const { answer } of ticked) reading.missed(name, answer);
  else if (first) reading.note(name, first.box, first.answer);
}
