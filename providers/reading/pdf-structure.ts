// Checks a PDF before it is parsed: that it is a PDF, complete, unencrypted, without scripts, and not a bomb. It
// works on the bytes alone, so that a file made to confuse a parser is refused before it reaches one.
import { inflateSync } from 'node:zlib';
import { Unreadable } from './unreadable.ts';

/** Readers look for the header here, so files with something before it exist. */
const HEADER_WITHIN_BYTES = 1_024;
const END_WITHIN_BYTES = 4_096;
const STREAM_MAX_BYTES = 64 * 1_048_576;
const ALL_STREAMS_MAX_BYTES = 128 * 1_048_576;

const ENCRYPTED = /\/Encrypt\s*(\d+\s+\d+\s+R|<<)/;
const SCRIPT = /\/(JavaScript|JS|Launch|RichMedia)(?![A-Za-z0-9_.-])/;
const ESCAPED = /#([0-9A-Fa-f]{2})/g;
const FLATE = /\/(FlateDecode|Fl)(?![A-Za-z0-9])/g;
const OBJECT_BEGINS = /\sobj\b/;
const IMAGE = /\/Subtype\s*\/Image\b/;
/** A stream of packed objects, even if not declared as one: readers go by the offset of its first object. */
const OBJECTS = /\/(ObjStm|First)\b/;
/** The packings we can look into: none, or Flate once and no other filter. */
const [FILTER, FLATE_ALONE] = [/\/(Filter|F)\b/g, /\/Filter\s*(\[\s*)?\/(FlateDecode|Fl)\s*\]?\s*(\/|>>)/];
const PREDICTED = /\/(DecodeParms|DP)\b/;

/** @throws Unreadable not_a_pdf, truncated, encrypted, contains_script, damaged, too_complex */
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

/** Splits a file into its streams and the text between them. */
function partsOf(bytes: Buffer): { outside: string[]; streams: Stream[] } {
  const [outside, streams]: [string[], Stream[]] = [[], []];
  let at = 0;
  while (at < bytes.length) {
    const start = nextStream(bytes, at);
    outside.push(bytes.toString('latin1', at, start ?? bytes.length));
    if (start === null) break;
    const end = bytes.indexOf('endstream', start);
    const dictionary = unescaped(outside.at(-1) ?? '');
    const dataEnd = end < 0 ? bytes.length : end;
    streams.push({ dictionary: dictionary.split(OBJECT_BEGINS).at(-1) ?? '', data: dataOf(bytes, start, dataEnd) });
    at = end < 0 ? bytes.length : end + 'endstream'.length;
  }
  return { outside, streams };
}

/** Where the next stream begins. `endstream` ends with the same word. */
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

/** Unpacks what a parser would unpack, up to a bound. Images stay packed: nothing reads them. */
function ensureBounded(streams: readonly Stream[]): void {
  let left = ALL_STREAMS_MAX_BYTES;
  for (const { dictionary, data } of streams) {
    const holdsObjects = OBJECTS.test(dictionary);
    if (holdsObjects) ensureCanBeLookedInto(dictionary);
    const filters = dictionary.match(FLATE)?.length ?? 0;
    if (filters > 1) throw new Unreadable('too_complex');
    const isPicture = IMAGE.test(dictionary) && !holdsObjects;
    const unpacked = filters === 0 || isPicture ? null : inflated(data, Math.min(left, STREAM_MAX_BYTES));
    left -= unpacked?.length ?? 0;
    if (holdsObjects) ensureNoScript(filters === 0 ? data : unpacked);
  }
}

/** Refuses packed objects that we cannot look into, since they may hold a script. @throws Unreadable contains_script */
function ensureCanBeLookedInto(dictionary: string): void {
  const filters = dictionary.match(FILTER)?.length ?? 0;
  const isPlain = filters === 0 || (filters === 1 && FLATE_ALONE.test(dictionary));
  if (!isPlain || PREDICTED.test(dictionary)) throw new Unreadable('contains_script');
}

/** @throws Unreadable damaged for objects that do not unpack completely, contains_script */
function ensureNoScript(objects: Buffer | null): void {
  if (objects === null) throw new Unreadable('damaged');
  if (SCRIPT.test(unescaped(objects.toString('latin1')))) throw new Unreadable('contains_script');
}

/** Null for data that does not unpack completely. */
function inflated(data: Buffer, maxOutputLength: number): Buffer | null {
  try {
    return inflateSync(data, { maxOutputLength: Math.max(1, maxOutputLength) });
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw new Unreadable('too_complex');
    return null;
  }
}

/** Names may be written in hexadecimal, wholly or in part. */
function unescaped(text: string): string {
  return text.replace(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
