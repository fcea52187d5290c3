// PDF metadata. The same page printed twice gives the same file: the time of printing is not part of it.
const INSTANT = /\/(CreationDate|ModDate) \(D:[^)]*\)/g;
const FIXED_INSTANT = "20000101000000+00'00'";
const PAGE = /\/Type\s*\/Page\b(?!s)/g;

/** Replaces the time of printing with a fixed one of the same length, so that offsets stay correct. */
export function withFixedInstants(pdf: Uint8Array): Buffer {
  const text = Buffer.from(pdf).toString('latin1');
  const fixed = text.replaceAll(INSTANT, (found, name: string) => {
    const frame = `/${name} (D:)`.length;
    return `/${name} (D:${FIXED_INSTANT.padEnd(found.length - frame).slice(0, found.length - frame)})`;
  });
  return Buffer.from(fixed, 'latin1');
}

/** Counts the pages of a PDF printed by the browser. */
export function countPages(pdf: Uint8Array): number {
  return Buffer.from(pdf).toString('latin1').match(PAGE)?.length ?? 0;
}
