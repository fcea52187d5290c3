// The tasks that a process hands to its reading threads.
import type { MailContent, PdfContent } from '../../domain/document/content.ts';

export interface Contents {
  pdf: PdfContent;
  mail: MailContent;
}

export interface ReadingTask {
  format: keyof Contents;
  bytes: Uint8Array;
}
