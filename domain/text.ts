// Texts that strangers write: what may be stored and printed at all. Pure. Contract 1 "Strings".

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that it refuses
const FORBIDDEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;

/** Whether a text is valid Unicode without control characters. Line breaks and tabs are for each field to allow. */
export function isCleanText(text: string): boolean {
  return text.isWellFormed() && !FORBIDDEN.test(text);
}

/** What only joins, directs or fills other characters. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Leaves out what nobody sees: a text must not become another one by a blank of no width. */
export function withoutInvisible(text: string): string {
  return text.replaceAll(INVISIBLE, '');
}

/** A reference as it looks on paper, so that two that look alike are the same one. */
export function plainReference(text: string): string {
  return withoutInvisible(text).replaceAll(/\s+/gu, ' ').trim();
}

/** Where a name on the caller's machine has folders. */
const FOLDERS = /^.*[/\\]/su;

/** The name of a file as it may be stored and shown: without folders, in one line, nothing in it unseen. */
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

/** Text as it stands in XML or HTML, in an element or in an attribute; what XML has no place for becomes a space. */
export function escapedXml(text: string): string {
  const plain = text.toWellFormed().replaceAll(NOT_IN_XML, ' ');
  return plain.replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter);
}
