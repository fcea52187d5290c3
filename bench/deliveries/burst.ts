// How a burst of one organization's events affects another's binds: binds alone, and while the burst is delivered.
import { eventually } from '../../test/support/eventually.ts';
import { measure, type Round, summarize, take } from '../measure.ts';
import type { Setting } from '../setting.ts';
import { bind, type Quoted, quotedSubmissions } from '../submissions.ts';
import type { Comparison } from '../table.ts';
import { startTarget, subscribe, writeEvents } from './receivers.ts';

const [EVENTS, RECEIVERS] = [5_000, 4];
const [ROUNDS, BINDS, WARM_UP] = [3, 20, 12];
const BURST_WITHIN_MS = 180_000;

/** Compares one organization's binds with and without a burst of another's events. */
export async function compareBurst(setting: Setting, progress: (line: string) => void): Promise<Comparison> {
  const target = await startTarget();
  const bursting = await setting.createOrganization('Bursts');
  const binding = await setting.createOrganization('Binds beside it');
  for (let n = 0; n < RECEIVERS; n += 1) await subscribe(setting, bursting, `${target.origin}/${n}`);
  progress('quoting submissions');
  const quoted = await quotedSubmissions(setting, binding, WARM_UP + 2 * ROUNDS * BINDS);
  const authorization = await binding.authorization();
  const binds = (items: Quoted[]): Promise<Round> =>
    measure(items, 1, async ({ submissionId }) => void (await bind(setting, authorization, submissionId)));
  await binds(take(quoted, WARM_UP));
  const sides = { alone: [] as Round[], beside: [] as Round[] };
  for (let round = 1; round <= ROUNDS; round += 1) {
    sides.alone.push(await binds(take(quoted, BINDS)));
    const [before, wanted] = [target.arrived(), target.arrived() + EVENTS * RECEIVERS];
    await writeEvents(setting, bursting, EVENTS);
    await eventually(() => target.arrived() > before, { what: 'the first delivery' });
    sides.beside.push(await binds(take(quoted, BINDS)));
    progress(`${target.arrived() - before} of ${EVENTS * RECEIVERS} were delivered meanwhile`);
    if (target.arrived() >= wanted) throw new Error('The burst was over too soon: more events are needed');
    await eventually(() => target.arrived() >= wanted, { what: 'the burst', withinMs: BURST_WITHIN_MS });
  }
  target.server.close();
  const [alone, beside] = [summarize(sides.alone), summarize(sides.beside)];
  return {
    title: `Binds beside a burst of ${EVENTS} events to ${RECEIVERS} receivers, one at a time`,
    lines: [
      { name: 'alone', figures: alone },
      { name: 'while the burst of another organization is delivered', figures: beside },
    ],
    verdicts: [{ what: 'p50 ratio', value: beside.p50Ms / alone.p50Ms, aim: { most: 1.5 } }],
  };
}
