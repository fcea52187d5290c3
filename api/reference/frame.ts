// The page around a guide or a front page, and the policy under which it is served: no script, one style, nothing else.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asIs, type Html, html } from './html.ts';

const STYLE = readFileSync(join(import.meta.dirname, 'frame.css'), 'utf8');
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** `Content-Security-Policy` of every framed page. */
export const FRAME_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Puts content into the frame. */
export function framed(title: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${asIs(STYLE)}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`.text;
}
