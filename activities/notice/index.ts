// The activities of this slice, by name.
import type { Deps } from '../context.ts';
import { sendNotice } from './notices.ts';

export const noticeActivities = (deps: Deps) => ({
  sendNotice: sendNotice(deps),
});
