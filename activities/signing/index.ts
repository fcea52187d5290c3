// The activities of this slice, by name.
import type { Deps } from '../context.ts';
import { expireEnvelope, readEnvelope, remindSigners, sendEnvelope, voidEnvelope } from './envelopes.ts';
import { fetchSignedFile } from './signed-files.ts';

export const signingActivities = (deps: Deps) => ({
  readEnvelope: readEnvelope(deps),
  sendEnvelope: sendEnvelope(deps),
  remindSigners: remindSigners(deps),
  voidEnvelope: voidEnvelope(deps),
  expireEnvelope: expireEnvelope(deps),
  fetchSignedFile: fetchSignedFile(deps),
});
