// What can be read from an uploaded file: form fields and text of a PDF, the text of an e-mail or text file, and only
// the name of anything else. Contract 3.5 "ingest", decisions/0063.
import { buffer } from 'node:stream/consumers';
import { isBlank, type MailContent, type PdfContent } from '../../../domain/document/content.ts';
import type { ReadDocument } from '../../../domain/document/read-document.ts';
import { linesOf, linesOfText, textOf } from '../../../domain/document/text-layout.ts';
import type { DocumentReader } from '../../../providers/ports.ts';
import type { ReceivedFile } from '../../spine/files/received-file.ts';
import { inReadingTurn } from './document-turns.ts';

const TEXT_MAX_BYTES = 1_048_576;

/** @throws DomainError unreadable_document with `reason`, rate_limited, service_unavailable */
export async function readFile(
  file: ReceivedFile,
  { fileName, contentType }: { fileName: string; contentType: string },
  { orgId, reader }: { orgId: string; reader: DocumentReader },
): Promise<ReadDocument> {
  const load = () => buffer(file.stream());
  const isMail = contentType === 'message/rfc822' || fileName.toLowerCase().endsWith('.eml');
  if (contentType === 'application/pdf') return ofPdf(await inReadingTurn(orgId, () => reader.readPdf(load)), fileName);
  if (isMail) return ofMail(await inReadingTurn(orgId, () => reader.readMail(load)), fileName);
  if (!contentType.startsWith('text/')) return byName(fileName);
  const text = (await buffer(file.stream())).subarray(0, TEXT_MAX_BYTES).toString();
  const isCsv = contentType === 'text/csv' || fileName.toLowerCase().endsWith('.csv');
  return ofText(text, fileName, isCsv);
}

function ofPdf(pdf: PdfContent, fileName: string): ReadDocument {
  if (isBlank(pdf)) return byName(fileName);
  const values = pdf.fields.flatMap(({ value }) => (typeof value === 'string' ? value : []));
  const text = [textOf(pdf.texts), ...values].join('\n');
  const fields = pdf.fields.map(({ name }) => name);
  const readable = { lines: linesOf(pdf.texts), fields: pdf.fields };
  return { readFrom: fields.length > 0 ? 'form' : 'text', seen: { text, fileName, fields }, readable, pdf };
}

/** An e-mail's content is its text and its attachments. */
function ofMail({ subject, text, attachments }: MailContent, fileName: string): ReadDocument {
  return ofText([subject, text].join('\n'), [fileName, ...attachments].join(' '), false);
}

function ofText(text: string, fileName: string, isCsv: boolean): ReadDocument {
  const readable = { lines: linesOfText(text, isCsv), fields: [] };
  return { readFrom: 'text', seen: { text, fileName, fields: [] }, readable, pdf: null };
}

function byName(fileName: string): ReadDocument {
  return { readFrom: 'name', seen: { text: '', fileName, fields: [] }, readable: { lines: [], fields: [] }, pdf: null };
}
