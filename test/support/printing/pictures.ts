// Pages of a PDF as a reader sees them: a Chromium draws each. PICTURES names a folder that keeps the pictures for
// inspection.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'ava';
import jsQr from 'jsqr';
import { type Browser, launch, type Page } from 'puppeteer-core';
import { browserBinary } from '../../../providers/pdf/browser-binary.ts';

/** Pixels per point. */
const SCALE = 2;
const WHITE = 255;

/** A page, row by row; each pixel ranges from 0, black, to 255, white. */
export interface Picture {
  width: number;
  height: number;
  scale: number;
  pixels: Uint8Array;
}

interface Drawn {
  width: number;
  height: number;
  pixels: string;
  png: string;
}

/** What draws in the browser: the platform's own PDF reader, on a canvas. */
const DRAW = `
globalThis.draw = async (encoded, scale) => {
  const pdf = await getDocument({ data: Uint8Array.fromBase64(encoded) }).promise;
  const drawn = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const viewport = page.getViewport({ scale });
    const canvas = new OffscreenCanvas(viewport.width, viewport.height);
    const context = canvas.getContext('2d');
    await page.render({ canvas: null, canvasContext: context, viewport, background: 'white' }).promise;
    const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height);
    const pixels = new Uint8Array(width * height);
    for (let i = 0; i < pixels.length; i++) pixels[i] = Math.min(data[4 * i], data[4 * i + 1], data[4 * i + 2]);
    const png = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
    drawn.push({ width, height, pixels: pixels.toBase64(), png: png.toBase64() });
  }
  return drawn;
};`;

let started: Promise<{ browser: Browser; page: Page }> | null = null;

test.after.always('the browser that draws is closed', async () => (await started)?.browser.close());

/** Draws the pages of a PDF. `name` names the files where they are kept. */
export async function picturesOf(bytes: Uint8Array, name: string): Promise<Picture[]> {
  started ??= startDrawing();
  const { page } = await started;
  const encoded = Buffer.from(bytes).toString('base64');
  const drawn = (await page.evaluate(`draw('${encoded}', ${SCALE})`)) as Drawn[];
  drawn.forEach(({ png }, place) => {
    leave(`${name}-${place + 1}.png`, Buffer.from(png, 'base64'));
  });
  return drawn.map(({ width, height, pixels }) => {
    return { width, height, scale: SCALE, pixels: Buffer.from(pixels, 'base64') };
  });
}

/** What a phone reads from the QR code in a picture; null where there is none. */
export function readQrCode({ pixels, width, height }: Picture): string | null {
  const colours = new Uint8ClampedArray(pixels.length * 4).fill(WHITE);
  pixels.forEach((light, place) => {
    colours.fill(light, place * 4, place * 4 + 3);
  });
  return jsQr.default(colours, width, height)?.data ?? null;
}

async function startDrawing(): Promise<{ browser: Browser; page: Page }> {
  const executablePath = await browserBinary({ path: null, cacheDir: join(homedir(), '.cache', 'bindery') });
  const args = ['--disable-gpu', '--no-sandbox'];
  const browser = await launch({ executablePath, args, headless: 'shell', pipe: true });
  const page = await browser.newPage();
  const reader = join(dirname(createRequire(import.meta.url).resolve('unpdf')), 'pdfjs.mjs');
  const content = `${readFileSync(reader, 'utf8')}\n${DRAW}`;
  await page.addScriptTag({ type: 'module', content });
  return { browser, page };
}

function leave(name: string, png: Buffer): void {
  const folder = process.env.PICTURES;
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name.replaceAll(' ', '-')), png);
}
