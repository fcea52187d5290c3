// An organization whose insureds live side by side through days that its clock draws: then their money is settled, and
// the parts of every policy are checked.
import { addDays } from '../../domain/dates.ts';
import { dice } from '../chaos/dice.ts';
import { bookFindings } from './book-findings.ts';
import { type Office, workInOffice } from './deeds-of-office.ts';
import { bind, foundVillage } from './founding.ts';
import { Insured } from './insured.ts';
import { shareFindings } from './invoice-shares.ts';
import { liveOn } from './life.ts';
import type { BooksSurroundings, OwnerRows } from './owner-rows.ts';
import { partFindings, tightOnes } from './parts.ts';
import { payeeFindings } from './payees.ts';
import { rowsOfLife } from './rows-of-life.ts';
import { settle } from './settlement.ts';
import { count, type Tally } from './tally.ts';

/** The more of them share a clock, the cheaper is each of its days. */
export const LIVES_OF_A_VILLAGE = 50;
const DAYS = 9;
/** One life in this many is undisturbed, so that every run checks some parts to the cent. */
const LIVES_TO_AN_UNDISTURBED = 4;
/** A day, a week, two months: bills fall due, and few terms end. */
const SHORT_STEPS = [1, 3, 7, 12, 20, 31, 45, 60, 90];
/** Half of the villages also see their terms renewed, audited and ended. */
const LONG_STEPS = [20, 31, 45, 60, 75, 90];

/** What a village has lived through, in numbers. */
export interface Lived {
  lives: number;
  policies: number;
  /** Policies whose parts were compared with both ledger and invoices; for the others, only the remaining checks. */
  tight: number;
  /** Parts of shared-out invoices that were compared with the ledger, most of them in the middle of a life. */
  compared: number;
}

export interface VillageReport extends Lived {
  /** How often each kind of deed was carried out. */
  deeds: Tally;
  findings: string[];
}

/** Lets the insureds with these seeds live in one village. */
export async function liveInVillage(around: BooksSurroundings, village: number, seeds: readonly number[]) {
  const chance = dice(village * 7_919 + 1);
  const office = await foundVillage(around, village, chance);
  const { desk, orgId } = office;
  const steps = village % 2 === 0 ? SHORT_STEPS : LONG_STEPS;
  const crowd = new Crowd(around, office, seeds);
  await crowd.all((insured) => bind(insured, office.producerId));
  for (let day = 0; day < DAYS; day += 1) {
    await crowd.all(async (insured) => {
      if (insured.policyId !== '') await liveOn(insured);
      await crowd.compare(insured);
    });
    await workInOffice(office);
    await passDays(office, crowd, chance.pick(steps));
  }
  await crowd.all(settle);
  await crowd.all((insured) => crowd.checkParts(insured));
  for (const what of await bookFindings(around, orgId)) await crowd.report(what, `village ${village}`);
  const aboutPayees = await payeeFindings(around.rows, orgId);
  const story = [...desk.story, ...office.billing.story].join('\n    ');
  crowd.findings.push(...aboutPayees.map((what) => `village ${village}: ${what}\n    ${story}`));
  const [lapsed] = await around.rows.query<{ times: number }>(LAPSED, [orgId]);
  count(desk.tally, 'lapse', lapsed?.times);
  return { ...crowd.lived, deeds: desk.tally, findings: crowd.findings } satisfies VillageReport;
}

async function passDays(office: Office, { insureds }: Crowd, days: number): Promise<void> {
  office.today = addDays(office.today, days);
  await office.desk.send('/test-clock', { advanceTo: office.today });
  for (const insured of insureds) {
    insured.today = office.today;
    insured.desk.note(`-- ${office.today}`);
  }
}

/** The insureds of a village, what they have lived through, and what is wrong with it. */
class Crowd {
  readonly insureds: readonly Insured[];
  readonly lived: Lived;
  readonly findings: string[] = [];
  readonly #rows: OwnerRows;
  readonly #failed = new Set<Insured>();

  constructor({ rows, processor }: BooksSurroundings, { desk, today }: Office, seeds: readonly number[]) {
    this.#rows = rows;
    this.lived = { lives: seeds.length, policies: 0, tight: 0, compared: 0 };
    this.insureds = seeds.map((seed) => {
      const isUndisturbed = seed % LIVES_TO_AN_UNDISTURBED === 0;
      const given = { dice: dice(seed), desk: desk.another(), processor, rows, today, isUndisturbed };
      return new Insured(`Insured ${seed}`, given);
    });
  }

  /** Does it with everyone whose life has not failed. */
  async all(work: (insured: Insured) => Promise<unknown>): Promise<void> {
    const living = this.insureds.filter((insured) => !this.#failed.has(insured));
    await Promise.all(
      living.map((insured) => work(insured).catch((error: Error) => this.report(error.message, insured.name, insured))),
    );
  }

  /** Records a finding, with the whole life that it is about unless that has been printed already. */
  async report(what: string, whose: string, about = this.#namedIn(what)): Promise<void> {
    const lines = [what];
    if (about !== undefined && !this.#failed.has(about)) {
      this.#failed.add(about);
      lines.push(...about.desk.story, ...(await rowsOfLife(this.#rows, await about.termIds())));
    }
    this.findings.push(`${whose}: ${lines.join('\n    ')}`);
  }

  /** @throws Error when a paid invoice is not held in the parts that it bills */
  async compare(insured: Insured): Promise<void> {
    const { compared, findings } = await shareFindings(this.#rows, await insured.termIds());
    this.lived.compared += compared;
    if (findings.length > 0) throw new Error(findings.join('; '));
  }

  /** @throws Error when the parts of a settled life do not tie out, or an undisturbed one's cannot be compared */
  async checkParts(insured: Insured): Promise<void> {
    const ids = await insured.termIds();
    this.lived.policies += ids.length;
    const tight = await tightOnes(this.#rows, ids);
    this.lived.tight += tight;
    if (insured.isUndisturbed && tight < ids.length) throw new Error('money left an undisturbed life by itself');
    const found = await partFindings(this.#rows, ids);
    if (found.length > 0) throw new Error(found.join('; '));
    await this.compare(insured);
  }

  #namedIn(what: string): Insured | undefined {
    return this.insureds.find(({ name }) => what.includes(`"${name}"`));
  }
}

const LAPSED = `select count(*)::int as times from policy_transactions t join policies p on p.id = t.policy_id
  where p.org_id = $1 and t.type = 'cancellation' and t.reason = 'non_payment'`;
