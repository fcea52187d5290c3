// Forms with more parts than anyone sends.
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { Readable, Writable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import test from 'ava';
import { readForm } from '../../../api/spine/files/multipart.ts';

const PIECES = 50;
const piece = '--x\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n'.repeat(1_000);

test('a form with too many parts is read only until its first fault, and all of it is received', async (t) => {
  let received = 0;
  async function* pieces() {
    for (; received < PIECES; received += 1) yield Buffer.from(piece);
  }
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  const request = Object.assign(Readable.from(pieces()), { headers }) as unknown as IncomingMessage;
  let written = 0;
  Busboy.prototype.write = function (this: Writable, ...args: Parameters<Writable['write']>) {
    written += 1;
    return Writable.prototype.write.apply(this, args);
  } as Writable['write'];
  const refusal = { message: 'a was sent more than once.', code: 'validation_failed' };
  await t.throwsAsync(readForm(request, 1_000_000, tmpdir()), refusal);
  t.is(received, PIECES);
  t.is(written, 1);
});
