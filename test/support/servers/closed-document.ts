// The API document as tests use it, made once per run into a file that every test process reads: answers may have no
// fields except those described.
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type OpenApiDocument, openApiDocument } from '../../../api/openapi/document.ts';
import { ROUTES } from '../../../api/routes/index.ts';

export const DOCUMENT_VARIABLE = 'BINDERY_TEST_API_DOCUMENT';

/** Reads the file that the run prepared, or makes the document now. */
export function closedDocument(): OpenApiDocument {
  const prepared = process.env[DOCUMENT_VARIABLE];
  if (prepared && existsSync(prepared)) return JSON.parse(readFileSync(prepared, 'utf8')) as OpenApiDocument;
  return openApiDocument(ROUTES, { version: '0.0.0', serverUrl: 'http://localhost', isClosed: true });
}

/** Writes the document into `folder` and returns the file's path. */
export async function writeClosedDocument(folder: string): Promise<string> {
  const path = join(folder, 'closed-api-document.json');
  await writeFile(path, JSON.stringify(closedDocument()));
  return path;
}
