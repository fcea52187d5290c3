// What must be true after the referral trial: each decision came from a person who was allowed to make it, once, and
// whatever waited for it proceeds.
import { Rows } from '../faults/bind.ts';
import { type Person, slowlyMayDecide } from './people.ts';
import type { Question } from './questions.ts';
import { personOf, type Town } from './town.ts';

/** A referral and what several people did at the same time. */
export interface Tried {
  question: Question;
  tries: { person: Person; decision: 'approve' | 'reject'; status: number }[];
  /** What the requester did meanwhile, and how it was answered. */
  raced: { kind: 'withdraw' | 'quote'; status: number } | null;
}

export interface Outcome {
  status: string;
  /** None of those who tried was allowed to: an administrator decided afterwards. */
  isLater: boolean;
  findings: string[];
}

const BOUND_LIMIT = 1_000_000;
const STATUS_AFTER = { approve: 'approved', reject: 'rejected' } as const;

/** Compares each answer with the slow model, and checks the record of each decision. */
export async function decisionFindings({ orgId, database }: Town, tried: readonly Tried[]): Promise<string[]> {
  const rows = await new Rows(database.ownerUrl).query<{ id: string; count: string }>(
    `select entity_id as id, count(*) from audit_entries
      where org_id = $1 and action in ('referral:approve', 'referral:reject') group by entity_id`,
    [orgId],
  );
  const recorded = new Map(rows.map(({ id, count }) => [id, Number(count)]));
  return tried.flatMap(({ question, tries, raced }) => {
    const { referralId } = question;
    const done = tries.filter(({ status }) => status === 200).length;
    const due = tries.some(({ person }) => slowlyMayDecide(person, question)) && raced === null ? 1 : done;
    return [
      ...tries.flatMap((each) => answerFindings(question, each)),
      ...(done > 1 || done !== due ? [`${referralId} was decided ${done} times`] : []),
      ...((recorded.get(referralId) ?? 0) === done ? [] : [`${referralId} has other decisions on record`]),
    ];
  });
}

function answerFindings(question: Question, { person, decision, status }: Tried['tries'][number]): string[] {
  const expected = slowlyMayDecide(person, question) ? [200, 422] : [403];
  if (expected.includes(status)) return [];
  return [`${question.referralId}: ${decision} by ${person.name} was answered ${status} in place of ${expected}`];
}

/** How it ended. An administrator now approves what no one was allowed to decide; then it must proceed too. */
export async function outcomeFindings(town: Town, { question, tries, raced }: Tried): Promise<Outcome> {
  const head = town.as(personOf('head'));
  const path = `/v1/referrals/${question.referralId}`;
  const winner = tries.find(({ status }) => status === 200);
  const { status, decidedBy } = await head.read(path);
  const expected = winner ? STATUS_AFTER[winner.decision] : openAfter(raced);
  if (status !== expected || decidedBy !== (winner?.person.name ?? null)) {
    return { status, isLater: false, findings: [`${question.referralId} is ${status} by ${decidedBy}: ${expected}`] };
  }
  if (status === 'pending') await head.command(`${path}/decision`, { decision: 'approve' }, 200);
  const decision = status === 'pending' ? 'approved' : status;
  const isMoved = raced?.status === 200 || raced?.status === 201;
  const wrong = isMoved ? await movedFinding(town, question) : await goesOnFinding(town, question, decision);
  const findings = wrong === null ? [] : [`${question.kind} ${question.referralId}, ${decision}: ${wrong}`];
  return { status, isLater: status === 'pending', findings };
}

function openAfter(raced: Tried['raced']): 'withdrawn' | 'pending' {
  return raced?.kind === 'withdraw' && raced.status === 200 ? 'withdrawn' : 'pending';
}

/** A submission withdrawn or requoted meanwhile has one open referral if it waits for one, and none if not. */
async function movedFinding(town: Town, { submissionId }: Question): Promise<string | null> {
  const head = town.as(personOf('head'));
  const { status, referralIds } = await head.read(`/v1/submissions/${submissionId}`);
  let open = 0;
  for (const id of referralIds) if ((await head.read(`/v1/referrals/${id}`)).status === 'pending') open += 1;
  return open === (status === 'referred' ? 1 : 0) ? null : `the submission is ${status} with ${open} open referrals`;
}

/** What the decision leads to: a bind, a policy change, or the end. */
async function goesOnFinding(town: Town, question: Question, decision: string): Promise<string | null> {
  const { kind, submissionId, policyId, limit, referralId } = question;
  const head = town.as(personOf('head'));
  if (kind === 'renewal') return renewedFinding(town, question, decision);
  if (kind === 'endorsement' || kind === 'policy') {
    const policy = await head.read(`/v1/policies/${policyId}`);
    const isChanged = kind === 'endorsement' && decision === 'approved';
    const { transactionId } = await head.read(`/v1/referrals/${referralId}`);
    if (isChanged !== (transactionId !== null)) return `the transaction is ${transactionId}`;
    return policy.limit === (isChanged ? limit : BOUND_LIMIT) ? null : `the limit is ${policy.limit}`;
  }
  const { status } = await head.read(`/v1/submissions/${submissionId}`);
  if (decision === 'rejected') return status === 'declined' ? null : `the submission is ${status}`;
  if (kind === 'submission') await head.command(`/v1/submissions/${submissionId}/quote`, {});
  const bind = { installmentPlan: 'PAY_IN_FULL' };
  const answer = await head.send(`/v1/submissions/${submissionId}/bind`, bind);
  return answer.status === 201 ? null : `the bind is answered ${answer.status} ${JSON.stringify(answer.body)}`;
}

/** An approval binds the next term as referred; a rejection binds none. */
async function renewedFinding(town: Town, { policyId, limit }: Question, decision: string): Promise<string | null> {
  const head = town.as(personOf('head'));
  const { renewalPolicyId } = await head.read(`/v1/policies/${policyId}`);
  if (decision === 'rejected') return renewalPolicyId === null ? null : `the next term is ${renewalPolicyId}`;
  if (renewalPolicyId === null) return 'there is no next term';
  const next = await head.read(`/v1/policies/${renewalPolicyId}`);
  return next.limit === limit ? null : `the limit of the next term is ${next.limit}`;
}
