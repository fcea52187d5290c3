// The local card processor as a process of its own, which `npm start` runs where no other processor is set up.
import { loadCardProcessorConfig } from '../../config.ts';
import { startCardProcessor } from './server.ts';
import { settingsOf } from './settings.ts';

// Its state is for nobody else on this machine.
process.umask(0o077);
const processor = await startCardProcessor(settingsOf(loadCardProcessorConfig(process.env)));
process.stdout.write(`listening at ${processor.url}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void processor.close().then(() => process.exit(0)));
}
