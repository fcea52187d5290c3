// Referrals of all kinds, several at a time, decided by people whose authority follows a slow model, while they are
// withdrawn and requoted and workers are killed. Nothing may be decided beyond an authority or twice, and everything
// that waited for a decision must then proceed.
import { type Dice, dice } from '../chaos/dice.ts';
import { inTurns } from '../chaos/turns.ts';
import { onDyingWorkers } from '../faults/dying-workers.ts';
import { allPages } from '../support/house.ts';
import { decisionFindings, outcomeFindings, type Tried } from './account.ts';
import { PEOPLE, REQUESTERS, slowlyMayDecide } from './people.ts';
import { askQuestion, type Question, renewalsAmong } from './questions.ts';
import { expiringPolicies, foundTown, personOf, type Town } from './town.ts';

const AT_A_TIME = 8;
const TRIES = 3;
const RACED_PERCENT = 25;
const APPROVED_PERCENT = 65;
/** Commands per referral, approximately. */
const COMMANDS_EACH = 6;

export interface ReferralsOptions {
  referrals: number;
  seed: number;
  /** How many workers are killed, one after another. */
  kills: number;
  dataDir: string;
  report: (line: string) => void;
}

export interface ReferralsReport {
  killed: number;
  /** By outcome. */
  decided: { approved: number; rejected: number; withdrawn: number; later: number };
  /** Refused, because the authority was insufficient or the request was their own. */
  refused: number;
  findings: string[];
}

/** Runs it on the servers that the environment names; stops whatever it started. */
export async function runReferrals(options: ReferralsOptions): Promise<ReferralsReport> {
  const { referrals, kills, dataDir, seed, report } = options;
  const answersBetween = Math.ceil((COMMANDS_EACH * referrals) / (kills + 1));
  const { result, killed } = await onDyingWorkers({ title: 'referrals', answersBetween, dataDir }, async (around) => {
    const town = await foundTown(around);
    const thrown = dice(seed);
    const expiring = await expiringPolicies(town, renewalsAmong(referrals));
    const questions = await inTurns(
      AT_A_TIME,
      Array.from({ length: referrals }, (_, n) => n),
      (n) => {
        const person = thrown.pick(REQUESTERS);
        return askQuestion(n, { client: town.as(person), requestedBy: person.name, dice: thrown, expiring });
      },
    );
    report(`${referrals} referrals wait`);
    const lists = await listFindings(town, questions);
    const tried = await inTurns(AT_A_TIME, questions, (question) => decide(town, question, thrown));
    report('each has been decided on');
    await around.calm();
    return account(town, tried, lists);
  });
  return { ...result, killed };
}

/** Compares what each person may decide, by their list, with the slow model. */
async function listFindings({ platform, orgId }: Town, questions: readonly Question[]): Promise<string[]> {
  const findings: string[] = [];
  for (const person of PEOPLE) {
    const { name: sub, role } = person;
    const client = await platform.as({ role, org: orgId, sub });
    const status = (await client.get('/v1/referrals')).status;
    if (status === 403) continue;
    const listed = await allPages(client, '/v1/referrals', { decidableBy: 'me', limit: 100 });
    const due = questions.filter((question) => slowlyMayDecide(person, question)).map(({ referralId }) => referralId);
    const isSame =
      listed
        .map(({ id }) => id)
        .toSorted()
        .join() === due.toSorted().join();
    if (!isSame) findings.push(`the list of ${sub} has ${listed.length} referrals in place of ${due.length}`);
  }
  return findings;
}

/** Three people decide at the same time, and sometimes the requester withdraws or requotes. */
async function decide(town: Town, question: Question, thrown: Dice): Promise<Tried> {
  const { kind, referralId, submissionId, requestedBy } = question;
  const deciding = Array.from({ length: TRIES }, () => ({
    person: thrown.pick(PEOPLE),
    decision: thrown.percent(APPROVED_PERCENT) ? ('approve' as const) : ('reject' as const),
  }));
  const isRaced = kind === 'quote' && thrown.percent(RACED_PERCENT);
  const race = isRaced ? thrown.pick(['withdraw', 'quote'] as const) : null;
  const [raced, ...answers] = await Promise.all([
    race && town.as(personOf(requestedBy)).send(`/v1/submissions/${submissionId}/${race}`, {}),
    ...deciding.map(({ person, decision }) =>
      town.as(person).send(`/v1/referrals/${referralId}/decision`, { decision, notes: `By ${person.name}.` }),
    ),
  ]);
  const tries = deciding.map((each, n) => ({ ...each, status: answers[n]?.status ?? 0 }));
  return { question, tries, raced: raced && race && { kind: race, status: raced.status } };
}

async function account(town: Town, tried: readonly Tried[], lists: string[]): Promise<Omit<ReferralsReport, 'killed'>> {
  const decided = await decisionFindings(town, tried);
  const outcomes = await inTurns(AT_A_TIME, tried, (each) => outcomeFindings(town, each));
  const refused = tried.flatMap(({ tries }) => tries).filter(({ status }) => status === 403).length;
  const ended = (status: string) => outcomes.filter((outcome) => outcome.status === status).length;
  return {
    decided: {
      ...{ approved: ended('approved'), rejected: ended('rejected'), withdrawn: ended('withdrawn') },
      later: outcomes.filter(({ isLater }) => isLater).length,
    },
    refused,
    findings: [...lists, ...decided, ...outcomes.flatMap(({ findings }) => findings)],
  };
}
