// A QR code as a drawing for a page.
import qrcode from 'qrcode-generator';

/** Draws a text as a QR code, without a margin. */
export function qrCodeOf(text: string): string {
  const code = qrcode(0, 'M');
  code.addData(text);
  code.make();
  return code.createSvgTag({ scalable: true, margin: 0 });
}
