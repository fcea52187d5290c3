// Checks every answer of a platform against the document that it publishes.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { SentAnswer } from '../../api/spine/deps.ts';
import { ensureInvoicesAddUp } from '../books/invoice-sums.ts';
import { startPlatform } from './platform.ts';
import type { PlatformOptions } from './run-platform.ts';
import { closedDocument } from './servers/closed-document.ts';

const DOCUMENT = 'openapi.json';

interface Described {
  $ref?: string;
  content?: Record<string, unknown>;
}

type Operations = Record<string, { responses: Record<string, Described> }>;

interface Document {
  paths: Record<string, Operations>;
}

/**
 * Makes a function that checks answers against an OpenAPI 3.1 document.
 * @throws Error from the check for an answer that the document does not describe
 */
function openApiCheck(document: object): (answer: SentAnswer) => void {
  // Each file compiles many checks and runs each a few times: optimizing them costs as much as running them.
  const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
  addFormats.default(ajv);
  ajv.addSchema(document, DOCUMENT);
  const { paths } = document as Document;
  return ({ method, pattern, status, isJson, body }) => {
    // OPTIONS lists the methods of a path in a header and has no body.
    if (method === 'OPTIONS' && status === 204 && (body === null || body === undefined)) return;
    if (pattern === null)
      return ensureFits(validatorAt(ajv, '/components/schemas/Error'), body, `${method} of no path`);
    const what = `${method} ${pattern} with ${status}`;
    const path = pattern.replaceAll(/:(\w+)/g, '{$1}');
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
    const described = paths[path]?.[verb]?.responses[status];
    if (!described) throw new Error(`${what} is not in the document`);
    if (method === 'HEAD') return;
    if (!isJson && body !== null && body !== undefined) return ensureOffers(described, what);
    const pointer = described.$ref?.slice(1) ?? `/paths/${escaped(path)}/${verb}/responses/${status}`;
    const content = described.$ref ? ajv.getSchema(`${DOCUMENT}#${pointer}`)?.schema : described;
    ensureBody(ajv, (content as Described | undefined)?.content ?? null, pointer, body, what);
  };
}

/** Starts a platform that answers 500 wherever it breaks its document's promise, and reports that on the terminal. */
export function startCheckedPlatform(t: { title?: string }, options: PlatformOptions = {}) {
  const check = openApiCheck(closedDocument());
  const observe = (answer: SentAnswer) => {
    try {
      const body = jsonIn(answer);
      check({ ...answer, body });
      ensureInvoicesAddUp(body);
    } catch (error) {
      process.stderr.write(`${(error as Error).message}\n`);
      throw error;
    }
  };
  return startPlatform(t, { observe, ...options });
}

/** An answer stored under an Idempotency-Key is replayed as the original text. */
function jsonIn({ body, isJson }: SentAnswer): unknown {
  return isJson && typeof body === 'string' ? JSON.parse(body) : body;
}

function ensureBody(
  ajv: Ajv2020,
  content: Record<string, unknown> | null,
  pointer: string,
  body: unknown,
  what: string,
): void {
  const isJson = content !== null && Object.hasOwn(content, 'application/json');
  if (isJson) ensureFits(validatorAt(ajv, `${pointer}/content/application~1json/schema`), body, what);
  if (content === null && body !== null && body !== undefined) throw new Error(`${what} has a body`);
}

function validatorAt(ajv: Ajv2020, pointer: string): ValidateFunction {
  const validate = ajv.getSchema(`${DOCUMENT}#${pointer}`);
  if (!validate) throw new Error(`The document has no ${pointer}`);
  return validate;
}

/** For an answer that is not JSON, the document lists another media type. */
function ensureOffers({ $ref, content = {} }: Described, what: string): void {
  const offered = Object.keys(content).filter((type) => type !== 'application/json');
  if ($ref === undefined && offered.length === 0) throw new Error(`${what} is no JSON`);
}

function ensureFits(validate: ValidateFunction, body: unknown, what: string): void {
  // Checks what the client reads: dates as text, nothing undefined.
  const sent: unknown = body === undefined ? null : JSON.parse(JSON.stringify(body));
  if (validate(sent)) return;
  const faults = (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || 'body'} ${message}`);
  throw new Error(`${what} does not fit the document: ${faults.join('; ')}\n${JSON.stringify(sent)}`);
}

function escaped(path: string): string {
  return encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'));
}
