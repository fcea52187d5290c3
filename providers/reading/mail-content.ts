// The text of an e-mail uploaded as a file. Its pictures, addresses and attachments are not opened.
import PostalMime from 'postal-mime';
import type { MailContent } from '../../domain/document/content.ts';
import { ofParser } from './unreadable.ts';

const TEXT_MAX_CHARACTERS = 200_000;
const NESTING_MAX = 20;
/** A forwarded e-mail is read; what is deeper within it is an attachment, since each level is parsed again. */
const FORWARDED_MAX = 1;
const HEADERS_MAX_BYTES = 262_144;
const TAGS = /<(style|script)[\s\S]*?<\/\1>|<[^>]*>/gi;

/** @throws Unreadable damaged */
export async function readMail(bytes: Buffer): Promise<MailContent> {
  const mail = await ofParser(
    PostalMime.parse(bytes, {
      maxNestingDepth: NESTING_MAX,
      maxHeadersSize: HEADERS_MAX_BYTES,
      maxRfc822NestingDepth: FORWARDED_MAX,
    }),
  );
  const text = mail.text ?? (mail.html ?? '').slice(0, TEXT_MAX_CHARACTERS).replace(TAGS, ' ');
  return {
    subject: mail.subject ?? '',
    text: text.slice(0, TEXT_MAX_CHARACTERS),
    attachments: mail.attachments.map(({ filename }) => filename ?? ''),
  };
}
