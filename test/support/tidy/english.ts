// The English of this repository: words that read as translated, each with a replacement. Looks at comments,
// documents, multi-word strings in the code (what callers and operators read, test titles), and the words that names
// consist of.
import type { Finding } from './source.ts';

interface Phrase {
  pattern: RegExp;
  instead: string;
}

const PHRASES: readonly Phrase[] = [
  { pattern: /\btold\b/i, instead: 'notified, reported, raised, or the active voice' },
  { pattern: /\b(tells? (whether|that|of|about)\b|(is|are|be) telling\b)/i, instead: 'says, reports, reveals' },
  { pattern: /(?<!\b(as|be) )\basked\b/i, instead: 'requested, called, required' },
  { pattern: /\b(whom|whoever|whomever)\b/i, instead: 'who, anybody who, or a sentence with a subject' },
  { pattern: /\b(he|his|him|himself)\b/i, instead: 'they, their, them' },
  { pattern: /(?<![-\w])(mails|mailed)\b/i, instead: 'e-mails, e-mailed' },
  { pattern: /\banew\b/i, instead: 'again' },
  { pattern: /\bagain and again\b/i, instead: 'repeatedly, keeps …ing' },
  { pattern: /\b(the|of|without|in|no) cover\b/i, instead: 'coverage' },
  { pattern: /\bat once\b/i, instead: 'immediately, or simultaneous' },
  { pattern: /\bof what (was|is|has)\b/i, instead: 'the noun itself' },
  { pattern: /\bwhat (becomes|became|comes|came) of\b/i, instead: 'the result of' },
];

/** Words within names, as in `tellPolicy` and `told_until`. */
const WORDS: readonly { word: string; instead: string }[] = [
  { word: 'told', instead: 'alert, notified, logFields' },
  { word: 'tell', instead: 'notify, raise, report' },
  { word: 'tells', instead: 'notify, raise, report' },
  { word: 'asked', instead: 'command, request' },
  { word: 'whom', instead: 'the noun' },
  { word: 'his', instead: 'their' },
  { word: 'anew', instead: 'again' },
  { word: 'mailed', instead: 'emailed' },
];

/** Files whose wording is not ours, or that hold the words themselves. */
const SKIPPED: readonly { path: string; reason: string }[] = [
  { path: 'LICENSE', reason: 'a legal text' },
  { path: 'test/support/tidy/english.ts', reason: 'holds the words' },
  { path: 'test/tidy.test.ts', reason: 'holds samples of the words' },
  { path: 'db/migrations/', reason: 'SQL that has run names its aliases' },
];

/** Finds phrases and names in any text file that read as translated. */
export function englishFindings(path: string, text: string): Finding[] {
  if (SKIPPED.some((skipped) => path.startsWith(skipped.path))) return [];
  return text.split('\n').flatMap((line, index) => {
    const messages = [
      ...PHRASES.filter(({ pattern }) => pattern.test(proseOf(path, line))).map(
        ({ pattern, instead }) => `reads as translated (${pattern.source}), write ${instead}`,
      ),
      ...namesOf(path, line).flatMap((name) =>
        WORDS.filter(({ word }) => wordsOf(name).includes(word)).map(
          ({ instead }) => `the name ${name} reads as translated, write ${instead}`,
        ),
      ),
    ];
    return messages.map((message) => ({ path, line: index + 1, message }));
  });
}

/** A comment, a line of a document, or the multi-word strings in the code; code in backticks is not prose. */
function proseOf(path: string, line: string): string {
  if (!/\.(ts|js|mjs)$/.test(path)) return withoutCode(line);
  const comment = COMMENT.exec(line)?.[0] ?? '';
  const texts = [...line.replace(COMMENT, '').matchAll(TEXT)].map(([text]) => text);
  return [withoutCode(comment), ...texts.filter((text) => text.split(' ').length > 3)].join(' ');
}

function namesOf(path: string, line: string): string[] {
  if (!/\.(ts|js|mjs)$/.test(path)) return [];
  const code = line.replace(COMMENT, '').replaceAll(TEXT, '');
  return [...new Set(code.match(/[A-Za-z_]\w*/g) ?? [])];
}

const COMMENT = /^\s*\/?\*.*$|(^|\s)\/\/ .*$/;
const TEXT = /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`?/g;
const withoutCode = (line: string) => line.replaceAll(/`[^`]*`|"[^"]*"/g, '');
const wordsOf = (name: string) => name.split(/(?<=[a-z0-9])(?=[A-Z])|_/).map((word) => word.toLowerCase());
