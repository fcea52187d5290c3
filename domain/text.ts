// Texts that strangers write: what may be stored and printed at all. Pure. Contract 1 "Strings".

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that it refuses
const FORBIDDEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;

/** Whether a text is valid Unicode without control characters. Line breaks and tabs are for each field to allow. */
export function isCleanText(text: string): boolean {
  return text.isWellFormed() && !FORBIDDEN.test(text);
}
