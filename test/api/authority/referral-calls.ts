// Calls that tests of referrals share.
import type { TestClient } from '../../support/client.ts';

/** Decides on a referral. */
export const decide = (client: TestClient, id: string, decision: string, more: object = {}) =>
  client.post(`/v1/referrals/${id}/decision`, { decision, ...more });

/** The referral that flags name; empty without one. */
export const referralOf = ({ daFlags }: { daFlags: { referralId: string | null }[] }) =>
  daFlags.find(({ referralId }) => referralId !== null)?.referralId ?? '';
