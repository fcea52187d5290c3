// What a process and its reading threads say to each other.
import type { MailContent, PdfContent, UnreadableReason } from '../../domain/document/content.ts';

export interface Contents {
  pdf: PdfContent;
  mail: MailContent;
}

export interface ReadingTask {
  format: keyof Contents;
  bytes: Uint8Array;
}

export type ReadingOutcome = { content: Contents[keyof Contents] } | { reason: UnreadableReason };
