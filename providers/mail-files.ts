// Writes mail as `.eml` files instead of sending it, for installations without a mail server. The names sort by time.
import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { MailPort } from './mail-port.ts';

/** Builds the adapter; the folder is created when first needed, readable only by the owner. */
export function writeMailFiles({ folder, from }: { folder: string; from: string }): MailPort {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    send: async ({ to, ...mail }) => {
      const { message } = await transport.sendMail({ from, to: { name: '', address: to }, ...mail });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const name = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${randomUUID().slice(0, 8)}`;
      const unfinished = join(folder, `${name}.part`);
      await writeFile(unfinished, message as Buffer, { mode: 0o600 });
      await rename(unfinished, join(folder, `${name}.eml`));
      return null;
    },
    close: async () => transport.close(),
  };
}
