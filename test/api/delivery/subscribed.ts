// Organizations subscribed to events, and their receivers, which close with the file.
import test from 'ava';
import { allPages, bodyOf, newHouse } from '../../support/house.ts';
import type { Platform } from '../../support/run-platform.ts';
import { accept, type Receiver, startReceiver } from '../../support/servers/receiver.ts';

const receivers: Receiver[] = [];

test.after.always('the receivers are closed', () => Promise.all(receivers.map((receiver) => receiver.close())));

/** Starts a receiver. */
export async function openReceiver(...answer: Parameters<typeof startReceiver>): Promise<Receiver> {
  const started = await startReceiver(...answer);
  receivers.push(started);
  return started;
}

/** An organization with a receiver, and its subscription to events. */
export async function subscribedHouse(platform: Platform, events: string[], answer = accept) {
  const house = await newHouse(platform);
  const admin = house.as('org_admin');
  const target = await openReceiver(answer);
  const made = bodyOf(await admin.post('/v1/webhooks', { url: target.url, events }), 201);
  return { house, admin, target, id: made.id as string, secret: made.secret as string };
}

/** A subscription's delivery log, newest first. */
export const logOf = (admin: ReturnType<Platform['as']>, id: string, query = {}) =>
  allPages(admin, `/v1/webhooks/${id}/deliveries`, query) as Promise<Record<string, unknown>[]>;
