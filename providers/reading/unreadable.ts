// Why a thread gives up a file. It crosses from the thread to its process as the reason alone.
import type { UnreadableReason } from '../../domain/document/content.ts';

export class Unreadable extends Error {
  readonly reason: UnreadableReason;

  constructor(reason: UnreadableReason) {
    super(reason);
    this.name = 'Unreadable';
    this.reason = reason;
  }
}
