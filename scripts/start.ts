// npm start: the whole platform on one machine. A part whose variable is set (.env.example) is used from there
// instead. npm run dev adds --watch, which restarts api, workers and auth when their source changes.
import './help/show-help.ts';
import { ConfigError } from '../config.ts';
import { environmentWithFile } from './env-file.ts';
import { StartError } from './start/start-error.ts';
import { Supervisor } from './start/supervisor.ts';

// The reader of the output may end first, as in `npm start | tee start.log` with Ctrl-C: the parts still stop in
// order.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const supervisor = new Supervisor();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void supervisor.stop().then(() => process.exit()));
}

try {
  await supervisor.start(environmentWithFile(), process.argv.includes('--watch'));
} catch (error) {
  const isForPerson = error instanceof StartError || error instanceof ConfigError;
  console.error(isForPerson ? `\n${error.message}\n` : error);
  await supervisor.stop();
  process.exit(1);
}
