// Calls shared by the tests of referrals.
import type { TestClient } from '../../support/client.ts';

/** Decides a referral. */
export const decide = (client: TestClient, id: string, decision: string, more: object = {}) =>
  client.post(`/v1/referrals/${id}/decision`, { decision, ...more });

/** The referral that the flags name; empty if none. */
export const referralOf = ({ daFlags }: { daFlags: { referralId: string | null }[] }) =>
  daFlags.find(({ referralId }) => referralId !== null)?.referralId ?? '';
