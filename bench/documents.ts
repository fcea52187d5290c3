// How long a certificate takes from the call to its document, and how many are made per second, compared with a bare
// Chromium printing the same page; and how long the intake of a four-page form takes.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Browser, launch } from 'puppeteer-core';
import { defaultTemplate, PRINT_STYLE } from '../plans/document/own-templates.ts';
import { browserBinary } from '../providers/pdf/browser-binary.ts';
import { withFonts } from '../providers/pdf/print-fonts.ts';
import { createTypesetter } from '../providers/typesetting/typesetter.ts';
import { fillableForm, RISK } from '../test/support/forms/acord-forms.ts';
import { cpuBetween, usedCpu } from './cpu.ts';
import { type Figures, measure, type Round, summarize } from './measure.ts';
import { call, type Setting } from './setting.ts';
import type { Comparison } from './table.ts';

const [ROUNDS, IN_A_ROUND] = [5, 12];
/** So many that the first and last ones, which have the machine to themselves, hardly count. */
const [TOGETHER_IN_A_ROUND, IN_FLIGHT] = [30, 3];
const FORMS = 10;
const HOLDER = {
  name: 'Harbor Landlord LLC',
  address: { line1: '9 Pier Road', city: 'Austin', state: 'TX', postalCode: '78701' },
};

interface Insured {
  authorization: string;
  policyId: string;
}

export async function compareDocuments(setting: Setting, progress: (line: string) => void): Promise<Comparison[]> {
  progress('binding a policy in each of three organizations');
  const insured = await Promise.all(['A', 'B', 'C'].map((name) => insuredIn(setting, `Documents ${name}`)));
  const [first] = insured as [Insured];
  const html = await pageOfCertificate(setting, first);
  const browser = await launch({
    executablePath: await browserBinary({ path: null, cacheDir: join(homedir(), '.cache', 'bindery') }),
    ...{ headless: 'shell', args: process.getuid?.() === 0 ? ['--no-sandbox'] : [], pipe: true },
  });
  try {
    progress('printing certificates, and the same page in a bare browser');
    const turns = Array.from({ length: IN_A_ROUND }, (_, number) => number);
    const sides = {
      ours: [] as Round[],
      bare: [] as Round[],
      oursTogether: [] as Round[],
      bareTogether: [] as Round[],
    };
    for (let round = 0; round <= ROUNDS; round += 1) {
      const ours = (turn: number) => certify(setting, insured[turn % insured.length] ?? first);
      const measured = {
        ours: await measure(turns, 1, () => certify(setting, first)),
        bare: await measure(turns, 1, () => printBare(browser, html)),
        oursTogether: await together(ours),
        bareTogether: await together(() => printBare(browser, html)),
      };
      // The first one warms up.
      if (round > 0) for (const side of Object.keys(sides) as (keyof typeof sides)[]) sides[side].push(measured[side]);
    }
    return [...compared(sides), await intake(setting, first)];
  } finally {
    await browser.close();
  }
}

/** A round of several at a time, with the processor time of each. */
async function together(work: (turn: number) => Promise<void>): Promise<Round> {
  const turns = Array.from({ length: TOGETHER_IN_A_ROUND }, (_, number) => number);
  const before = usedCpu();
  const round = await measure(turns, IN_FLIGHT, work);
  return { ...round, cpu: cpuBetween(before, usedCpu(), turns.length) };
}

function compared(rounds: Record<'ours' | 'bare' | 'oursTogether' | 'bareTogether', Round[]>): Comparison[] {
  const [ours, bare] = [summarize(rounds.ours), summarize(rounds.bare)];
  const [together, bareTogether] = [summarize(rounds.oursTogether), summarize(rounds.bareTogether)];
  const lines = (mine: Figures, theirs: Figures) => [
    { name: 'certificate, from the call to its document', figures: mine },
    { name: 'bare Chromium, the same page', figures: theirs },
  ];
  return [
    {
      ...{ title: 'A certificate, one at a time', lines: lines(ours, bare) },
      verdicts: [{ what: 'p50 ratio', value: ours.p50Ms / bare.p50Ms, aim: { most: 1.5 } }],
    },
    {
      ...{ title: `Certificates, ${IN_FLIGHT} together`, lines: lines(together, bareTogether) },
      verdicts: [{ what: 'throughput ratio', value: together.perSecond / bareTogether.perSecond, aim: { least: 0.7 } }],
    },
  ];
}

/** The intake of a form: it is read, stored, and becomes a submission. */
async function intake({ http }: Setting, { authorization }: Insured): Promise<Comparison> {
  const form = Buffer.from(await fillableForm(RISK));
  const headers = { authorization, 'content-type': 'application/pdf' };
  const round = await measure(Array.from({ length: FORMS }), 1, async () => {
    const response = await http.request({ method: 'POST', path: '/v1/submissions', headers, body: form });
    const text = await response.body.text();
    if (response.statusCode !== 201) throw new Error(`POST /v1/submissions: ${response.statusCode} ${text}`);
  });
  const figures = summarize([round]);
  return { title: 'Intake of an ACORD 125', lines: [{ name: 'four pages, filled in', figures }], verdicts: [] };
}

/** Creates an organization with a policy in force, for issuing certificates. */
export async function insuredIn(setting: Setting, name: string): Promise<Insured> {
  const organization = await setting.createOrganization(name);
  const authorization = await organization.authorization();
  const risk = {
    ...{ insuredName: `${name} LLC`, naicsCode: '722511', annualRevenue: 1_000_000, requestedLimit: 1_000_000 },
    ...{ state: 'TX', lineOfBusiness: 'GL', lossesLast5Years: 1, effectiveDate: new Date().toISOString().slice(0, 10) },
  };
  const { id } = await call(setting.http, 'POST', '/v1/submissions', authorization, 201, risk);
  await call(setting.http, 'POST', `/v1/submissions/${id}/quote`, authorization, 201);
  const paid = { installmentPlan: 'PAY_IN_FULL' };
  const { policyId } = await call(setting.http, 'POST', `/v1/submissions/${id}/bind`, authorization, 201, paid);
  return { authorization, policyId: String(policyId) };
}

/** Issues a certificate and waits for its document. */
export async function certify({ http }: Setting, { authorization, policyId }: Insured): Promise<void> {
  await call(http, 'POST', '/v1/coi/generate', authorization, 201, { policyId, holder: HOLDER });
}

/** A certificate's page as the worker prints it, from the facts of one already made. */
async function pageOfCertificate(setting: Setting, insured: Insured): Promise<string> {
  await certify(setting, insured);
  const made = "select facts from document_orders where kind = 'certificate' and entity_id = $1 limit 1";
  const [row] = (await setting.owner.query(made, [insured.policyId])).rows;
  const typesetter = createTypesetter();
  try {
    const facts = { ...row.facts, style: PRINT_STYLE };
    return withFonts(await typesetter.page(defaultTemplate('certificate'), facts));
  } finally {
    await typesetter.close();
  }
}

async function printBare(browser: Browser, html: string): Promise<void> {
  const page = await browser.newPage();
  await page.setContent(html, { waitUntil: 'load' });
  await page.pdf({ preferCSSPageSize: true, printBackground: true, tagged: false, outline: false });
  await page.close();
}
