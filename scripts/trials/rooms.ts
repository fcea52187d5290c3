// npm run rooms [-- --rooms 40] [--sockets 200] [--messages 5000]: a storm of messages in deal rooms on two API
// processes, one of which is killed. Exits with 1 if a reader missed a message or got one twice or out of order, if a
// removed participant could still read, or if the surviving process keeps 32 MiB more in the second half than in the
// first.
import '../help/show-help.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runRooms } from '../../test/rooms/rooms.ts';
import { startSurroundings } from '../../test/support/servers/surroundings.ts';

const GROWTH_MOST_MIB = 32;

const { values } = parseArgs({
  options: { rooms: { type: 'string' }, sockets: { type: 'string' }, messages: { type: 'string' } },
});
const rooms = Number(values.rooms ?? 40);
const sockets = Number(values.sockets ?? 200);
const messages = Number(values.messages ?? 5_000);
if (!(rooms > 0 && sockets > 0 && messages > 0)) throw new Error('npm run rooms -- --sockets 200 --messages 5000');

const startedAt = Date.now();
const report = (line: string) => console.log(`${((Date.now() - startedAt) / 1_000).toFixed(0).padStart(5)} s  ${line}`);
const dataDir = mkdtempSync(join(tmpdir(), 'bindery-rooms-'));
const surroundings = await startSurroundings(dataDir);
Object.assign(process.env, surroundings.variables);
try {
  const { findings, memory, ...found } = await runRooms({ rooms, sockets, messages, dataDir, report });
  const { before, after, most } = memory;
  report(`${sockets} sockets had ${messages} messages in ${found.seconds.toFixed(0)} s, ${found.broken} broken off`);
  report(`who was removed was cut off within ${found.slowestCutMs.toFixed(0)} ms`);
  const [early, late, peak] = [before, after, most].map((mib) => mib.toFixed(0));
  report(`the api keeps ${early} MiB in the first half and ${late} in the second, ${peak} at most`);
  if (after - before > GROWTH_MOST_MIB) findings.push(`the api keeps ${(after - before).toFixed(0)} MiB more`);
  report(`${findings.length} findings`);
  for (const finding of findings) report(finding);
  process.exitCode = findings.length === 0 ? 0 : 1;
} finally {
  await surroundings.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
