// The maximum time an operation may need, if longer than a caller would usually wait: clients set their timeouts by it.
import { ARRIVAL } from '../../http/http-server.ts';
import type { Route } from '../spine/route.ts';

/** What every operation may need; operations that need no more are not annotated. */
const USUAL_SECONDS = 60;
/** The engine's response, plus a little for transit. */
const ALLOWANCE_SECONDS = 30;

/** The field of the document. */
export const TIME_FIELD = 'x-timeout-seconds';

/** Returns the seconds within which an operation responds: file upload, waits and its own work. */
export function timeNeeded({ deadlineMs = 0, file, upload }: Route): object {
  const isFile = file !== null || (upload !== undefined && upload.schema === undefined);
  const arrivalMs = isFile ? ARRIVAL.fileMs : 0;
  const seconds = (arrivalMs + deadlineMs) / 1000 + ALLOWANCE_SECONDS;
  return seconds > USUAL_SECONDS ? { [TIME_FIELD]: seconds } : {};
}
