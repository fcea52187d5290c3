// What a person at the `npm start` terminal learns from a line in a part's log.
import test from 'ava';
import type pino from 'pino';
import { createLog } from '../../http/log.ts';
import { consoleLine } from '../../scripts/start/console-line.ts';

/** What the terminal shows for a line as a process writes it. */
function shown(write: (logger: pino.Logger) => void): string | null {
  const lines: string[] = [];
  write(createLog({ level: 'info', base: { service: 'worker' } }, { write: (line) => lines.push(line) }));
  return consoleLine(lines[0] ?? '');
}

test('a step that failed is shown with its name and the words of the error and its cause, without their stacks', (t) => {
  const err = new Error('the rates were not read', { cause: new Error('There is no rate table\nfor UNRATED') });
  t.is(
    shown((logger) => logger.warn({ kind: 'renewPolicy', orgId: 'org_1', attempt: 1, err }, 'a step failed')),
    'a step failed: renewPolicy (the rates were not read: There is no rate table)',
  );
});

test('a step of money that waits is shown with its name and the reason', (t) => {
  const fields = { step: 'loss fund ledger', entityId: 'cpm_1', reason: 'The loss fund is short by 1000 dollars.' };
  t.is(
    shown((logger) => logger.error(fields, 'a money step failed and waits')),
    'a money step failed and waits: loss fund ledger (The loss fund is short by 1000 dollars.)',
  );
});

test('a line with neither shows its message, and one that nobody has to act on is not shown', (t) => {
  t.is(
    shown((logger) => logger.warn('Temporal does not answer yet')),
    'Temporal does not answer yet',
  );
  t.is(
    shown((logger) => logger.info({ kind: 'renewPolicy' }, 'renewed')),
    null,
  );
});

test('only the line that names an error is shown of the output of a part outside of its log', (t) => {
  t.is(consoleLine('TypeError: x is not a function'), 'TypeError: x is not a function');
  t.is(consoleLine('    at start (scripts/start.ts:1:1)'), null);
  t.is(consoleLine('{"level": 50'), null);
});
