// Runs the local card processor as its own process; `npm start` does this if no other processor is configured.
import { loadCardProcessorConfig } from '../../config.ts';
import { startCardProcessor } from './server.ts';
import { settingsOf } from './settings.ts';

// No other user of this machine may read its state.
process.umask(0o077);
const processor = await startCardProcessor(settingsOf(loadCardProcessorConfig(process.env)));
process.stdout.write(`listening at ${processor.url}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void processor.close().then(() => process.exit(0)));
}
