// The input of a request: body, query and path, checked against the schemas of its operation.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type ValidationIssue, validationErrors } from '../../domain/errors.ts';
import { ANONYMOUS_BODY_MAX_BYTES, JSON_BODY_MAX_BYTES } from '../../domain/limits.ts';
import { expectFile } from '../../http/arrival.ts';
import { type Checked, check } from '../../http/validation.ts';
import { listMarkOf, ownCursor } from './cursors.ts';
import { readFileBody, readFileOrJson } from './files/file-body.ts';
import type { ReceivedFile } from './files/received-file.ts';
import { readBody } from './middleware/body.ts';
import type { RequestContext } from './middleware/state.ts';
import type { Route, Upload } from './route.ts';
import { ensureDecodable, uncleanText } from './texts.ts';
import { notFound } from './validation.ts';

const NOTHING: Readonly<Record<string, never>> = Object.freeze({});
/** For an operation without parameters or body: unexpected input is rejected rather than ignored. */
const NOTHING_EXPECTED = z.strictObject({});
const NOTHING_CHECKED: Checked = { ok: true, value: NOTHING };

export interface Input {
  params: unknown;
  query: unknown;
  body: unknown;
  upload: Upload | null;
  /** The file of an operation that takes one; the reader of the input discards it. */
  file: ReceivedFile | null;
  /** The JSON as received, without the file. */
  json: unknown;
  /** The mark of the list that the call reads; null if it reads none. */
  listMark: string | null;
}

/**
 * Reads and checks everything. A path of the wrong shape names nothing.
 * @param folder where a file is kept until the call ends
 * @throws DomainError payload_too_large, unsupported_media_type, malformed_json, validation_failed, not_found
 */
export async function readInput(route: Route, ctx: RequestContext, folder: string): Promise<Input> {
  if (route.file === null) return checked(route, ctx, { ...(await readBody(ctx.req, boundsOf(route))), file: null });
  const { maxBytes, alone, booleans, inPlaceOfJson } = route.file;
  expectFile(ctx.req);
  const { json, file, issues } = inPlaceOfJson
    ? await readFileOrJson(ctx.req, { maxBytes, ...inPlaceOfJson }, folder)
    : await readFileBody(ctx.req, { maxBytes, alone, booleans }, folder);
  try {
    return checked(route, ctx, { json, upload: null, file }, issues);
  } catch (error) {
    await file?.discard();
    throw error;
  }
}

type Received = Pick<Input, 'json' | 'upload' | 'file'>;

function checked(
  route: Route,
  ctx: RequestContext,
  received: Received,
  issues: readonly ValidationIssue[] = [],
): Input {
  ensureDecodable(route.pattern, ctx);
  if (uncleanText(ctx.params) !== null) throw notFound();
  const query = cleanly(checkQuery(route, ctx.query), ctx.query);
  const body = cleanly(checkBody(route, received, issues), received.json);
  const found = [...issuesOf(query), ...issues, ...issuesOf(body)];
  if (!query.ok || !body.ok || found.length > 0) throw validationErrors(found);
  const params = route.params === null ? NOTHING_CHECKED : check(route.params, ctx.params);
  if (!params.ok) throw notFound();
  const listMark = listMarkOf(route, { path: ctx.path, query: query.value, body: received.json });
  const own = ownCursor(query.value, listMark);
  return { params: params.value, query: own, body: body.value, listMark, ...received };
}

function boundsOf({ access, upload }: Route) {
  const jsonMaxBytes = access.kind === 'open' ? ANONYMOUS_BODY_MAX_BYTES : JSON_BODY_MAX_BYTES;
  return { uploads: upload ?? null, jsonMaxBytes };
}

/** The part of the body that distinguishes a repeat from a different request. */
export function comparableBody({ json, upload, file }: Input): unknown {
  if (file !== null) return { json, sha256: file.sha256 };
  return upload === null ? json : createHash('sha256').update(upload.bytes).digest('hex');
}

/** Every query may have `orgId`, which has already been read. */
function checkQuery(route: Route, { orgId: _orgId, ...rest }: Record<string, unknown>): Checked {
  const checked = check(route.query ?? NOTHING_EXPECTED, rest);
  if (checked.ok) return checked;
  return { ok: false, issues: checked.issues.map((issue) => inWordsOfQueries(issue, rest)) };
}

/** A query has parameters, not fields, and one given twice arrives as a list. */
function inWordsOfQueries(issue: ValidationIssue, given: Record<string, unknown>): ValidationIssue {
  const { field, rule } = issue;
  if (rule === 'unknown_field') return { ...issue, message: `${field} is not a known parameter.` };
  return Array.isArray(given[field]) ? { field, rule: 'type', message: `${field} must be given only once.` } : issue;
}

/** A missing body is an empty one: it lacks what is required and nothing else. */
function checkBody(route: Route, { json, upload, file }: Received, fileIssues: readonly ValidationIssue[]): Checked {
  const isFileInPlace = route.file?.inPlaceOfJson !== undefined && (file !== null || fileIssues.length > 0);
  if (upload !== null || isFileInPlace) return { ok: true, value: undefined };
  if (route.body !== null) return check(route.body, json === undefined ? {} : json);
  return json === undefined ? { ok: true, value: undefined } : check(NOTHING_EXPECTED, json);
}

/** Input that passes a schema may still hold text that nothing can store. */
function cleanly(checked: Checked, given: unknown): Checked {
  const issue = checked.ok ? uncleanText(given) : null;
  return issue === null ? checked : { ok: false, issues: [issue] };
}

function issuesOf(checked: Checked) {
  return checked.ok ? [] : checked.issues;
}
