// npm run openapi: writes docs/openapi.json from the routes, and from it the clients' types and the Postman
// collection. With --check it only reports which of the files are out of date.
import './help/show-help.ts';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openApiDocument } from '../api/openapi/document.ts';
import { ROUTES } from '../api/routes/index.ts';
import { postmanOf } from './openapi/postman.ts';
import { pythonOperationsOf, pythonTypesOf } from './openapi/python.ts';
import { typescriptOf } from './openapi/typescript.ts';

const ROOT = join(import.meta.dirname, '..');
/** The committed document is that of a local platform. */
const LOCAL_URL = 'http://localhost:8787';

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const document = openApiDocument(ROUTES, { version, serverUrl: LOCAL_URL });

const FILES: Readonly<Record<string, string>> = {
  'docs/openapi.json': `${JSON.stringify(document, null, 2)}\n`,
  'docs/postman.json': `${JSON.stringify(postmanOf(document), null, 1)}\n`,
  'clients/typescript/src/api.generated.ts': typescriptOf(document),
  'clients/python/bindery_client/shapes.py': pythonTypesOf(document),
  'clients/python/bindery_client/operations.py': pythonOperationsOf(document),
};

for (const [path, text] of Object.entries(FILES)) {
  const file = join(ROOT, path);
  if (!process.argv.includes('--check')) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  } else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    console.error(`${path} differs from the routes: run "npm run openapi" and commit the file.`);
    process.exitCode = 1;
  }
}
