// Why a credential was rejected: for the log and the audit, never for the caller, who only learns that it is invalid.
import { DomainError } from '../../domain/errors.ts';

export interface RejectionFacts {
  /** Short words for people, without any part of the credential. */
  reason: string;
  kind: 'jwt' | 'api_key' | 'machine' | 'malformed' | 'ticket' | 'none';
  /** Set only if the credential proved which organization it belongs to. */
  orgId?: string;
  /** The user or key that the credential proved. */
  subject?: string;
  /** It leaves no audit row of its own, because its sender could write any number of them into any organization. */
  isOnlyCounted?: true;
}

export class CredentialRejected extends DomainError {
  readonly facts: RejectionFacts;

  constructor(facts: RejectionFacts) {
    super('unauthenticated', facts.kind === 'none' ? 'A credential is required.' : 'The credential is not valid.');
    this.facts = facts;
  }
}
