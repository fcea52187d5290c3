// Our own fillable forms with the field names of an ACORD 125, in two editions, flattened and printed: the real forms
// are licensed. Values are written as people write them.
import { PDFDocument, type PDFFont, type PDFForm, type PDFPage, StandardFonts } from 'pdf-lib';

export interface FormValues {
  /** Field → text; true checks a box. */
  [field: string]: string | true;
}

/** Name of the field, its page and the label printed next to it. A heading has no field. */
type FieldPlan = readonly [field: string | null, page: number, label: string];

/** What every form names besides the risk: the agency with its own contact, and the current policy. */
export const OTHERS: FormValues = {
  Producer_FullName_A: 'Bright Insurance Agency',
  Producer_ContactPerson_FullName_A: 'Ana Ruiz',
  Producer_ContactPerson_EmailAddress_A: 'desk@broker.example',
  PriorCoverage_GeneralLiability_InsurerFullName_A: 'Old Mutual',
  PriorCoverage_GeneralLiability_EffectiveDate_A: '05/01/2025',
  PriorCoverage_GeneralLiability_ExpirationDate_A: '05/01/2026',
};

/** A risk as a 2016-edition form shows it. */
export const RISK: FormValues = {
  ...OTHERS,
  NamedInsured_FullName_A: 'Lone Star Bakery LLC',
  NamedInsured_NAICSCode_A: '722511',
  NamedInsured_MailingAddress_LineOne_A: '100 Congress Ave',
  NamedInsured_MailingAddress_CityName_A: 'Austin',
  NamedInsured_MailingAddress_StateOrProvinceCode_A: 'TX',
  NamedInsured_MailingAddress_PostalCode_A: '78701',
  NamedInsured_Primary_PhoneNumber_A: '(512) 555-0100',
  NamedInsured_Contact_PrimaryEmailAddress_A: 'owner@lonestar.example',
  NamedInsured_BusinessStartDate_A: '06/15/2016',
  Policy_EffectiveDate_A: '03/01/2027',
  Policy_ExpirationDate_A: '03/01/2028',
  Policy_LineOfBusiness_CommercialGeneralLiability_A: true,
  CommercialStructure_AnnualRevenueAmount_A: '$1,250,000',
  CommercialPolicy_OperationsDescription_A: 'Bakery with a small cafe',
  LossHistory_OccurrenceDate_A: '04/10/2025',
};

const PLAN: readonly FieldPlan[] = [
  ['Producer_FullName_A', 1, 'AGENCY'],
  ['Producer_ContactPerson_FullName_A', 1, 'CONTACT NAME'],
  ['Producer_ContactPerson_EmailAddress_A', 1, 'E-MAIL ADDRESS'],
  [null, 1, 'APPLICANT INFORMATION'],
  ['NamedInsured_FullName_A', 1, 'NAME (First Named Insured)'],
  ['NamedInsured_MailingAddress_LineOne_A', 1, 'STREET'],
  ['NamedInsured_MailingAddress_CityName_A', 1, 'CITY'],
  ['NamedInsured_MailingAddress_StateOrProvinceCode_A', 1, 'STATE'],
  ['NamedInsured_MailingAddress_PostalCode_A', 1, 'ZIP'],
  ['NamedInsured_NAICSCode_A', 1, 'NAICS'],
  ['NamedInsured_Primary_PhoneNumber_A', 1, 'BUSINESS PHONE #'],
  ['NamedInsured_Contact_PrimaryEmailAddress_A', 1, 'PRIMARY E-MAIL ADDRESS'],
  ['Policy_EffectiveDate_A', 1, 'PROPOSED EFF DATE'],
  ['Policy_ExpirationDate_A', 1, 'PROPOSED EXP DATE'],
  ['Policy_LineOfBusiness_CommercialGeneralLiability_A', 1, 'COMMERCIAL GENERAL LIABILITY'],
  ['Policy_LineOfBusiness_BusinessAutoIndicator_A', 1, 'BUSINESS AUTO'],
  ['Policy_LineOfBusiness_UmbrellaIndicator_A', 1, 'UMBRELLA'],
  ['Policy_LineOfBusiness_CrimeIndicator_A', 1, 'CRIME'],
  ['NamedInsured_BusinessStartDate_A', 2, 'DATE BUSINESS STARTED'],
  ['CommercialStructure_AnnualRevenueAmount_A', 2, 'ANNUAL REVENUES'],
  ['CommercialStructure_AnnualRevenueAmount_B', 2, 'ANNUAL REVENUES'],
  ['CommercialPolicy_OperationsDescription_A', 2, 'DESCRIPTION OF PRIMARY OPERATIONS'],
  ['GeneralLiability_EachOccurrence_LimitAmount_A', 3, 'EACH OCCURRENCE'],
  ['CommercialStructure_PhysicalAddress_StateOrProvinceCode_A', 3, 'PREMISES INFORMATION'],
  ['CommercialPolicy_RemarkText_A', 3, 'REMARKS'],
  [null, 3, 'PRIOR CARRIER INFORMATION'],
  ['PriorCoverage_GeneralLiability_InsurerFullName_A', 3, 'CARRIER'],
  ['PriorCoverage_GeneralLiability_EffectiveDate_A', 3, 'EFFECTIVE DATE'],
  ['PriorCoverage_GeneralLiability_ExpirationDate_A', 3, 'EXPIRATION DATE'],
  [null, 4, 'LOSS HISTORY'],
  ['LossHistory_NoPriorLossesIndicator_A', 4, 'CHECK IF NONE'],
];

/** The columns of the loss history, on the last page: part of the field's name, heading, position. */
const LOSS_COLUMNS = [
  ['OccurrenceDate', 'DATE OF OCCURRENCE', 60],
  ['OccurrenceDescription', 'TYPE / DESCRIPTION OF OCCURRENCE OR CLAIM', 190],
  ['PaidAmount', 'AMOUNT PAID', 470],
] as const;
const LOSS_ROWS = ['A', 'B', 'C'] as const;
const [LOSSES_FROM, LOSS_ROW, LOSS_WIDTH] = [640, 24, 110];

/** The older edition's names for the same fields. */
const OLDER: Readonly<Record<string, string>> = {
  NamedInsured_FullName_A: 'ACORD_Policy_Insured1_Name',
  NamedInsured_NAICSCode_A: 'BusinessInformation_NAICSCode_A',
  CommercialStructure_AnnualRevenueAmount_A: 'NamedInsured_AnnualRevenue_A',
  Policy_EffectiveDate_A: 'Policy_Status_EffectiveDate_A',
};

const ROWS_FROM = 740;
const ROW = 34;
const COLUMN = 60;
const PAGES = 4;
const SPECKS = 60;
const LABEL_SIZE = 7;
const VALUE_SIZE = 10;

/** A form to fill in: `2016` with names such as `F[0].P1[0].Name[0]`, `older` with bare names spelled differently. */
export async function fillableForm(values: FormValues, edition: '2016' | 'older' = '2016'): Promise<Uint8Array> {
  const { document, form } = await filled(values, (field, page) =>
    edition === '2016' ? `F[0].P${page}[0].${field}[0]` : (OLDER[field] ?? field),
  );
  form.updateFieldAppearances();
  return document.save();
}

/** The form after its fields were flattened into the page. */
export async function flattenedForm(values: FormValues): Promise<Uint8Array> {
  const { document, form } = await filled(values, (field, page) => `F[0].P${page}[0].${field}[0]`);
  form.flatten();
  return document.save({ useObjectStreams: false });
}

/** The form as a program prints it: `Label: value`, and `[X]` for a checked box. */
export async function printedForm(values: FormValues): Promise<Uint8Array> {
  const { document, pages, font } = await titled();
  const write = (page: number, text: string, x: number, y: number) =>
    pages[page - 1]?.drawText(text, { x, y, size: VALUE_SIZE, font });
  for (const { field, page, label, y } of placed()) write(page, printedText(field, label, values), COLUMN, y);
  for (const { heading, x, cells } of lossColumns()) {
    write(PAGES, heading, x, LOSSES_FROM + LOSS_ROW);
    for (const { field, y } of cells) write(PAGES, `${values[field] ?? ''}`, x, y);
  }
  return document.save();
}

/** The form as a page for a browser to print. */
export function htmlForm(values: FormValues): string {
  const rows = [...placed()].map(({ field, page, label }) => ({ page, text: printedText(field, label, values) }));
  const sheets = Array.from({ length: PAGES }, (_, index) => {
    const own = rows.filter(({ page }) => page === index + 1).map(({ text }) => `<p>${escaped(text)}</p>`);
    const losses = index + 1 === PAGES ? htmlLosses(values) : '';
    return `<section style="break-after: page">${own.join('')}${losses}</section>`;
  });
  return `<h1>COMMERCIAL INSURANCE APPLICATION</h1>${sheets.join('')}`;
}

function printedText(field: string | null, label: string, values: FormValues): string {
  if (field === null) return label;
  const value = values[field];
  return isBoxName(field) ? `[${value === true ? 'X' : '  '}] ${label}` : `${label}: ${value ?? ''}`;
}

function htmlLosses(values: FormValues): string {
  const columns = [...lossColumns()].map(({ heading, cells }) => {
    const texts = cells.map(({ field }) => `<p>${escaped(`${values[field] ?? ''}`) || '&nbsp;'}</p>`);
    return `<td style="padding-right: 40px; white-space: nowrap"><p>${heading}</p>${texts.join('')}</td>`;
  });
  return `<table><tr>${columns.join('')}</tr></table>`;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A flattened form after rough handling: specks, lines, and the stamps of everyone who handled it. */
export async function noisyForm(values: FormValues, chance: () => number): Promise<Uint8Array> {
  const document = await PDFDocument.load(await flattenedForm(values));
  const font = await document.embedFont(StandardFonts.Courier);
  for (const [index, page] of document.getPages().entries()) {
    for (let speck = 0; speck < SPECKS; speck++) {
      page.drawRectangle({ x: 560 * chance(), y: 780 * chance(), width: 1 + chance(), height: 1 + chance() });
    }
    page.drawLine({ start: { x: 10, y: 790 * chance() }, end: { x: 590, y: 790 * chance() }, thickness: 0.3 });
    const stamp = `RECEIVED ${1 + Math.floor(12 * chance())}/14/2026 0${index + 1}/04 FAX`;
    page.drawText(stamp, { x: 400, y: 20 + 8 * chance(), size: 6, font });
  }
  return document.save({ useObjectStreams: false });
}

/** Pages with a picture and no text. */
export async function scannedForm(): Promise<Uint8Array> {
  const { document, pages } = await blank();
  pages[0]?.drawRectangle({ x: 50, y: 50, width: 400, height: 600 });
  return document.save();
}

const isBoxName = (field: string) => field.includes('LineOfBusiness_') || field.endsWith('NoPriorLossesIndicator_A');

function* placed() {
  const next = [0, 0, 0, 0, 0];
  for (const [field, page, label] of PLAN) {
    const row = next[page] ?? 0;
    next[page] = row + 1;
    yield { field, page, label, y: ROWS_FROM - row * ROW };
  }
}

function* lossColumns() {
  for (const [part, heading, x] of LOSS_COLUMNS) {
    const cells = LOSS_ROWS.map((row, index) => ({
      field: `LossHistory_${part}_${row}`,
      y: LOSSES_FROM - index * LOSS_ROW,
    }));
    yield { heading, x, cells };
  }
}

async function blank() {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  const pages = Array.from({ length: PAGES }, () => document.addPage());
  return { document, pages, font };
}

async function titled() {
  const made = await blank();
  made.pages[0]?.drawText('COMMERCIAL INSURANCE APPLICATION', { x: COLUMN, y: 775, size: 12, font: made.font });
  return made;
}

async function filled(values: FormValues, nameOf: (field: string, page: number) => string) {
  const { document, pages, font } = await titled();
  const form = document.getForm();
  for (const { field, page: number, label, y } of placed()) {
    const place = { form, page: pages[number - 1] as PDFPage, x: COLUMN, y, width: 300, label, font };
    if (field === null) place.page.drawText(label, { x: COLUMN, y, size: VALUE_SIZE, font });
    else if (isBoxName(field)) addBox(nameOf(field, number), values[field] === true, place);
    else addText(nameOf(field, number), values[field], place);
  }
  for (const { heading, x, cells } of lossColumns())
    for (const [row, { field, y }] of cells.entries()) {
      const label = row === 0 ? heading : '';
      const place = { form, page: pages[PAGES - 1] as PDFPage, x, y, width: LOSS_WIDTH, label, font };
      addText(nameOf(field, PAGES), values[field], place);
    }
  return { document, form };
}

interface Place {
  form: PDFForm;
  page: PDFPage;
  x: number;
  y: number;
  width: number;
  label: string;
  font: PDFFont;
}

/** The label is above the value, as on the real form. */
function addText(
  name: string,
  value: string | true | undefined,
  { form, page, x, y, width, label, font }: Place,
): void {
  const field = form.createTextField(name);
  if (typeof value === 'string') field.setText(value);
  field.addToPage(page, { x, y: y - 4, width, height: 14, borderWidth: 0, font });
  field.setFontSize(VALUE_SIZE);
  if (label) page.drawText(label, { x, y: y + VALUE_SIZE + 2, size: LABEL_SIZE, font });
}

function addBox(name: string, isTicked: boolean, { form, page, x, y, label, font }: Place): void {
  const box = form.createCheckBox(name);
  box.addToPage(page, { x, y, width: 10, height: 10 });
  if (isTicked) box.check();
  page.drawText(label, { x: x + 16, y: y + 2, size: LABEL_SIZE, font });
}
