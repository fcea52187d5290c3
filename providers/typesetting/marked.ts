// A word across every page of a finished PDF. Drawn onto the file, it does not depend on what the page's author wrote.
import { degrees, PDFDocument, rgb, StandardFonts } from 'pdf-lib';

const SIZE = 96;
const RED = rgb(0.69, 0, 0.13);
const OPACITY = 0.35;
const ANGLE_DEGREES = 30;

/** Writes `word` through the middle of every page. @throws Error for bytes that are no PDF */
export async function marked(pdf: Uint8Array, word: string): Promise<Uint8Array> {
  const document = await PDFDocument.load(pdf, { updateMetadata: false });
  const font = await document.embedFont(StandardFonts.HelveticaBold);
  const angle = (ANGLE_DEGREES * Math.PI) / 180;
  const half = font.widthOfTextAtSize(word, SIZE) / 2;
  for (const page of document.getPages()) {
    const { width, height } = page.getSize();
    page.drawText(word, {
      ...{
        x: width / 2 - half * Math.cos(angle),
        y: height / 2 - half * Math.sin(angle),
        rotate: degrees(ANGLE_DEGREES),
      },
      ...{ size: SIZE, font, color: RED, opacity: OPACITY },
    });
  }
  return document.save({ useObjectStreams: false });
}
