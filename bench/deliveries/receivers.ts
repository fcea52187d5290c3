// Delivery receivers that answer immediately, and events for them.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { call, type Organization, type Setting } from '../setting.ts';

const DATA = {
  claimId: 'clm_01jz8k3v5ne0rbx4q2mw7t6yha',
  claimNumber: 'CLM-2026-000001',
  policyId: 'pol_01jz8k3v5ne0rbx4q2mw7t6yha',
  status: 'reported',
};

export interface Target {
  server: Server;
  origin: string;
  arrived: () => number;
  lastBody: () => string;
}

export async function startTarget(): Promise<Target> {
  let arrived = 0;
  let last = '{}';
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      last = Buffer.concat(chunks).toString();
      arrived += 1;
      response.writeHead(204).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { server, origin, arrived: () => arrived, lastBody: () => last };
}

export async function subscribe({ http }: Setting, organization: Organization, url: string): Promise<void> {
  const body = { url, events: ['*'] };
  await call(http, 'POST', '/v1/webhooks', await organization.authorization(), 201, body);
}

/** Writes events in one commit, as a batch does. */
export async function writeEvents({ owner }: Setting, { id }: Organization, count: number): Promise<void> {
  await owner.query(
    `insert into events (id, org_id, type, data, occurred_at)
       select new_type_id('evt'), $1, 'claim.filed', $2, now() from generate_series(1, $3)`,
    [id, DATA, count],
  );
}
