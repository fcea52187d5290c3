// The activities of this slice, by name.
import type { Deps } from '../context.ts';
import { leaveNoticeOut } from './due-notices.ts';
import { sendNotice } from './notices.ts';

export const noticeActivities = (deps: Deps) => ({
  sendNotice: sendNotice(deps),
  leaveNoticeOut: leaveNoticeOut(deps),
});
