// The outside of a platform under test: the local card processor in this process, reached by the adapter of production,
// and files in a folder that goes with the test.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCardProcessor } from '../../../providers/card-processor.ts';
import type { Mail, MailPort } from '../../../providers/mail-port.ts';
import type { CardProcessor, ObjectStorage } from '../../../providers/ports.ts';
import { createStorage } from '../../../providers/storage.ts';
import { type LocalCardProcessor, startCardProcessor } from '../../../stand-ins/card-processor/server.ts';

/** How the processor signs and is called in every test. */
export const CARD_PROCESSOR_VARIABLES = {
  CARD_PROCESSOR_SECRET_KEY: 'sk_test_key-of-the-tests-0123456789',
  CARD_PROCESSOR_WEBHOOK_SECRET: 'whsec_secret-of-the-tests-0123456789',
};

export interface TestProviders {
  /**
   * What customers do (`pay`, `refund`, …), and how events are delivered. It delivers nothing before `deliverTo` is
   * called.
   */
  processor: LocalCardProcessor;
  card: CardProcessor;
  storage: ObjectStorage;
  /** The folder of the storage. */
  folder: string;
  /** What was sent, the oldest first. */
  mails: Mail[];
  mail: Pick<MailPort, 'send'>;
  close: () => Promise<void>;
}

/** Starts the providers; the caller closes them. */
export async function startProviders(): Promise<TestProviders> {
  const { CARD_PROCESSOR_SECRET_KEY: secretKey, CARD_PROCESSOR_WEBHOOK_SECRET: webhookSecret } =
    CARD_PROCESSOR_VARIABLES;
  const processor = await startCardProcessor({ secretKey, webhookSecret });
  const mails: Mail[] = [];
  const dataDir = mkdtempSync(join(tmpdir(), 'bindery-storage-'));
  return {
    processor,
    card: createCardProcessor({ secretKey, baseUrl: processor.url }),
    storage: createStorage({ dataDir, s3: null }),
    folder: join(dataDir, 'storage'),
    mails,
    mail: { send: async (mail) => void mails.push(mail) },
    close: async () => {
      await processor.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
