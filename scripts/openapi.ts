// npm run openapi: writes docs/openapi.json from the routes. With --check it only says whether the file is current.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openApiDocument } from '../api/openapi/document.ts';
import { ROUTES } from '../api/routes/index.ts';

const ROOT = join(import.meta.dirname, '..');
const FILE = join(ROOT, 'docs/openapi.json');
/** The committed document is that of a local platform. */
const LOCAL_URL = 'http://localhost:8787';

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const document = `${JSON.stringify(openApiDocument(ROUTES, { version, serverUrl: LOCAL_URL }), null, 2)}\n`;

if (!process.argv.includes('--check')) {
  mkdirSync(dirname(FILE), { recursive: true });
  writeFileSync(FILE, document);
} else if (!existsSync(FILE) || readFileSync(FILE, 'utf8') !== document) {
  console.error('docs/openapi.json differs from the routes: run "npm run openapi" and commit the file.');
  process.exitCode = 1;
}
