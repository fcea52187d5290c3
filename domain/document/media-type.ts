// The type of a file and whether we accept it, judged by its bytes, never by the sender's word alone. Contract 3.3
// "Attachments".
import { DomainError } from '../errors.ts';

/** This many bytes of a file are enough to judge it. */
export const HEAD_BYTES = 4_096;

/** What senders declare when they do not know the type. */
const UNDECLARED = 'application/octet-stream';

/** Content type → the format of its bytes. The first type of each format is its usual one. */
const FORMATS: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/tiff': 'tiff',
  'image/heic': 'heic',
  'video/mp4': 'mp4',
  'video/quicktime': 'quicktime',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'application/zip': 'zip',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'zip',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'zip',
  'application/msword': 'ole',
  'application/vnd.ms-excel': 'ole',
  'application/vnd.ms-outlook': 'ole',
  'text/plain': 'text',
  'text/csv': 'text',
  'message/rfc822': 'text',
};

/** A format by the beginning of its files, from an offset, as text with one byte per character. */
const SIGNATURES: readonly [format: string, offset: number, ...beginnings: string[]][] = [
  ['pdf', 0, '%PDF-'],
  ['jpeg', 0, '\xff\xd8\xff'],
  ['png', 0, '\x89PNG\r\n\x1a\n'],
  ['gif', 0, 'GIF87a', 'GIF89a'],
  ['webp', 8, 'WEBP'],
  ['wav', 8, 'WAVE'],
  ['tiff', 0, 'II*\0', 'MM\0*'],
  ['heic', 4, 'ftyphei', 'ftyphevc', 'ftypmif1'],
  ['quicktime', 4, 'ftypqt  '],
  ['mp4', 4, 'ftyp'],
  ['mp3', 0, 'ID3', '\xff\xfb', '\xff\xf3', '\xff\xfa'],
  ['zip', 0, 'PK\x03\x04', 'PK\x05\x06'],
  ['ole', 0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
];

/** How executables begin. */
const PROGRAMS: readonly string[] = [
  ...['\x7fELF', '\xfe\xed\xfa\xce', '\xfe\xed\xfa\xcf', '\xce\xfa\xed\xfe', '\xcf\xfa\xed\xfe', '\xca\xfe\xba\xbe'],
  ...['\0asm', 'dex\n', '!<arch>', '#!'],
];
const WINDOWS_PROGRAM = 'MZ';
const ZIP = 'PK\x03\x04';
/** Executable archives name their manifest first. */
const MANIFEST = 'META-INF/';
/** What a browser would treat as a page, whatever its type. */
const PAGE =
  /^(\xef\xbb\xbf)?\s*<(!--|\?xml|(!doctype\s+html|html|head|body|script|iframe|svg|style|title|a|div|p|table|h1|br|img)[\s/>])/i;

/**
 * File extensions that we accept: those of the formats above. It is an allowlist because a denylist is never complete.
 * An extension is what follows the last dot, if it consists of letters and digits with at least one letter.
 */
const ENDINGS: ReadonlySet<string> = new Set([
  ...['pdf', 'jpg', 'jpeg', 'jfif', 'png', 'gif', 'webp', 'tif', 'tiff', 'heic', 'heif'],
  ...['mp4', 'm4v', 'm4a', 'mov', 'mp3', 'wav', 'zip', 'docx', 'xlsx', 'doc', 'xls', 'msg'],
  ...['txt', 'text', 'csv', 'tsv', 'log', 'md', 'eml', 'json'],
  // For files whose sender does not know the type.
  ...['bin', 'dat'],
]);
const ENDING = /\.(\d*[a-z][a-z0-9]*)$/i;

/** A file as its sender describes it, and its first bytes. */
export interface ClaimedFile {
  fileName: string;
  contentType: string;
  /** The first bytes, at most `HEAD_BYTES` of them. */
  head: Uint8Array;
}

/**
 * Returns the content type under which a file is kept.
 * @throws DomainError unsupported_media_type for a program or a page, for a type or extension that we do not accept,
 * and for bytes that do not match the declared type
 */
export function acceptedType({ fileName, contentType, head }: ClaimedFile): string {
  const declared = (contentType.split(';')[0] ?? '').trim().toLowerCase();
  const format = formatOf(head);
  if (format === 'dangerous') throw refused('Programs and web pages are not accepted.', { declared });
  const ending = endingOf(fileName);
  if (ending !== null && !ENDINGS.has(ending)) {
    throw refused('Files with this extension are not accepted.', { declared, ending });
  }
  if (declared === '' || declared === UNDECLARED) {
    return Object.keys(FORMATS).find((type) => FORMATS[type] === format) ?? UNDECLARED;
  }
  const expected = FORMATS[declared];
  if (expected === undefined) throw refused('Files of this type are not accepted.', { declared });
  if (expected !== format)
    throw refused('The file does not match its declared content type.', { declared, found: format });
  return declared;
}

/** A name's extension in lower case; null without one. Some systems ignore trailing dots and spaces. */
function endingOf(fileName: string): string | null {
  return ENDING.exec(fileName.replace(/[. ]+$/, ''))?.[1]?.toLowerCase() ?? null;
}

/** The format of a file; null for bytes that we do not recognize. */
function formatOf(head: Uint8Array): string | null {
  const beginning = Buffer.from(head).toString('latin1');
  if (isProgram(beginning) || PAGE.test(beginning)) return 'dangerous';
  const known = SIGNATURES.find(([, offset, ...all]) => all.some((each) => beginning.startsWith(each, offset)));
  if (known) return known[0];
  if (isText(head)) return 'text';
  return beginning.startsWith(WINDOWS_PROGRAM) ? 'dangerous' : null;
}

function isProgram(beginning: string): boolean {
  if (beginning.startsWith(ZIP) && beginning.includes(MANIFEST)) return true;
  return PROGRAMS.some((each) => beginning.startsWith(each));
}

/** Text has no control characters except line breaks and tabs. */
function isText(head: Uint8Array): boolean {
  return head.every((byte) => byte >= 32 || (byte >= 9 && byte <= 13));
}

function refused(message: string, details: Record<string, unknown>): DomainError {
  return new DomainError('unsupported_media_type', message, {
    ...details,
    supported: [...Object.keys(FORMATS), UNDECLARED],
  });
}
