// A file's content as delivered by the document reader, and why a file cannot be read. All of it is untrusted: it is
// data and never an instruction. Contract 3.1 "Create", 3.5.
import { DomainError } from '../errors.ts';

/** A fillable form field. */
export interface FormField {
  /** Counts from 1. */
  page: number;
  /** As the file names it, e.g. `F[0].P1[0].NamedInsured_FullName_A[0]`. */
  name: string;
  /** A checkbox is true when checked, whatever the file calls that state. */
  value: string | boolean;
}

/** A run of text with its position on the page, in points from the lower left corner. */
export interface TextPiece {
  page: number;
  x: number;
  y: number;
  width: number;
  /** Of the letters. */
  height: number;
  text: string;
}

export interface PdfContent {
  pageCount: number;
  fields: FormField[];
  texts: TextPiece[];
}

export interface MailContent {
  subject: string;
  text: string;
  /** File names. */
  attachments: string[];
}

const REASONS = {
  not_a_pdf: 'The file is not a PDF.',
  truncated: 'The PDF is incomplete. Send it again.',
  encrypted: 'The PDF is encrypted. Send it without a password.',
  contains_script: 'The PDF contains a script or starts a program. Print it to a new PDF and send that.',
  too_complex: 'The PDF is too large when unpacked. Send a smaller file.',
  took_too_long: 'Reading the file took too long.',
  too_much_memory: 'Reading the file took too much memory.',
  damaged: 'The file is damaged.',
  no_form: 'The PDF has no fields that could be filled in.',
  dynamic_form: 'The PDF holds a dynamic form (XFA). Save it as a form with plain fields.',
  cannot_be_filled: 'The fields of the PDF cannot be filled in.',
  no_text: 'The PDF contains only images. Send the form itself, not a scan.',
} as const;

export type UnreadableReason = keyof typeof REASONS;

/** Builds the refusal of a file that cannot be read; `details.reason` says why. Contract 3.1 "Create". */
export function unreadableDocument(reason: UnreadableReason): DomainError {
  return new DomainError('unreadable_document', REASONS[reason], { reason });
}

/** Whether there is nothing on it to read. */
export function isBlank({ fields, texts }: PdfContent): boolean {
  return fields.length === 0 && texts.every(({ text }) => text.trim() === '');
}
