// The outside world of a platform under test: the local card processor in this process, called through the production
// adapter, and files in a folder that the test removes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCardProcessor } from '../../../providers/card-processor.ts';
import { createIdentityVerifier } from '../../../providers/identity/persona.ts';
import type { Mail, MailPort } from '../../../providers/mail-port.ts';
import type { CardProcessor, IdentityVerifier, ObjectStorage, SigningService } from '../../../providers/ports.ts';
import { createSigningService } from '../../../providers/signing/boldsign.ts';
import { createStorage } from '../../../providers/storage.ts';
import { type LocalCardProcessor, startCardProcessor } from '../../../stand-ins/card-processor/server.ts';
import { type SigningRoom, startSigningRoom } from '../../../stand-ins/e-signature/server.ts';
import { type LocalVerifier, startIdentityVerifier } from '../../../stand-ins/identity-verifier/server.ts';

/** How every test signs for and calls the processor. */
export const CARD_PROCESSOR_VARIABLES = {
  CARD_PROCESSOR_SECRET_KEY: 'sk_test_key-of-the-tests-0123456789',
  CARD_PROCESSOR_WEBHOOK_SECRET: 'whsec_secret-of-the-tests-0123456789',
};

/** How every test signs for and calls the other providers. */
export const INBOUND_VARIABLES = {
  IDENTITY_VERIFIER_WEBHOOK_SECRET: 'wbhsec_secret-of-the-tests-0123456789',
  EMAIL_PROVIDER_WEBHOOK_SECRET: 'whsec_c2VjcmV0LW9mLXRoZS10ZXN0cy0wMTIzNDU2Nzg5',
  ESIGN_WEBHOOK_SECRET: 'esign_secret-of-the-tests-0123456789',
};
const IDENTITY_KEY = 'persona_key-of-the-tests-0123456789';
const ESIGN_KEY = 'boldsign_key-of-the-tests-0123456789';

export interface TestProviders {
  /**
   * What customers do (`pay`, `refund`, …), and how events are delivered. Delivers nothing before `deliverTo` is
   * called.
   */
  processor: LocalCardProcessor;
  card: CardProcessor;
  storage: ObjectStorage;
  /** What signers do. Delivers nothing before `deliverTo` is called. */
  signingRoom: SigningRoom;
  signing: SigningService;
  /** Finishes identity inquiries. Delivers nothing before `deliverTo` is called. */
  verifier: LocalVerifier;
  identityVerifier: IdentityVerifier;
  /** The storage folder. */
  folder: string;
  /** What was sent, oldest first. */
  mails: Mail[];
  mail: Pick<MailPort, 'send'>;
  close: () => Promise<void>;
}

/** The tests' mail port: it keeps what is sent, and names each e-mail as the email provider would. */
export function keptMail(mails: Mail[]): Pick<MailPort, 'send'> {
  return {
    send: async (mail) => {
      mails.push(mail);
      return `mail-${mail.messageId ?? mails.length}`.replaceAll(/[^\w-]/g, '-');
    },
  };
}

/** Starts the providers; the caller closes them. */
export async function startProviders(): Promise<TestProviders> {
  const { CARD_PROCESSOR_SECRET_KEY: secretKey, CARD_PROCESSOR_WEBHOOK_SECRET: webhookSecret } =
    CARD_PROCESSOR_VARIABLES;
  const processor = await startCardProcessor({ secretKey, webhookSecret });
  const [signingRoom, verifier] = await Promise.all([
    startSigningRoom({ apiKey: ESIGN_KEY, webhookSecret: INBOUND_VARIABLES.ESIGN_WEBHOOK_SECRET }),
    startIdentityVerifier({
      apiKey: IDENTITY_KEY,
      webhookSecret: INBOUND_VARIABLES.IDENTITY_VERIFIER_WEBHOOK_SECRET,
    }),
  ]);
  const mails: Mail[] = [];
  const dataDir = mkdtempSync(join(tmpdir(), 'bindery-storage-'));
  return {
    processor,
    card: createCardProcessor({ secretKey, baseUrl: processor.url }),
    storage: createStorage({ dataDir, s3: null }),
    folder: join(dataDir, 'storage'),
    signingRoom,
    signing: createSigningService({ apiKey: ESIGN_KEY, baseUrl: signingRoom.url, provider: 'boldsign' }),
    verifier,
    identityVerifier: createIdentityVerifier({ apiKey: IDENTITY_KEY, baseUrl: verifier.url, templateId: 'itmpl_test' }),
    mails,
    mail: keptMail(mails),
    close: async () => {
      await Promise.all([processor.close(), signingRoom.close(), verifier.close()]);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
