// How long an operation may need at most, where that is more than a caller would wait: clients set their timeouts by
// it.
import { ARRIVAL } from '../../http/http-server.ts';
import type { Route } from '../spine/route.ts';

/** What every operation may need; nothing is said of those that need no more. */
const USUAL_SECONDS = 60;
/** The engine's answer, and a little for the way. */
const ALLOWANCE_SECONDS = 30;

/** The field of the document. */
export const TIME_FIELD = 'x-timeout-seconds';

/** Gives the seconds within which an operation has answered: the arrival of its file, its waits and its own work. */
export function timeNeeded({ deadlineMs = 0, file, upload }: Route): object {
  const isFile = file !== null || (upload !== undefined && upload.schema === undefined);
  const arrivalMs = isFile ? ARRIVAL.fileMs : 0;
  const seconds = (arrivalMs + deadlineMs) / 1000 + ALLOWANCE_SECONDS;
  return seconds > USUAL_SECONDS ? { [TIME_FIELD]: seconds } : {};
}
