// How a client sees the identity verifier's failures: whatever it says, the caller may retry later.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { createIdentityVerifier } from '../../providers/identity/persona.ts';

const ORDER = { idempotencyKey: 'key', producerId: 'prd_1' };

for (const [what, status, body] of [
  ['a page in place of JSON', 200, '<html>Sign in</html>'],
  ['JSON that is no object', 200, 'null'],
  ['no id', 201, '{"data":{}}'],
  ['a refusal of the order, which holds nothing of the caller', 400, '{"errors":[]}'],
  ['a fault of its own', 500, 'Oops'],
] as const) {
  test(`the verifier counts as unavailable when it returns ${what}`, async (t) => {
    const server = createServer((_request, response) => response.writeHead(status).end(body));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.teardown(() => server.close());
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const verifier = createIdentityVerifier({ apiKey: 'key', baseUrl, templateId: 'itmpl_1' });
    const error = await t.throwsAsync(verifier.startInquiry(ORDER));
    t.like(error, { code: 'service_unavailable' });
  });
}
