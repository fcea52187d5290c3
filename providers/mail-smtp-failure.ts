// What an SMTP client error means for an e-mail, without the server's reply, which quotes the recipient.
import { MailRefused } from './mail-port.ts';

/** As set by the client. `response` is the server's reply, `command` what it replied to. */
interface ClientError {
  code?: string;
  command?: string;
  message: string;
  response?: string;
  responseCode?: number;
}

/** Connection errors: they name only the server. */
const OF_CONNECTION: ReadonlySet<string> = new Set(['ECONNECTION', 'EDNS', 'ESOCKET', 'ETIMEDOUT', 'ETLS']);
/** A refusal of the recipient or of the e-mail. A refusal of the sender is a configuration fault. */
const OF_THE_MAIL: ReadonlySet<string> = new Set(['RCPT TO', 'DATA']);
/** 503 and 530 refuse the conversation: the next one may go better. */
const OF_THE_CONVERSATION: ReadonlySet<number> = new Set([503, 530]);
/** There is no such mailbox (RFC 5321), unless an enhanced status code (RFC 3463) gives another reason. */
const NO_MAILBOX: ReadonlySet<number> = new Set([550, 551, 553]);
const ENHANCED = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/;

/** Returns the error to throw. */
export function smtpFailure(error: unknown): Error {
  const { code = '', command = '', message, response, responseCode } = error as ClientError;
  if (response === undefined && OF_CONNECTION.has(code)) return Object.assign(new Error(message), { code });
  const status = ENHANCED.exec(response ?? '')?.[1] ?? null;
  const reply = [responseCode, status].filter((each) => each !== undefined && each !== null).join(' ');
  const said = `The mail server did not take the e-mail (${[code, command, reply].filter(Boolean).join(', ')}).`;
  if (!isFinal(command, responseCode)) return Object.assign(new Error(said), { code });
  const isAddress = status === null || status.startsWith('5.1.');
  return new MailRefused(said, { isAddressDead: command === 'RCPT TO' && NO_MAILBOX.has(responseCode) && isAddress });
}

function isFinal(command: string, responseCode: number | undefined): responseCode is number {
  if (responseCode === undefined || OF_THE_CONVERSATION.has(responseCode)) return false;
  return OF_THE_MAIL.has(command) && responseCode >= 500 && responseCode <= 599;
}
