// Compares an answer with what its request deserves according to the API document. The platform itself checks that
// answers have a documented status and fit their schemas; it breaks with a 500 where one does not.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Hit } from '../attacks/fire.ts';
import type { Operation } from '../support/operations.ts';
import { closedDocument } from '../support/servers/closed-document.ts';
import type { Drawn } from './requests.ts';

/** Rules that the document's schemas state themselves: a fitting body does not break them. */
const STRUCTURAL = ['required', 'type', 'enum', 'unknown_field'];

/** Bodies with rules across several fields, or about the row in the path, which their schemas cannot state. */
const RULES_ACROSS_FIELDS = new Set([
  ...['createClaim', 'cancelPolicy', 'reinstatePolicy', 'generateCertificate', 'renderPdf', 'putDocumentTemplate'],
  ...['ingestDocument', 'importProducers', 'voidInvoice', 'issueDisbursement', 'makeJournal', 'prepareRemittance'],
  ...['changeAppointment', 'uploadBankStatement'],
  ...['createAppointment', 'decideReferral', 'createReferral', 'inviteUser', 'changeUser', 'putFlag', 'markFiled'],
  ...['putCommissionSchedule', 'putProducerCommissionTerm', 'reversePayment', 'filePortalClaim', 'putRateTable'],
]);

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(closedDocument(), 'openapi.json');

/** Returns what is wrong with an answer; null if nothing. A busy machine may answer 503. */
export function faultOf(operation: Operation, { body }: Drawn, hit: Hit): string | null {
  const { status, body: answer, text } = hit;
  if (status >= 500 && status !== 503) return `${status} ${text}`;
  if (status >= 400 && typeof answer?.error !== 'string') return `names no error: ${status} ${text}`;
  // Calls beyond the rate limit are refused before they are read.
  if (status === 429) return null;
  const misfits = misfitsOf(operation, body);
  const isForbidden = misfits.length > 0 && misfitsOf(operation, trimmed(body)).length > 0;
  if (isForbidden && !refusesByField(hit)) {
    return `takes what the document forbids (${misfits.join('; ')}): ${status} ${text}`;
  }
  if (status !== 400 || misfits.length > 0 || answer.error !== 'validation_failed') return null;
  if (!refusesByField(hit)) return `names no field: ${text}`;
  const isOfSchema = body !== undefined && STRUCTURAL.includes(answer.details.rule);
  const isInBody = !/^(orgId|colour)$/.test(answer.details.field) && !operation.query.has(answer.details.field);
  if (!isOfSchema || !isInBody || RULES_ACROSS_FIELDS.has(operation.id)) return null;
  return `refuses what the document takes: ${text}`;
}

/** Texts are trimmed before they are checked: a pattern does not forbid a trailing line break. */
function trimmed(value: unknown): unknown {
  if (typeof value === 'string') return value.trim();
  if (Array.isArray(value)) return value.map(trimmed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, trimmed(inner)]));
}

function refusesByField({ status, body }: Hit): boolean {
  const { field } = body?.details ?? {};
  return status === 400 && body.error === 'validation_failed' && typeof field === 'string' && field !== '';
}

/** Where a body violates the document's schema. */
function misfitsOf({ route, body: schema }: Operation, body: unknown): string[] {
  if (body === undefined || Object.keys(schema).length === 0) return [];
  const path = route.pattern
    .replace(/:(\w+)/g, '{$1}')
    .replaceAll('~', '~0')
    .replaceAll('/', '~1');
  const pointer = `/paths/${encodeURIComponent(path)}/${route.method}/requestBody/content/application~1json/schema`;
  const validate = ajv.getSchema(`openapi.json#${pointer}`) as ValidateFunction;
  if (validate(body)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || 'body'} ${message}`);
}
