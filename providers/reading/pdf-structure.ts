// What is looked at before a PDF is parsed: whether it is one, whole, open, without script, and not a bomb. It works on
// the bytes alone, so that what would confuse a parser is refused before it meets one.
import { inflateSync } from 'node:zlib';
import { Unreadable } from './unreadable.ts';

/** Readers look for the header here, so files with something before it exist. */
const HEADER_WITHIN_BYTES = 1_024;
const END_WITHIN_BYTES = 4_096;
const DICTIONARY_MAX_BYTES = 4_096;
const STREAM_MAX_BYTES = 64 * 1_048_576;
const ALL_STREAMS_MAX_BYTES = 128 * 1_048_576;

const ENCRYPTED = /\/Encrypt\s*(\d+\s+\d+\s+R|<<)/;
const SCRIPT = /\/(JavaScript|JS|Launch|RichMedia)(?![A-Za-z0-9_.-])/;
const ESCAPED = /#([0-9A-Fa-f]{2})/g;
const FLATE = /\/(FlateDecode|Fl)(?![A-Za-z0-9])/g;
const [OBJECTS, IMAGE] = [/\/(ObjStm|XRef)\b/, /\/Subtype\s*\/Image\b/];

/** @throws Unreadable not_a_pdf, truncated, encrypted, contains_script, too_complex */
export function ensureHarmless(bytes: Buffer): void {
  if (bytes.subarray(0, HEADER_WITHIN_BYTES).indexOf('%PDF-') < 0) throw new Unreadable('not_a_pdf');
  const end = bytes.subarray(-END_WITHIN_BYTES);
  if (end.indexOf('%%EOF') < 0 || end.indexOf('startxref') < 0) throw new Unreadable('truncated');
  const { outside, streams } = partsOf(bytes);
  const plain = outside.map(unescaped);
  if (plain.some((part) => ENCRYPTED.test(part))) throw new Unreadable('encrypted');
  if (plain.some((part) => SCRIPT.test(part))) throw new Unreadable('contains_script');
  ensureBounded(streams);
}

interface Stream {
  dictionary: string;
  data: Buffer;
}

/** Divides a file into its streams and what is between them. */
function partsOf(bytes: Buffer): { outside: string[]; streams: Stream[] } {
  const [outside, streams]: [string[], Stream[]] = [[], []];
  let at = 0;
  while (at < bytes.length) {
    const start = nextStream(bytes, at);
    outside.push(bytes.toString('latin1', at, start ?? bytes.length));
    if (start === null) break;
    const end = bytes.indexOf('endstream', start);
    const dictionary = unescaped((outside.at(-1) ?? '').slice(-DICTIONARY_MAX_BYTES));
    const dataEnd = end < 0 ? bytes.length : end;
    streams.push({
      dictionary: dictionary.slice(dictionary.lastIndexOf(' obj') + 1),
      data: dataOf(bytes, start, dataEnd),
    });
    at = end < 0 ? bytes.length : end + 'endstream'.length;
  }
  return { outside, streams };
}

/** Where the next stream begins. The word also ends `endstream`. */
function nextStream(bytes: Buffer, from: number): number | null {
  for (let at = bytes.indexOf('stream', from); at >= 0; at = bytes.indexOf('stream', at + 1)) {
    const after = bytes[at + 'stream'.length];
    const isKeyword = after === 10 || after === 13;
    if (isKeyword && bytes.toString('latin1', Math.max(0, at - 3), at) !== 'end') return at;
  }
  return null;
}

function dataOf(bytes: Buffer, keyword: number, end: number): Buffer {
  const start = keyword + 'stream'.length;
  return bytes.subarray(bytes[start] === 13 && bytes[start + 1] === 10 ? start + 2 : start + 1, end);
}

/** Unpacks what a parser would unpack, up to a bound. Pictures stay packed: nobody looks at them. */
function ensureBounded(streams: readonly Stream[]): void {
  let left = ALL_STREAMS_MAX_BYTES;
  for (const { dictionary, data } of streams) {
    const filters = dictionary.match(FLATE)?.length ?? 0;
    if (filters > 1) throw new Unreadable('too_complex');
    if (filters === 0 || (IMAGE.test(dictionary) && !OBJECTS.test(dictionary))) continue;
    const unpacked = inflated(data, Math.min(left, STREAM_MAX_BYTES));
    left -= unpacked.length;
    if (OBJECTS.test(dictionary) && SCRIPT.test(unescaped(unpacked.toString('latin1')))) {
      throw new Unreadable('contains_script');
    }
  }
}

function inflated(data: Buffer, maxOutputLength: number): Buffer {
  try {
    return inflateSync(data, { maxOutputLength: Math.max(1, maxOutputLength) });
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw new Unreadable('too_complex');
    // A damaged stream is for the parser to judge, which is watched.
    return Buffer.alloc(0);
  }
}

/** Names may be written in hexadecimal, in part or whole. */
function unescaped(text: string): string {
  return text.replace(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
