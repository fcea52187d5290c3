// The activities of this slice, by name.
import type { Deps } from '../context.ts';
import { makeDocument } from './make-document.ts';
import { notifyHolders } from './notify-holders.ts';

export const documentActivities = (deps: Deps) => ({
  makeDocument: makeDocument(deps),
  notifyHolders: notifyHolders(deps),
});
