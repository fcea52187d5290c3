// The thread that parses files, one at a time.
import { serveTasks } from '../threads/serve.ts';
import { readMail } from './mail-content.ts';
import { readPdf } from './pdf-content.ts';
import type { ReadingTask } from './tasks.ts';
import { refusedAsUnreadable } from './unreadable.ts';

serveTasks(({ format, bytes }: ReadingTask) => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return refusedAsUnreadable(async () => (format === 'pdf' ? await readPdf(file) : await readMail(file)));
});
