// The reference of the API in both forms: for programs and to browse. Built once, on the first request.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { openApiDocument } from '../openapi/document.ts';
import type { Route } from '../spine/route.ts';
import { referencePage } from './page.ts';

const STYLE = asset('page.css');
const SCRIPT = asset('page.js');

/** The page may use its own style and script and load nothing: it works without a network. */
export const REFERENCE_POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(STYLE)}`,
  `script-src ${hashOf(SCRIPT)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export interface Reference {
  json: () => string;
  html: () => string;
}

/** Prepares the reference of these operations. */
export function createReference(routes: readonly Route[], serverUrl: string): Reference {
  const document = once(() => openApiDocument(routes, { version: manifest.version, serverUrl }));
  return {
    json: once(() => JSON.stringify(document())),
    html: once(() => referencePage(document(), { style: STYLE, script: SCRIPT })),
  };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function asset(name: string): string {
  return readFileSync(join(import.meta.dirname, name), 'utf8');
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
