import test from 'ava';
import type { FormField, PdfContent } from '../../../domain/document/content.ts';
import { readAcord125 } from '../../../domain/submission/acord125.ts';

const TODAY = '2026-11-22';

const field = (name: string, value: string | boolean, page = 1): FormField => ({ page, name, value });
const form = (...fields: FormField[]): PdfContent => ({ pageCount: 4, fields, texts: [] });
const facts = (content: PdfContent) => readAcord125(content, TODAY).facts;

test('a field counts under its full name, its bare name and the names of other editions', (t) => {
  for (const name of [
    'F[0].P1[0].NamedInsured_FullName_A[0]',
    'NamedInsured_FullName_A',
    'form1[0].#subform[0].Insured_FullName_A[0]',
    'ACORD_Policy_Insured1_Name',
    'NamedInsured',
  ]) {
    t.is(facts(form(field(name, ' Acme\n LLC '))).insuredName, 'Acme LLC', name);
  }
});

test('a fallback counts only where the field itself is empty or holds something else', (t) => {
  const { facts: found, intake } = readAcord125(
    form(
      field('NamedInsured_NAICSCode_A', 'bakery'),
      field('BusinessInformation_NAICSCode_A', '7225-11', 2),
      field('NamedInsured_MailingAddress_StateOrProvinceCode_A', 'OK'),
      field('CommercialStructure_PhysicalAddress_StateOrProvinceCode_A', 'Texas', 2),
    ),
    TODAY,
  );
  t.like(found, { naicsCode: '722511', state: 'TX' });
  t.deepEqual(intake.unread, [{ name: 'naicsCode', page: 1, field: 'NamedInsured_NAICSCode_A' }]);
  const naics = intake.values.find(({ name }) => name === 'naicsCode');
  t.deepEqual(naics, {
    ...{ name: 'naicsCode', value: '722511', page: 2, field: 'BusinessInformation_NAICSCode_A', confidence: 0.95 },
  });
});

test('money is read with dollar signs, commas and words, and revenues of premises are added up', (t) => {
  const revenue = (row: string) => `CommercialStructure_AnnualRevenueAmount_${row}`;
  const sum = facts(
    form(field(revenue('A'), '$1,200,000.50'), field(revenue('B'), 'USD 300,000'), field(revenue('D'), '0.5M')),
  );
  t.is(sum.annualRevenueCents, 200_000_050);
  const business = facts(form(field('NamedInsured_AnnualRevenue_A', '2 million'), field('NamedInsured', 'Acme')));
  t.is(business.annualRevenueCents, 200_000_000);
  t.is(facts(form(field(revenue('A'), 'n/a'), field('NamedInsured', 'Acme'))).annualRevenueCents, undefined);
});

test('a revenue that cannot be read is unread and makes no smaller sum; nothing is taken for more than it says', (t) => {
  const revenue = (row: string) => `CommercialStructure_AnnualRevenueAmount_${row}`;
  for (const text of ['approx 4 million', '($600,000)', '-5', 'n/a']) {
    const { facts: found, intake } = readAcord125(
      form(field(revenue('A'), '$600,000'), field(revenue('B'), text, 2)),
      TODAY,
    );
    t.is(found.annualRevenueCents, undefined, text);
    t.deepEqual(intake.unread, [{ name: 'annualRevenue', page: 2, field: revenue('B') }], text);
  }
  t.is(facts(form(field(revenue('A'), '$600,000'), field(revenue('B'), '$0'))).annualRevenueCents, 60_000_000);
});

test('a value that is too long, garbled or no such value as the API takes is unread', (t) => {
  const { facts: found, intake } = readAcord125(
    form(
      field('NamedInsured_FullName_A', 'A'.repeat(201)),
      field('NamedInsured_Primary_EmailAddress_A', 'a\u0000@b.co'),
      field('NamedInsured_MailingAddress_LineOne_A', 'þÿ E v i lØ'),
    ),
    TODAY,
  );
  t.like(found, { insuredName: undefined, insuredEmail: undefined });
  t.deepEqual(intake.unread.map(({ name }) => name).sort(), ['insuredEmail', 'insuredName', 'mailingLine1']);
});

test('dates are American, with two or four digits of the year, and must exist', (t) => {
  const effective = (text: string) => facts(form(field('Policy_EffectiveDate_A', text))).effectiveDate;
  t.is(effective('03/01/2027'), '2027-03-01');
  t.is(effective('3-1-27'), '2027-03-01');
  t.is(effective('March 1, 2027'), '2027-03-01');
  t.is(effective('2027-03-01'), '2027-03-01');
  t.is(effective('3/1/98'), '1998-03-01');
  t.is(effective('02/30/2027'), undefined);
  t.is(effective('13/01/2027'), undefined);
});

test('the first by rank of several ticked lines is the submission, whatever the form calls a tick', (t) => {
  const { facts: found, intake } = readAcord125(
    form(
      field('Policy_LineOfBusiness_CrimeIndicator_A', 'Yes'),
      field('Policy_LineOfBusiness_BusinessAutoIndicator_A', '1'),
      field('Policy_LineOfBusiness_CommercialGeneralLiability_A', true),
      field('Policy_LineOfBusiness_CommercialProperty_A', false),
      field('Policy_LineOfBusiness_UmbrellaIndicator_A', 'Off'),
    ),
    TODAY,
  );
  t.is(found.lineOfBusiness, 'GL');
  t.deepEqual(intake.additionalLines, ['CA', 'CRIME']);
});

test('a line that we do not write is no line of ours, and one without a box is read where it is written', (t) => {
  const { facts: found, intake } = readAcord125(
    form(field('Policy_LineOfBusiness_CommercialInlandMarineIndicator_A', true)),
    TODAY,
  );
  t.is(found.lineOfBusiness, undefined);
  t.deepEqual(intake.additionalLines, ['IM']);
  const cargo = field('Policy_LineOfBusiness_OtherLineOfBusinessDescription_A', 'Motor Truck Cargo');
  t.is(facts(form(cargo, field('Policy_LineOfBusiness_OtherIndicator_A', true))).lineOfBusiness, 'MTC');
});

test('a limit that the form does not have is the usual one until it is confirmed', (t) => {
  const without = readAcord125(form(field('NamedInsured', 'Acme')), TODAY);
  t.is(without.facts.requestedLimitCents, 100_000_000);
  t.deepEqual(without.intake.assumed, ['requestedLimit']);
  const limit = field('GeneralLiability_EachOccurrence_LimitAmount_A', '$2,000,000');
  const named = readAcord125(form(limit), TODAY);
  t.is(named.facts.requestedLimitCents, 200_000_000);
  t.deepEqual(named.intake.assumed, []);
});

test('losses are those of the five years before the effective date; none ticked is zero, nothing said is unknown', (t) => {
  const losses = (...fields: FormField[]) =>
    facts(form(field('Policy_EffectiveDate_A', '03/01/2027'), ...fields)).lossesLast5Years;
  t.is(losses(), undefined);
  t.is(losses(field('LossHistory_NoPriorLossesIndicator_A', true)), 0);
  const dated = (row: string, date: string) => field(`LossHistory_OccurrenceDate_${row}`, date, 4);
  t.is(losses(dated('A', '03/01/2022'), dated('B', '02/28/2022'), dated('C', '12/31/2026')), 2);
  t.is(losses(field('LossHistory_OccurrenceDescription_A', 'Slip and fall', 4)), 1);
  t.is(losses(dated('A', '04/10/98')), 0);
});

test('a row of losses that says "none" or only zeros is no loss', (t) => {
  const losses = (...rows: [part: string, text: string][]) =>
    facts(form(field('NamedInsured', 'Acme'), ...rows.map(([part, text]) => field(`LossHistory_${part}`, text, 4))))
      .lossesLast5Years;
  for (const none of ['NONE', 'n/a', 'No prior losses', 'None in the past five years.', 'No claims reported'])
    t.is(losses(['OccurrenceDescription_A', none], ['PaidAmount_A', '$0.00']), 0, none);
  t.is(losses(['PaidAmount_A', '$0.00'], ['PaidAmount_B', '0'], ['PaidAmount_C', '-']), undefined);
  t.is(losses(['PaidAmount_A', '$0.00'], ['PaidAmount_B', '$1,200']), 1);
  t.is(losses(['PaidAmount_A', '$0.00'], ['ReservedAmount_A', '$25,000']), 1);
  t.is(losses(['PaidAmount_A', '$0.00'], ['ReservedAmount_A', '$0.00']), undefined);
  t.is(losses(['OccurrenceDate_A', '04/10/2025'], ['OccurrenceDescription_A', 'None'], ['PaidAmount_A', '$0']), 1);
  t.is(losses(['OccurrenceDescription_A', 'No brakes on a hill']), 1);
});

test('the number of a trucker is read with its commas, and a number that ends oddly is none', (t) => {
  const number = (text: string) => facts(form(field('CommercialPolicy_RemarkText_A', text))).usdotNumber;
  t.is(number('Fleet of 4. USDOT 1,234,567'), '1234567');
  t.is(number('US DOT # 1234567, MC-99'), '1234567');
  t.is(number('USDOT 1234,567'), undefined);
});

test('years in business are whole years at the effective date', (t) => {
  const years = (began: string) =>
    facts(form(field('Policy_EffectiveDate_A', '03/01/2027'), field('NamedInsured_BusinessStartDate_A', began)))
      .yearsInBusiness;
  t.is(years('03/01/2017'), 10);
  t.is(years('03/02/2017'), 9);
  t.is(years('1998'), 29);
  t.is(years('06/15/98'), 28);
  t.is(years('06/15/16'), 10);
  t.is(years('05/01/2027'), undefined);
});

test('the number of a business is kept, that of a person is not', (t) => {
  const fein = (text: string) =>
    readAcord125(form(field('NamedInsured_TaxIdentifier_A', text)), TODAY).intake.values.map(({ value }) => value);
  t.deepEqual(fein('12-3456789'), ['12-3456789']);
  t.deepEqual(fein('123-45-6789'), []);
});

test('an address with a missing part is none', (t) => {
  const part = (name: string, value: string) => field(`NamedInsured_MailingAddress_${name}_A`, value);
  const parts = [part('LineOne', '1 Main St'), part('CityName', 'Austin'), part('StateOrProvinceCode', 'TX')];
  t.is(facts(form(...parts)).insuredAddress, undefined);
  const whole = facts(form(...parts, part('PostalCode', '787011234')));
  t.deepEqual(whole.insuredAddress, {
    line1: '1 Main St',
    line2: '',
    city: 'Austin',
    state: 'TX',
    postalCode: '78701-1234',
  });
});

test('other underwriting facts are kept with their place: the kind of business, answers, earlier coverage, losses', (t) => {
  const { intake } = readAcord125(
    form(
      field('NamedInsured_FullName_A', 'Acme LLC'),
      field('F[0].P1[0].NamedInsured_LegalEntity_LimitedLiabilityCorporationIndicator_A[0]', true),
      field('CommercialPolicy_Question_KAKCode_A', 'Yes', 3),
      field('CommercialPolicy_Question_AACCode_A', 'n', 3),
      field('CommercialPolicy_Question_KABCode_A', 'see remarks', 3),
      field('PriorCoverage_GeneralLiability_InsurerFullName_A', 'Old Mutual', 3),
      field('PriorCoverage_GeneralLiability_TotalPremiumAmount_A', '$4,200.50', 3),
      field('PriorCoverage_GeneralLiability_ExpirationDate_B', '03/01/2026', 3),
      field('LossHistory_TotalAmount_A', '$12,500', 4),
    ),
    TODAY,
  );
  const values = Object.fromEntries(intake.values.map(({ name, value, page }) => [name, [value, page]]));
  t.deepEqual(values, {
    insuredName: ['Acme LLC', 1],
    legalEntity: ['LimitedLiabilityCorporation', 1],
    'questions.bankruptcy': ['Y', 3],
    'questions.declinedOrCancelled': ['N', 3],
    'priorCoverage.GeneralLiability.A.insurerName': ['Old Mutual', 3],
    'priorCoverage.GeneralLiability.A.totalPremium': [4_200.5, 3],
    'priorCoverage.GeneralLiability.B.expirationDate': ['2026-03-01', 3],
    totalLosses: [12_500, 4],
  });
  t.deepEqual(intake.unread, [
    { name: 'questions.fraudConviction', page: 3, field: 'CommercialPolicy_Question_KABCode_A' },
  ]);
});

test('the agency, the carrier, the requested policy, the premises, each loss and the signature are read with their places', (t) => {
  const { intake } = readAcord125(
    form(
      field('NamedInsured', 'Acme', 1),
      field('Producer_MailingAddress_CityName_A', 'Dallas', 1),
      field('Producer_ContactPerson_PhoneNumber_A', '(214) 555-0100', 1),
      field('Producer_NationalIdentifier_A', '1234567', 4),
      field('Insurer_NAICCode_A', '12345', 1),
      field('Policy_Status_QuoteIndicator_A', true, 1),
      field('Policy_Payment_DirectBillIndicator_A', 'Yes', 1),
      field('Policy_Payment_DepositAmount_A', '$1,250.50', 1),
      field('Form_CompletionDate_A', '11/22/2026', 1),
      field('CommercialStructure_PhysicalAddress_CountyName_A', 'Travis', 2),
      field('CommercialStructure_RiskLocation_InsideCityLimitsIndicator_A', true, 2),
      field('CommercialPolicy_FormalSafetyProgram_SafetyManualIndicator_A', true, 3),
      field('LossHistory_OccurrenceDate_B', '04/10/2025', 4),
      field('LossHistory_PaidAmount_B', '$1,200.50', 4),
      field('LossHistory_ReservedAmount_B', 'n. a. yet', 4),
      field('NamedInsured_SignatureDate_A', '11/23/2026', 4),
    ),
    TODAY,
  );
  const values = Object.fromEntries(intake.values.map(({ name, value, page }) => [name, [value, page]]));
  t.like(values, {
    'producer.city': ['Dallas', 1],
    'producer.npn': ['1234567', 4],
    'carrier.naicCode': ['12345', 1],
    'policy.transaction': ['Quote', 1],
    'policy.billing': ['DirectBill', 1],
    'policy.deposit': [1_250.5, 1],
    'policy.formCompletedOn': ['2026-11-22', 1],
    'premises.A.county': ['Travis', 2],
    'premises.A.cityLimits': ['Inside', 2],
    safetyManual: ['SafetyManual', 3],
    'losses.B.occurredOn': ['2025-04-10', 4],
    'losses.B.paid': [1_200.5, 4],
    'signature.date': ['2026-11-23', 4],
  });
  t.truthy(values['producer.contactPhone']);
  t.deepEqual(intake.unread, [{ name: 'losses.B.reserved', page: 4, field: 'LossHistory_ReservedAmount_B' }]);
});

test('two kinds of business that are both ticked are unread', (t) => {
  const box = (entity: string) => `NamedInsured_LegalEntity_${entity}Indicator_A`;
  const { intake } = readAcord125(
    form(field('NamedInsured', 'Acme'), field(box('Corporation'), true), field(box('Trust'), 'Yes')),
    TODAY,
  );
  t.deepEqual(
    intake.values.map(({ name }) => name),
    ['insuredName'],
  );
  t.deepEqual(
    intake.unread.map(({ field: from }) => from),
    [box('Corporation'), box('Trust')],
  );
});
