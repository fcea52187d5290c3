// A platform for a test file, with an organization, and the events that providers send to it.
import test from 'ava';
import { InboundEvent } from '../../../db/entities/inbound/inbound-event.ts';
import { type House, newHouse } from '../../support/house.ts';
import type { SignedRequest } from '../../support/inbound-events.ts';
import { startCheckedPlatform } from '../../support/openapi-check.ts';
import type { Platform } from '../../support/run-platform.ts';

export const RECEIVED = { received: true };

export let platform: Platform;
export let house: House;

test.before('a platform', async (t) => {
  platform = await startCheckedPlatform(t);
  house = await newHouse(platform);
});

/** Sends a provider's request. */
export const send = ({ path, body, headers }: SignedRequest) =>
  platform.anonymous.send('POST', path, body, { headers });

/** What is stored of an event; null for nothing. */
export const recorded = (orgId: string, provider: string, id: string) =>
  platform.database.forOrg(orgId, (em) => em.findOne(InboundEvent, { provider, id }));
