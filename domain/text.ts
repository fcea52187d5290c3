// Untrusted text: what may be stored and printed at all. Pure. Contract 1 "Strings".

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that it refuses
const FORBIDDEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;

/**
 * Whether a text is valid Unicode without control characters. Each field decides whether to allow line breaks and
 * tabs.
 */
export function isCleanText(text: string): boolean {
  return text.isWellFormed() && !FORBIDDEN.test(text);
}

/** Characters that only join, direct or fill others. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Removes invisible characters: a zero-width space must not make a different text. */
export function withoutInvisible(text: string): string {
  return text.replaceAll(INVISIBLE, '');
}

/** A reference as it looks on paper, so that two that look alike are equal. */
export function plainReference(text: string): string {
  return withoutInvisible(text).replaceAll(/\s+/gu, ' ').trim();
}

/** The folder part of a name from the caller's machine. */
const FOLDERS = /^.*[/\\]/su;

/** A file name safe to store and display: no folders, one line, no invisible characters. */
export function plainFileName(name: string): string {
  const last = plainReference(name.replace(FOLDERS, ''));
  return /^\.*$/.test(last) ? 'document' : last;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML has no place for them
const NOT_IN_XML = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text escaped for XML or HTML, in an element or an attribute; characters not allowed in XML become spaces. */
export function escapedXml(text: string): string {
  const plain = text.toWellFormed().replaceAll(NOT_IN_XML, ' ');
  return plain.replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter);
}
