/**
 * Pushes notices to insureds' devices: checks every other second for due notices, sends each and records the outcome.
 * If the sender dies before it knows, the notice is resent under the same tag. Checks for bills falling due a few
 * times an hour. Decision 0122.
 */
import type { Logger } from 'pino';
import type { Database } from '../db/orm.ts';
import { clockOffsetDays } from '../db/queries/platform/organizations.ts';
import {
  announceBillsDue,
  claimDueNotices,
  type DuePush,
  endNotice,
  type OutgoingNotice,
  organizationsWithDevices,
  putOffNotice,
  readOutgoing,
} from '../db/queries/portal/push-notices.ts';
import { removePushToken } from '../db/queries/portal/push-tokens.ts';
import { businessDateAt } from '../domain/business-day.ts';
import { addDays } from '../domain/dates.ts';
import { PAYMENT_DUE_DAYS, PUSH_NOTICE_HOURS, pushPauseSeconds, pushText } from '../domain/portal/push.ts';
import type { PushMessage, PushService } from '../providers/push/port.ts';
import { type Repeating, startRepeating } from './repeating.ts';
import { settleAll } from './settle-all.ts';

const PAUSE_MS = 2_000;
const PAUSE_OF_BILLS_MS = 600_000;
const NOTICES_OF_A_LOOK = 20;
/** Longer than the two calls an attempt may make. */
const LEASE_SECONDS = 60;

export interface PushDispatchOptions {
  database: Database;
  push: PushService;
  logger: Logger;
  /** Milliseconds since 1970. */
  now: () => number;
  /** The pauses between checks for notices, and for bills. */
  pauseMs?: number;
  pauseOfBillsMs?: number;
}

/** Starts checking. While the database is down, tries again after the pause. */
export function startPushDispatch(options: PushDispatchOptions): Repeating {
  const { database, push, logger, now, pauseMs = PAUSE_MS, pauseOfBillsMs = PAUSE_OF_BILLS_MS } = options;
  const onFault = (error: unknown) => logger.warn({ err: error }, 'devices could not be notified; tried again');
  const works = [
    startRepeating({
      round: async () => {
        const due = await claimDueNotices(database, { leaseSeconds: LEASE_SECONDS, most: NOTICES_OF_A_LOOK });
        await settleAll(due, (notice) => notify(notice, database, push));
        return due.length === NOTICES_OF_A_LOOK;
      },
      ...{ pauseMs, onFault },
    }),
    startRepeating({ round: () => announceBills(database, now), pauseMs: pauseOfBillsMs, onFault }),
  ];
  return { stop: async () => void (await Promise.all(works.map((work) => work.stop()))) };
}

/** Sends a claimed notice, unless it is no longer wanted. */
async function notify({ orgId, noticeId }: DuePush, database: Database, push: PushService): Promise<void> {
  const notice = await database.forOrg(orgId, (em) => readOutgoing(em, noticeId));
  if (notice === null) return;
  if (!notice.isWanted || notice.ageHours > PUSH_NOTICE_HOURS) {
    await database.transaction(orgId, (em) => endNotice(em, notice, 'dropped'));
    return;
  }
  const outcome = await push.send(messageOf(notice));
  const tried = { ...notice, attempts: notice.attempts + 1 };
  await database.transaction(orgId, (em) => {
    if (outcome.kind === 'gone') return removePushToken(em, notice.pushTokenId, notice.token);
    if (outcome.kind !== 'later') return endNotice(em, tried, outcome.kind);
    return putOffNotice(em, tried, pushPauseSeconds(tried.attempts, outcome.afterSeconds));
  });
}

function messageOf({ id, kind, subjectId, token }: OutgoingNotice): PushMessage {
  return { ...{ token, ...pushText(kind) }, data: { kind, id: subjectId }, tag: id };
}

/** An organization that fails holds up no other. */
async function announceBills(database: Database, now: () => number): Promise<boolean> {
  const failures: unknown[] = [];
  for (const orgId of await database.acrossOrgs('bills that fall due', organizationsWithDevices)) {
    const announced = database.transaction(orgId, async (em) => {
      const today = businessDateAt(now(), (await clockOffsetDays(em, orgId)) ?? 0);
      await announceBillsDue(em, { from: today, to: addDays(today, PAYMENT_DUE_DAYS) });
    });
    await announced.catch((error) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
  return false;
}
