// Made from docs/openapi.json by "npm run openapi": change the routes, not this file.

export type AccidentYear = {
  /** The calendar year of the loss. */
  accidentYear: number;
  developments: Array<LossDevelopment>;
};

/** Who acted: the id of a user or an API key, or the name of a part of the platform. */
export type ActorId = string;

export type ActorReference = {
  kind: string;
  id: ActorId;
  role: string;
};

/** Another party that the policy covers. */
export type AdditionalInsured = {
  name: string;
  [more: string]: unknown;
};

export type Address = {
  line1: string;
  line2: string | null;
  city: string;
  state: string;
  postalCode: string;
};

export type AddressInput = {
  line1: string;
  line2?: string | null;
  city: string;
  state: State;
  postalCode: string;
};

export type AdvanceClock = {
  advanceTo: BusinessDate;
};

export type AdvancedClock = {
  date: BusinessDate;
};

export type AgedBalance = {
  /** Days past the due date. */
  bucket: "current" | "1-30" | "31-60" | "61-90" | "over_90";
  /** Invoices. */
  count: number;
  balance: SignedDollars;
};

export type AmountDue = {
  amount: TotalDollars;
  /** For a past-due amount, the earliest due date. */
  dueDate: BusinessDate;
  /** Days since the due date, or days remaining until it. */
  days: number;
};

export type AnalyticsGrouping = "line" | "state" | "producer" | "month";

export type AnalyticsPeriod = "month" | "quarter";

/** What was called, and how it was answered. */
export type AnsweredCall = {
  /** When the response was ready, in UTC. */
  at: Instant;
  method: string;
  /** The operation, without ids. */
  route: string;
  status: number;
  /** The code of the error, if it was one. */
  error: string | null;
  /** How long the response took, in milliseconds. */
  durationMs: number;
  caller: {
    /** `user`, `api_key` or `machine`. */
    kind: string;
    id: ActorId;
  };
};

export type ApiKey = {
  id: ApiKeyId;
  orgId: OrganizationId;
  name: string;
  scopes: Array<string>;
  /** The first characters of the key. */
  displayPrefix: string;
  expiresAt: Instant | null;
  revokedAt: Instant | null;
  /** When the key was last used, to the minute. */
  lastUsedAt: Instant | null;
  /** The `sub` of the token that created the key, or `machine` for the machine secret. */
  createdBy: ActorId;
  /** False when the user who created it is deactivated; the key stays valid until it is revoked. */
  creatorActive: boolean;
  createdAt: Instant;
  updatedAt: Instant;
  version: number;
};

export type ApiKeyCreate = {
  name: string;
  scopes: Array<Scope>;
  /** When the key expires. Null or left out: never. */
  expiresAt?: SentInstant | null;
};

export type ApiKeyId = string;

export type ApiKeyPage = {
  data: Array<ApiKey>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type ApplyUnappliedCash = {
  /** The invoice to apply the money to. It may belong to any of the organization's policies. */
  invoiceId: InvoiceId;
  /** Amount in dollars. Default: the unapplied amount or the balance of the invoice, whichever is less. */
  amount?: PaymentDollars;
};

export type Appointment = {
  id: AppointmentId;
  orgId: OrganizationId;
  producerId: ProducerId;
  state: string;
  lineOfBusiness: string;
  carrier: string;
  status: AppointmentStatus;
  effectiveDate: BusinessDate | null;
  expirationDate: BusinessDate | null;
  surplusLines: boolean;
  /** Null unless the appointment was terminated. */
  forCause: boolean | null;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
  /** In the answers that record or change it: no contract of the organization names the carrier. It says which carriers they name. */
  warning?: string;
};

export type AppointmentChanges = {
  status?: AppointmentStatus;
  effectiveDate?: BusinessDate;
  expirationDate?: BusinessDate | null;
  /** With the status `terminated`: whether it ends for cause. */
  forCause?: boolean;
};

export type AppointmentCreate = {
  state: State;
  lineOfBusiness: LineOfBusiness;
  carrier: string;
  status?: "pending" | "active";
  /** Default: the day on which it becomes active. */
  effectiveDate?: BusinessDate;
  /** The first day without the appointment. */
  expirationDate?: BusinessDate;
  /** True: no notice is filed with the state. */
  surplusLines?: boolean;
};

export type AppointmentId = string;

export type AppointmentPage = {
  data: Array<Appointment>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type AppointmentStatus = "pending" | "active" | "suspended" | "terminated" | "expired" | "rejected";

export type AssignClaim = {
  /** The user who handles the claim: the `sub` of their token. */
  adjusterId: UserSubject;
};

export type AttachmentId = string;

export type AuditEntry = {
  id: AuditId;
  orgId: OrganizationId;
  at: Instant;
  actor: {
    /** `user`, `api_key` or `machine`. */
    kind: string;
    id: ActorId;
    /** The role of the actor. It is `none` when no credential was valid. */
    role: string;
  };
  /** The action, as `<resource>:<verb>`. */
  action: string;
  entity: {
    type: string;
    id: RecordId | null;
  };
  /** The id of the request. It is null when a date caused the action. */
  requestId: RequestId | null;
  changes: Array<{
    field: string;
    /** The value before. It is null when there was none; `withheld` replaces personal data. */
    before: unknown;
    after: unknown;
  }>;
  /** Whether the entry is already in the hash chain. Sealing takes a few seconds. */
  sealed: boolean;
  /** The seal that covers the entry; absent until it is sealed. */
  seal?: {
    sequence: number;
    /** SHA-256 in hex. */
    hash: string;
    sealedAt: Instant;
  };
};

export type AuditEntryPage = {
  data: Array<AuditEntry>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type AuditId = string;

export type Autopay = {
  insuredId: InsuredId;
  orgId: OrganizationId;
  /** `pending`: the insured has not entered a card yet. `suspended`: a bill could not be charged, and the insured must pay it and enter a card again. */
  status: AutopayStatus;
  suspendedReason: AutopaySuspensionReason | null;
  /** The card that is charged. Only the processor has its number. */
  card: {
    brand: string;
    last4: string;
    expMonth: number;
    expYear: number;
  } | null;
  /** The terms that the insured agreed to, and when. `agreedBy` is their policy, or the user who recorded the agreement. */
  consent: {
    termsVersion: string;
    agreedAt: Instant;
    agreedBy: ActorId;
  } | null;
  /** The terms in force, to show before the insured enters a card. */
  terms: {
    version: string;
    text: string;
  };
  /** Days after the first charge on which a failed charge is retried. */
  retryAfterDays: Array<number>;
  updatedAt: Instant | null;
};

export type AutopaySetup = {
  id: AutopaySetupId;
  insuredId: InsuredId;
  setupIntentId: ExternalId;
  /** The secret that the browser needs to send the card to the processor. */
  clientSecret: string;
  status: string;
};

export type AutopaySetupId = string;

export type AutopaySetupInput = {
  /** The version of the terms in force, which the insured has agreed to. */
  termsVersion: "2026-11";
};

export type AutopayStatus = "off" | "pending" | "active" | "suspended";

export type AutopaySuspensionReason = "card_declined" | "authentication_required" | "card_unusable";

/** A bank booking on the trust account. */
export type BankLine = {
  id: BankLineId;
  orgId: OrganizationId;
  statementId: BankStatementId;
  bookedOn: BusinessDate;
  /** Positive for money received. */
  amount: SignedDollars;
  reference: string;
  description: string;
  matched: boolean;
  /** `reference`: the amount agrees, and the text of the bank has a reference of the ledger. `amount`: only the amount agrees, within five days, and there is no other candidate. `person`: by hand. */
  matchedBy: "reference" | "amount" | "person" | null;
  matchedByUser: string | null;
  matchedAt: Instant | null;
  movements: Array<BankMovement>;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
};

export type BankLineId = string;

export type BankLineMatch = {
  /** The movements of account 1010 that it is matched with. They add up to the amount of the booking. */
  movementIds: Array<LedgerLineId>;
};

export type BankLinePage = {
  data: Array<BankLine>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type BankMatchStatus = "matched" | "unmatched";

/** A movement of account 1010 in the ledger. */
export type BankMovement = {
  id: LedgerLineId;
  entryId: LedgerEntryId;
  entryType: string;
  sourceType: string;
  sourceId: RecordId;
  description: string;
  date: BusinessDate;
  /** Positive for money received. */
  amount: SignedDollars;
  /** References that a bank may use for it: a check number, a trace number. */
  references: Array<string>;
  /** The booking that it is matched with. */
  bankLineId: BankLineId | null;
};

export type BankMovementPage = {
  data: Array<BankMovement>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

/** A bank statement for the trust account. */
export type BankStatement = {
  id: BankStatementId;
  orgId: OrganizationId;
  format: BankStatementFormat;
  /** The statement number that the bank assigned. */
  number: string | null;
  /** The last four characters of the account. */
  account: string | null;
  from: BusinessDate;
  to: BusinessDate;
  /** The last day that the statement covers in full, because it states its period or its balances add up. It is null if neither holds. */
  wholeUntil: BusinessDate | null;
  openingBalance: SignedDollars | null;
  closingBalance: SignedDollars | null;
  /** Bookings in the file. */
  lineCount: number;
  /** Bookings that no earlier statement has. */
  newLineCount: number;
  /** Of the new bookings, those matched with the ledger. */
  matchedCount: number;
  unmatchedCount: number;
  /** The total of the unmatched bookings. */
  unmatchedAmount: SignedDollars;
  fileName: string | null;
  uploadedBy: ActorId;
  withdrawnBy: ActorId | null;
  /** When it was withdrawn. Since then neither the statement nor its bookings count. */
  withdrawnAt: Instant | null;
  createdAt: Instant;
  updatedAt: Instant;
};

export type BankStatementFormat = "csv" | "camt.053";

export type BankStatementId = string;

export type BankStatementPage = {
  data: Array<BankStatement>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type BatchId = string;

/** Days in a state that do not count toward a lapse for non-payment. */
export type BillingHold = {
  id: BillingHoldId;
  orgId: OrganizationId;
  state: string;
  from: BusinessDate;
  /** The last day of the hold. */
  to: BusinessDate;
  createdAt: Instant;
  updatedAt: Instant;
  version: number;
};

export type BillingHoldId = string;

export type BillingHoldPage = {
  data: Array<BillingHold>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type BillingHoldWrite = {
  state: State;
  from: BusinessDate;
  /** The last day of the hold. */
  to: BusinessDate;
};

export type Bind = {
  installmentPlan: InstallmentPlan;
  /** The quote to bind. Default: the latest one. */
  quoteId?: QuoteId;
};

export type Bordereau = {
  id: BordereauId;
  orgId: OrganizationId;
  carrier: string;
  month: Month;
  /** `premium`: premium written by the transactions of the month, and premium settled by the ledger in it. `claims`: claims that were open in the month, or on which money moved in it. `risk`: the terms of policies that were bound or changed in the month. */
  kind: BordereauKind;
  /** Counts the runs for the same carrier, month and kind from 1. */
  version: number;
  status: JobStatus;
  /** The last day of the report. Until the month is over, it is the day of the run. */
  through: BusinessDate;
  rowCount: number | null;
  /** The totals of the amount columns. It is null until the run is completed. */
  totals: Record<string, SignedDollars> | null;
  /** The changes since the previous version. It is null for a first version. */
  differences: BordereauDifferences | null;
  /** Addresses that need no credential and expire. It is null until the run is completed. */
  downloadUrls: {
    csv?: string;
    json?: string;
    xlsx?: string;
    differences?: string;
  } | null;
  /** When the addresses expire. */
  expiresAt: Instant | null;
  files: Array<BordereauFile>;
  /** The error code of a failed run. */
  failure: string | null;
  createdBy: ActorId;
  completedAt: Instant | null;
  createdAt: Instant;
  updatedAt: Instant;
};

export type BordereauDifference = {
  change: "added" | "removed" | "changed";
  policyNumber: string;
  /** Together with the policy number, it identifies the row within the bordereau. */
  reference: string;
  /** The values that changed. It is empty for a row that was added or removed. */
  columns: Array<{
    column: string;
    before: string | number | boolean | null;
    after: string | number | boolean | null;
  }>;
};

export type BordereauDifferences = {
  previousId: BordereauId;
  previousVersion: number;
  added: number;
  removed: number;
  changed: number;
  /** The first 100; the file of differences lists all of them. */
  rows: Array<BordereauDifference>;
};

export type BordereauFile = {
  format: "csv" | "json" | "xlsx" | "differences";
  documentId: DocumentId;
  fileName: string;
  contentType: string;
  size: number;
  /** Identical data gives an identical hash. */
  sha256: string;
};

export type BordereauId = string;

export type BordereauKind = "premium" | "claims" | "risk";

export type BordereauOrder = {
  /** The carrier, as the authority contract names it. */
  carrier: string;
  month: Month;
  /** `premium`: premium written by the transactions of the month, and premium settled by the ledger in it. `claims`: claims that were open in the month, or on which money moved in it. `risk`: the terms of policies that were bound or changed in the month. */
  kind: BordereauKind;
};

export type BordereauPage = {
  data: Array<Bordereau>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type BoundPolicy = {
  policyId: PolicyId;
  policyNumber: string;
  status: PolicyStatus;
  submissionId: SubmissionId;
  quoteId: QuoteId;
  effectiveDate: BusinessDate;
  expirationDate: BusinessDate;
  grossPremium: TotalDollars;
  totalDue: TotalDollars;
  installmentPlan: InstallmentPlan;
  invoices: Array<InvoiceReference>;
};

/** A day of the calendar, without a time zone. */
export type BusinessDate = string;

export type CalendarFeed = {
  /** Anyone who has this address can read the calendar. It works until it is replaced or revoked. */
  url: string;
  createdBy: ActorId;
  createdAt: Instant;
};

export type Cancel = {
  /** The first day without coverage. A future date schedules the cancellation. */
  effectiveDate: BusinessDate;
  reason: "non_payment" | "insured_request" | "underwriting" | "misrepresentation" | "fraud" | "increase_in_hazard" | "loss_of_reinsurance" | "rewrite" | "flat_not_taken" | "sold_out_of_business";
  /** Who cancels. Default: the insured for insured_request, flat_not_taken, rewrite and sold_out_of_business; otherwise the carrier. */
  source?: "insured" | "carrier";
  /** How the return premium is computed. Default: flat at inception; otherwise pro rata for the carrier and short rate for the insured. */
  method?: "pro_rata" | "short_rate" | "flat";
};

export type CancelDisbursement = {
  reason: string;
};

export type Cancellation = {
  effectiveDate: BusinessDate;
  reason: string;
  method: string;
  source: string;
};

/** The organization's part of a payout of the card processor. */
export type CardPayout = {
  id: CardPayoutId;
  orgId: OrganizationId;
  processorPayoutId: ExternalId;
  /** `failed`: the bank rejected it, and the money is back at the processor. */
  status: CardPayoutStatus;
  /** Card collections less money given back to cards, in dollars. */
  gross: SignedDollars;
  /** The fees of the processor. Operating cash pays them into the trust account. */
  fees: SignedDollars;
  /** `gross` less `fees`: the amount that arrives in the bank account. Negative when the processor debits the account. */
  net: SignedDollars;
  /** The whole amount of the payout, which equals `net`. It is null when the payout includes money of others who share the account at the processor. */
  payoutAmount: SignedDollars | null;
  arrivesOn: BusinessDate;
  /** The bank's reference of the transfer, where it is known. */
  trace: string | null;
  transactionCount: number;
  /** The date of the ledger entries. */
  recordedOn: BusinessDate;
  failedOn: BusinessDate | null;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
};

export type CardPayoutId = string;

export type CardPayoutLineId = string;

export type CardPayoutPage = {
  data: Array<CardPayout>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type CardPayoutStatus = "paid" | "failed";

/** A balance transaction that a payout settles. */
export type CardPayoutTransaction = {
  id: CardPayoutLineId;
  /** The id of the processor's balance transaction. */
  transactionId: ExternalId;
  type: string;
  /** The charge, refund, dispute or payout that caused it. */
  sourceId: ExternalId | null;
  paymentIntentId: ExternalId | null;
  amount: SignedDollars;
  fee: SignedDollars;
  net: SignedDollars;
  occurredAt: Instant;
};

export type CardPayoutTransactionPage = {
  data: Array<CardPayoutTransaction>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type Certificate = {
  id: CertificateId;
  orgId: OrganizationId;
  certificateNumber: string;
  status: CertificateStatus;
  policyId: PolicyId;
  documentId: DocumentId;
  holder: {
    name: string;
    address: Address | string;
  };
  /** The certificate for the same holder that this one replaces. */
  supersedes: CertificateId | null;
  /** The certificate that replaces this one. Null with the status `superseded`: the policy no longer says what it shows. */
  supersededBy: CertificateId | null;
  createdBy: ActorId;
  createdAt: Instant;
  updatedAt: Instant;
};

export type CertificateId = string;

export type CertificatePage = {
  data: Array<Certificate>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type CertificateStanding = {
  certificateNumber: string;
  status: CertificateStatus;
};

export type CertificateStatus = "valid" | "superseded" | "cancelled" | "expired";

/** What a change of a policy leads to, in dollars. */
export type ChangeFigures = {
  limit: SignedDollars | null;
  premium: SignedDollars | null;
  premiumChange: SignedDollars | null;
};

/** An invoice that a transaction creates or changes. */
export type ChangedInvoice = {
  /** The id of the invoice. It is null in a preview for an invoice that does not exist yet. */
  id: InvoiceId | null;
  invoiceNumber: string | null;
  dueDate: BusinessDate;
  /** The total after the transaction, in dollars. A void invoice keeps its total. */
  total: TotalDollars;
  /** The change in what the invoice bills, in dollars. It is negative for a reduction. */
  change: SignedDollars;
};

/** A telephone number of 7 to 15 digits, with or without an extension. It is stored exactly as you send it. What is on file can be sent back as it is. */
export type ChangedPhoneNumber = string;

export type ChangedUser = {
  id: UserId;
  orgId: OrganizationId;
  email: string;
  name: string;
  role: UserRole;
  /** False: the user cannot sign in to this organization, and their tokens are rejected within 30 seconds. A pending invitation is revoked. */
  active: boolean;
  /** `invited`: the invitation has not been accepted yet. */
  status: UserStatus;
  origin: UserOrigin;
  emailVerified: boolean;
  producerIds: Array<ProducerId>;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
  /** For a deactivated user: the keys that they created, which stay valid until they are revoked. */
  apiKeys?: Array<{
    id: ApiKeyId;
    orgId: OrganizationId;
    name: string;
  }>;
};

/** A claim; protected fields are absent for callers who may not see them. */
export type Claim = {
  id: ClaimId;
  orgId: OrganizationId;
  claimNumber: string;
  status: ClaimStatus;
  /** The term that contains the loss date. */
  policyId: PolicyId;
  policyNumber: string;
  insuredName: string;
  producerId: ProducerId | null;
  state: string;
  lineOfBusiness: string;
  lossDate: BusinessDate;
  reportedDate: BusinessDate;
  adjusterId: UserSubject | null;
  coverage: LossCoverage;
  coverageFlags: Array<CoverageFlag>;
  /** An earlier claim that is probably the same; null for callers who may not read it. If its words are protected, they do not see the flag `possible_duplicate` either. */
  duplicateOf: string | null;
  estimatedAmount: Dollars | null;
  /** What is outstanding: the totals that were reserved, less what is paid. To change a reserve, send the total (`reserves` + `paid` of a kind). */
  reserves: ClaimAmounts;
  /** Amounts taken from the reserves to be paid; a payment may still be `pending`. */
  paid: ClaimAmounts;
  recovered: Dollars;
  /** Paid + outstanding reserves − recoveries, in dollars. */
  incurred: SignedDollars;
  /** The latest settlement. */
  settlement: ClaimSettlement | null;
  denial: ClaimDenial | null;
  /** The outcome of a closed claim. */
  outcome: string | null;
  acknowledgeBy: BusinessDate;
  acknowledgedOn: BusinessDate | null;
  decisionBy: BusinessDate;
  decidedOn: BusinessDate | null;
  /** The next day by which the claimant is owed a letter explaining why the claim is still open, in states that require one. */
  statusLetterBy: BusinessDate | null;
  /** When the latest such letter was sent. */
  statusLetterSentOn: BusinessDate | null;
  missedDeadlines: Array<ClaimClock>;
  containsPhi: boolean;
  /** Whether protected fields are left out. */
  redacted: boolean;
  closedAt: Instant | null;
  createdBy: ActorId;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
  description?: string;
  cause?: string | null;
  reportedBy?: string | null;
  lossLocation?: string | null;
  claimant?: Claimant | null;
  /** Payees whose names are on a sanctions list: nothing is paid to them until they are cleared. */
  heldPayees: Array<HeldPayee>;
};

export type ClaimAmounts = {
  indemnity: Dollars;
  expense: Dollars;
  total: TotalDollars;
};

/** A file on a claim. */
export type ClaimAttachment = {
  id: AttachmentId;
  orgId: OrganizationId;
  claimId: ClaimId;
  fileName: string;
  contentType: string;
  /** In bytes. */
  size: number;
  /** In hexadecimal. */
  sha256: string;
  kind: string;
  description: string | null;
  containsPhi: boolean;
  /** The first attachment of the claim with the same bytes. */
  duplicateOf: string | null;
  uploadedBy: ActorId;
  /** It needs no credential. */
  downloadUrl: string;
  /** When `downloadUrl` expires. */
  expiresAt: Instant;
  createdAt: Instant;
  updatedAt: Instant;
};

export type ClaimAttachmentPage = {
  data: Array<ClaimAttachment>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type ClaimClock = "claim_ack" | "claim_decision";

/** A first notice of loss. */
export type ClaimCreate = {
  /** Any term of the policy. Required without a number. */
  policyId?: PolicyId;
  /** The policy number, instead of `policyId`. */
  policyNumber?: string;
  /** The day of the loss. It must not be after today. */
  lossDate: BusinessDate;
  /** What happened. */
  description: string;
  /** The cause of loss. */
  cause?: string;
  /** Who reported the loss. */
  reportedBy?: string;
  /** Where the loss happened. */
  lossLocation?: string;
  /** Who makes the claim. */
  claimant?: ClaimantInput;
  /** A first estimate of the loss, in dollars. */
  estimatedAmount?: Dollars;
  /** True when the claim holds protected health information. Its texts are then hidden from most roles. */
  containsPhi?: boolean;
};

export type ClaimDenial = {
  reason?: string;
  policyProvision?: string | null;
  date: BusinessDate;
};

export type ClaimEntryId = string;

export type ClaimId = string;

/** A payment on a claim. `pending` waits for the loss fund of the carrier. */
export type ClaimPayment = {
  id: ClaimPaymentId;
  orgId: OrganizationId;
  claimId: ClaimId;
  kind: ClaimPaymentKind;
  /** The amount to pay, in dollars; `status` says whether it has left the loss fund. */
  amount: Dollars;
  /** The carrier from whose loss fund it is paid. */
  carrier: string;
  /** The name of the payee. Absent where the claim is redacted. */
  payee?: string;
  /** Absent where the claim is redacted. */
  reference?: string | null;
  status: "pending" | "paid" | "void";
  paidOn: BusinessDate | null;
  voidedOn: BusinessDate | null;
  createdAt: Instant;
  updatedAt: Instant;
  version: number;
};

export type ClaimPaymentId = string;

export type ClaimPaymentKind = "indemnity" | "expense";

export type ClaimPaymentPage = {
  data: Array<ClaimPayment>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

/** Money recovered on a claim. */
export type ClaimRecovery = {
  id: ClaimRecoveryId;
  orgId: OrganizationId;
  claimId: ClaimId;
  kind: ClaimRecoveryKind;
  /** The amount received, in dollars. */
  amount: Dollars;
  /** The carrier whose loss fund received it. */
  carrier: string;
  /** Absent where the claim is redacted. */
  reference?: string | null;
  receivedOn: BusinessDate;
  createdAt: Instant;
};

export type ClaimRecoveryId = string;

export type ClaimRecoveryKind = "salvage" | "subrogation";

export type ClaimRecoveryPage = {
  data: Array<ClaimRecovery>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

/** The expected total cost, including what is already paid. It replaces the current reserves. */
export type ClaimReserves = {
  /** The expected total cost of the loss in dollars, including payments already made. */
  indemnity: Dollars;
  /** The expected total cost of handling the claim in dollars, including payments already made. */
  expense: Dollars;
  reason: string;
};

export type ClaimSettlement = {
  id: SettlementId;
  status: "offered" | "approved" | "rejected";
  amount: Dollars;
  /** The part of the amount that the insured bears, in dollars. */
  deductible: Dollars;
  /** The amount less the deductible, in dollars. */
  payable: Dollars;
  payee?: string;
  notes?: string | null;
  /** Codes of the reasons that prevent approval. */
  blockers: Array<string>;
  offeredBy: ActorId;
  decidedBy: ActorId | null;
  /** The date of the offer; once decided, of the decision. */
  date: BusinessDate;
};

/** The order of the rows. A minus sign means descending order. Ties are in order of creation. */
export type ClaimSort = "-createdAt" | "createdAt" | "-lossDate" | "lossDate" | "-claimNumber" | "claimNumber";

export type ClaimStatus = "reported" | "investigating" | "settlement_offered" | "settled" | "denied" | "closed";

/** A claim without the details of the loss. */
export type ClaimSummary = {
  id: ClaimId;
  orgId: OrganizationId;
  claimNumber: string;
  status: ClaimStatus;
  /** The term that contains the loss date. */
  policyId: PolicyId;
  policyNumber: string;
  insuredName: string;
  producerId: ProducerId | null;
  state: string;
  lineOfBusiness: string;
  lossDate: BusinessDate;
  reportedDate: BusinessDate;
  adjusterId: UserSubject | null;
  coverage: LossCoverage;
  coverageFlags: Array<CoverageFlag>;
  /** An earlier claim that is probably the same; null for callers who may not read it. If its words are protected, they do not see the flag `possible_duplicate` either. */
  duplicateOf: string | null;
  estimatedAmount: Dollars | null;
  /** What is outstanding: the totals that were reserved, less what is paid. To change a reserve, send the total (`reserves` + `paid` of a kind). */
  reserves: ClaimAmounts;
  /** Amounts taken from the reserves to be paid; a payment may still be `pending`. */
  paid: ClaimAmounts;
  recovered: Dollars;
  /** Paid + outstanding reserves − recoveries, in dollars. */
  incurred: SignedDollars;
  /** The latest settlement. */
  settlement: ClaimSettlement | null;
  denial: ClaimDenial | null;
  /** The outcome of a closed claim. */
  outcome: string | null;
  acknowledgeBy: BusinessDate;
  acknowledgedOn: BusinessDate | null;
  decisionBy: BusinessDate;
  decidedOn: BusinessDate | null;
  /** The next day by which the claimant is owed a letter explaining why the claim is still open, in states that require one. */
  statusLetterBy: BusinessDate | null;
  /** When the latest such letter was sent. */
  statusLetterSentOn: BusinessDate | null;
  missedDeadlines: Array<ClaimClock>;
  containsPhi: boolean;
  /** Whether protected fields are left out. */
  redacted: boolean;
  closedAt: Instant | null;
  createdBy: ActorId;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
};

export type ClaimSummaryPage = {
  data: Array<ClaimSummary>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type ClaimTimelineEntry = {
  id: ClaimEntryId;
  claimId: ClaimId;
  action: string;
  date: BusinessDate;
  at: Instant;
  actor: {
    kind: string;
    id: ActorId;
    role: string;
  };
  /** Field → its value before and after; amounts in dollars. */
  changes: Record<string, {
    before: unknown;
    after: unknown;
  }>;
  /** The reason or the note; absent where it is protected. */
  note?: string | null;
};

export type ClaimTimelineEntryPage = {
  data: Array<ClaimTimelineEntry>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type Claimant = {
  name: string;
  email: string | null;
  phone: string | null;
  /** The postal address, where one was given. */
  address?: Address;
};

export type ClaimantInput = {
  name: string;
  email?: EmailAddress;
  phone?: PhoneNumber;
  /** Where letters about the claim are posted to a claimant without an e-mail address. */
  address?: AddressInput;
};

export type ClassRate = {
  naicsPrefix: string;
  /** The rate in dollars per 1,000 dollars of revenue. */
  rate: DecimalText;
  appetite: "preferred" | "standard" | "refer" | "prohibited";
};

export type ClearPayeeHold = {
  /** Why the payee is not the listed party. */
  reason: string;
};

export type Clearance = {
  /** The id of a submission that is probably the same risk. A producer does not see the id of another producer's submission: null. */
  duplicateOf: string | null;
  /** The entries of sanctions lists that the name resembles and that nobody has cleared (`POST /sanctions/clearances`). A producer does not see the result of the screening: null. */
  sanctionsMatches: Array<SanctionsMatch> | null;
};

export type CloseClaim = {
  /** An outcome code. A claim with no decision and no payment can be closed only with `no_payment`. For a duplicate, use `no_payment` and say so in the notes. */
  outcome?: string;
  notes?: string;
};

export type Collect = {
  /** Amount in dollars. Default: the balance. */
  amount?: PaymentDollars;
};

/** How the premium of a paid invoice was shared. The three shares sum to the gross premium. In a reversal all amounts are negative. */
export type Commission = {
  id: CommissionRecordId;
  orgId: OrganizationId;
  type: "earned" | "reversal";
  reversesId: CommissionRecordId | null;
  policyId: PolicyId;
  invoiceId: InvoiceId;
  producerId: ProducerId;
  grossPremium: SignedDollars;
  agentCommission: SignedDollars;
  mgaCommission: SignedDollars;
  carrierNet: SignedDollars;
  tier: number;
  rates: CommissionShares;
  /** The date of the ledger entry that moves the share. */
  recordedOn: BusinessDate;
  createdAt: Instant;
  updatedAt: Instant;
};

export type CommissionOfPeriod = {
  period: string;
  grossPremium: SignedDollars;
  agentCommission: SignedDollars;
  mgaCommission: SignedDollars;
  carrierNet: SignedDollars;
  /** The number of records, including reversals. */
  count: number;
};

export type CommissionPage = {
  data: Array<Commission>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type CommissionRates = {
  tiers: Array<CommissionTier>;
  /** Share of gross premium, as decimal text. */
  mgaRate: string;
};

export type CommissionRecordId = string;

/** How the premium of a line of business is shared, starting on a date. */
export type CommissionSchedule = {
  id: CommissionScheduleId;
  orgId: OrganizationId;
  lineOfBusiness: string;
  effectiveFrom: BusinessDate;
  schedule: CommissionRates;
  createdBy: ActorId;
  createdAt: Instant;
  updatedAt: Instant;
};

export type CommissionScheduleId = string;

export type CommissionSchedulePage = {
  data: Array<CommissionSchedule>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type CommissionScheduleWrite = {
  lineOfBusiness: LineOfBusiness;
  /** The first day on which the version applies. Default: today. */
  effectiveFrom?: BusinessDate;
  schedule: CommissionRates;
};

export type CommissionShares = {
  /** Share of gross premium, as decimal text. */
  agentRate: string;
  /** Share of gross premium, as decimal text. */
  mgaRate: string;
};

export type CommissionSummary = {
  orgId: OrganizationId;
  /** The first day of the period. */
  from: BusinessDate;
  /** The last day of the period. Nothing ahead of today is counted. */
  to: BusinessDate;
  period: AnalyticsPeriod;
  data: Array<CommissionOfPeriod>;
};

export type CommissionTier = {
  tier: number;
  /** The producer's 12-month premium, in dollars, up to which the tier applies. Null: no limit. */
  max: Dollars | null;
  /** Share of gross premium, as decimal text. */
  agentRate: string;
};

/** A step that an operator skipped and that this journal completes. */
export type CompletedStep = {
  /** The id of the payment or refund. */
  paymentId: PaymentOrRefundId;
  /** The name of the skipped step. */
  step: string;
};

export type ContractUtilization = {
  contractId: DaContractId;
  carrier: string;
  year: number;
  /** Premium volume that the contract allows in the year. */
  limit: SignedDollars;
  /** Written premium of the policies that begin in the year, net of returns. */
  used: SignedDollars;
  /** A fraction of the limit. */
  utilization: number | null;
  /** The status of the contract. */
  status: string;
};

export type CoverageFlag = "loss_outside_term" | "policy_pending" | "policy_cancelled" | "policy_lapsed" | "limit_reduced" | "late_report" | "possible_duplicate";

export type CreatedApiKey = {
  /** The full key. It is shown only once. */
  key?: string;
  id: ApiKeyId;
  orgId: OrganizationId;
  name: string;
  scopes: Array<string>;
  /** The first characters of the key. */
  displayPrefix: string;
  expiresAt: Instant | null;
  revokedAt: Instant | null;
  /** When the key was last used, to the minute. */
  lastUsedAt: Instant | null;
  /** The `sub` of the token that created the key, or `machine` for the machine secret. */
  createdBy: ActorId;
  /** False when the user who created it is deactivated; the key stays valid until it is revoked. */
  creatorActive: boolean;
  createdAt: Instant;
  updatedAt: Instant;
  version: number;
};

/** A webhook with a new secret. After a rotation, the previous secret also signs for 24 hours. */
export type CreatedWebhook = {
  /** The key of the signatures, 64 characters that are used as text. It is shown only once. */
  secret?: string;
  id: WebhookSubscriptionId;
  orgId: OrganizationId;
  url: string;
  events: Array<string>;
  description: string | null;
  /** False while the webhook is paused, and after its deletion. */
  active: boolean;
  status: WebhookStatus;
  /** The time until which the previous secret also signs. Null when there is none. */
  previousSecretExpiresAt: Instant | null;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
};

/** The authority that a carrier delegates to the organization: what it may bind on its own. */
export type DaContract = {
  id: DaContractId;
  orgId: OrganizationId;
  carrier: string;
  /** The number of the carrier at the NAIC, five digits, which certificates print. */
  carrierNaicCode: string | null;
  year: number | null;
  status: DaContractStatus;
  maxPolicyLimit: Dollars;
  maxPremium: Dollars;
  maxAnnualRevenue: Dollars;
  maxAnnualPremiumVolume: Dollars;
  linesOfBusiness: Array<string>;
  states: Array<string>;
  prohibitedNaics: Array<string>;
  referNaics: Array<string>;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
};

export type DaContractChanges = {
  carrier?: string;
  maxPolicyLimit?: Dollars;
  maxPremium?: Dollars;
  maxAnnualRevenue?: Dollars;
  maxAnnualPremiumVolume?: Dollars;
  linesOfBusiness?: Array<LineOfBusiness>;
  states?: Array<State>;
  /** The calendar year of the contract. Null: every year. */
  year?: number | null;
  status?: DaContractStatus;
  /** The number of the carrier at the NAIC, five digits, which certificates print. */
  carrierNaicCode?: string | null;
  /** NAICS codes or their prefixes. */
  prohibitedNaics?: Array<NaicsCode>;
  /** NAICS codes or their prefixes. */
  referNaics?: Array<NaicsCode>;
};

/** A new contract. By default it covers every year, is active and excludes no class. */
export type DaContractCreate = {
  carrier: string;
  maxPolicyLimit: Dollars;
  maxPremium: Dollars;
  maxAnnualRevenue: Dollars;
  maxAnnualPremiumVolume: Dollars;
  linesOfBusiness: Array<LineOfBusiness>;
  states: Array<State>;
  /** The calendar year of the contract. Null: every year. */
  year?: number | null;
  status?: DaContractStatus;
  /** The number of the carrier at the NAIC, five digits, which certificates print. */
  carrierNaicCode?: string | null;
  /** NAICS codes or their prefixes. */
  prohibitedNaics?: Array<NaicsCode>;
  /** NAICS codes or their prefixes. */
  referNaics?: Array<NaicsCode>;
};

export type DaContractId = string;

export type DaContractPage = {
  data: Array<DaContract>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type DaContractStatus = "draft" | "active" | "suspended" | "expired" | "terminated";

/** A point where a risk reaches or exceeds the delegated authority. */
export type DaFlag = {
  code: string;
  severity: "block" | "refer" | "info";
  message: string;
  /** The limit of the authority. Money is in dollars. */
  limit: number | string | null;
  /** The actual value of the risk. Money is in dollars. Null where the caller may not know it: producers see neither the organization's premium volume nor the id of another producer's submission. */
  actual: number | string | null;
  referralId: ReferralId | null;
  clearedBy: ActorId | null;
  clearedAt: Instant | null;
};

export type DaUtilization = {
  data: Array<ContractUtilization>;
};

export type DealRoom = {
  id: DealRoomId;
  orgId: OrganizationId;
  submissionId: SubmissionId;
  name: string;
  status: DealRoomStatus;
  closeReason: DealRoomCloseReason | null;
  closedAt: Instant | null;
  /** Null for a room that closed with its submission. */
  closedBy: ActorId | null;
  createdBy: ActorId;
  participants: Array<DealRoomParticipant>;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
};

export type DealRoomCloseReason = "manual" | "bound" | "declined";

export type DealRoomCreate = {
  submissionId: SubmissionId;
  /** By default the name of the insured. */
  name?: string;
  /** A user who creates the room takes part in it without being named. */
  participants: Array<DealRoomParticipantWrite>;
};

export type DealRoomDetail = {
  id: DealRoomId;
  orgId: OrganizationId;
  submissionId: SubmissionId;
  name: string;
  status: DealRoomStatus;
  closeReason: DealRoomCloseReason | null;
  closedAt: Instant | null;
  /** Null for a room that closed with its submission. */
  closedBy: ActorId | null;
  createdBy: ActorId;
  participants: Array<DealRoomParticipant>;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
  /** The caller's own; null for somebody who does not take part. */
  readMarker: {
    lastReadMessageId: MessageId | null;
    /** Messages by others after the last one that the caller has read. */
    unreadCount: number;
  } | null;
};

export type DealRoomId = string;

export type DealRoomMessage = {
  id: MessageId;
  orgId: OrganizationId;
  dealRoomId: DealRoomId;
  authorId: UserSubject;
  authorKind: "user" | "api_key" | "machine";
  authorRole: Role;
  body: string;
  /** Producers see no `internal` message. */
  visibility: DealRoomMessageVisibility;
  mentions: Array<string>;
  documentIds: Array<DocumentId>;
  createdAt: Instant;
  updatedAt: Instant;
};

export type DealRoomMessageCreate = {
  body: string;
  /** Producers see no `internal` message. */
  visibility?: DealRoomMessageVisibility;
  /** Participants of the room whose attention the message needs. */
  mentions?: Array<UserSubject>;
  /** Documents that the message refers to. Reading them requires permission to read documents. */
  documentIds?: Array<DocumentId>;
};

export type DealRoomMessagePage = {
  data: Array<DealRoomMessage>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type DealRoomMessageVisibility = "internal" | "all";

export type DealRoomPage = {
  data: Array<DealRoom>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type DealRoomParticipant = {
  userId: UserSubject;
  /** A member reads and posts; an observer only reads. */
  role: DealRoomParticipantRole;
  addedBy: ActorId;
  addedAt: Instant;
};

export type DealRoomParticipantChanges = {
  /** A member reads and posts; an observer only reads. */
  role: DealRoomParticipantRole;
};

export type DealRoomParticipantRole = "member" | "observer";

export type DealRoomParticipantWrite = {
  /** The `sub` of their token. */
  userId: UserSubject;
  /** A member reads and posts; an observer only reads. */
  role?: DealRoomParticipantRole;
};

export type DealRoomReadMarker = {
  lastReadMessageId: MessageId | null;
  /** Messages by others after the last one that the caller has read. */
  unreadCount: number;
};

export type DealRoomReadMarkerWrite = {
  messageId: MessageId;
};

/** A signed address. It opens one socket, until it expires. */
export type DealRoomSocket = {
  wsUrl: string;
  expiresAt: Instant;
};

export type DealRoomStatus = "open" | "closed" | "archived";

/** A decimal number as text, so that it stays exact. */
export type DecimalText = string;

export type Decline = {
  reason: string;
};

/** An authority to decide on referrals, lent to a deputy for a time. */
export type Delegation = {
  id: DelegationId;
  orgId: OrganizationId;
  /** Who lends their authority. */
  fromUserId: UserSubject;
  /** The deputy. */
  toUserId: UserSubject;
  /** The first day, by the business clock. */
  from: BusinessDate;
  /** The last day. At most 92 days in all. */
  to: BusinessDate;
  status: "planned" | "active" | "ended";
  /** When it was ended early. */
  endedAt: Instant | null;
  endedBy: ActorId | null;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
};

export type DelegationCreate = {
  toUserId: UserSubject;
  /** The first day, by the business clock. */
  from: BusinessDate;
  /** The last day. At most 92 days in all. */
  to: BusinessDate;
};

export type DelegationId = string;

export type DelegationPage = {
  data: Array<Delegation>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type DemoToken = {
  token: string;
  expiresAt: Instant;
  orgId: OrganizationId;
};

export type DemoTokenRequest = {
  /** The machine secret. */
  secret: string;
};

export type DenyClaim = {
  reason: string;
  /** The provision of the policy that excludes the loss. */
  policyProvision?: string;
};

export type DepositLossFund = {
  /** The carrier, as the authority contract names it. */
  carrier: string;
  /** The amount received, in dollars. */
  amount: PositiveDollars;
  /** The reference of the bank, unique for each carrier. */
  reference: string;
};

/** Money owed to the insured that leaves the trust by check or transfer. */
export type Disbursement = {
  id: DisbursementId;
  orgId: OrganizationId;
  refundId: RefundId;
  invoiceId: InvoiceId | null;
  policyId: PolicyId | null;
  /** The name of the insured. */
  payee: string | null;
  cause: "refund" | "card_refund_failed";
  /** The processor's id of the card refund that failed. It is null unless `cause` is `card_refund_failed`. */
  processorRefundId: ExternalId | null;
  /** The amount owed. If all of it was cancelled: the amount owed before. */
  amount: Dollars;
  /** The part that is no longer owed: its payment was reversed, or it was kept as unapplied cash. */
  cancelledAmount: Dollars;
  status: DisbursementStatus;
  owedOn: BusinessDate;
  method: "check" | "transfer" | null;
  checkNumber: string | null;
  /** The check number or the transfer reference. It is null until the disbursement is issued. */
  reference: string | null;
  issuedOn: BusinessDate | null;
  clearedOn: BusinessDate | null;
  stoppedOn: BusinessDate | null;
  stopReason: string | null;
  cancelledOn: BusinessDate | null;
  cancelReason: string | null;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
};

export type DisbursementId = string;

export type DisbursementPage = {
  data: Array<Disbursement>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type DisbursementStatus = "pending" | "issued" | "cleared" | "stopped" | "cancelled";

export type Dispute = {
  /** The card processor's id. */
  id: ExternalId;
  /** The card processor's own status. */
  status: string;
  outcome: "open" | "won" | "lost";
  amount: TotalDollars;
  reason: string | null;
  openedAt: Instant;
  closedAt: Instant | null;
};

/** A document that was made or received. It is never changed or removed. */
export type Document = {
  id: DocumentId;
  orgId: OrganizationId;
  /** The kind of document: `declarations`, `certificate`, `invoice`, … */
  kind: string;
  fileName: string;
  contentType: string;
  /** In bytes. */
  size: number;
  /** In hexadecimal. */
  sha256: string;
  /** The resource that it belongs to. Null if it belongs only to the organization. */
  entityType: DocumentEntityType | null;
  entityId: RecordId | null;
  /** Counts from 1; each document that supersedes another has the next number. */
  version: number;
  /** The document that this one replaces. */
  supersedes: DocumentId | null;
  /** The document that replaces this one, if the reader may read it. Null: nothing has replaced it. */
  supersededBy: DocumentId | null;
  /** The template it was made with. */
  templateVersion: string | null;
  createdBy: ActorId;
  /** It needs no credential. */
  downloadUrl: string;
  /** When `downloadUrl` expires. */
  expiresAt: Instant;
  createdAt: Instant;
  updatedAt: Instant;
};

export type DocumentEntityType = "policy" | "claim" | "invoice" | "submission" | "producer" | "bordereau" | "organization";

export type DocumentId = string;

export type DocumentPage = {
  data: Array<Document>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type DocumentTemplate = {
  kind: string;
  templateVersion: string;
  /** True for the default of the platform: the organization has no template of its own. */
  isDefault: boolean;
  /** Null: the template is a form. */
  html: string | null;
  /** The fillable PDF. Null: the template is a page. */
  documentId: DocumentId | null;
  /** Field of the form → the Liquid text that fills it, such as `{{ policy.number }}`. */
  fields: Record<string, string> | null;
  /** The values that a template of this kind may use, such as `policy.number`; `limits[].name` is the name of each item of a list. */
  names: Array<string>;
};

export type DocumentTemplateInput = {
  /** A Liquid template in HTML. */
  html?: string;
  /** A fillable PDF of at most 5 MiB, stored by `POST /documents/ingest`. It needs `fields`. */
  documentId?: DocumentId;
  /** Field of the form → the Liquid text that fills it, such as `{{ policy.number }}`. A box is ticked unless that is empty, `0`, `false`, `no` or `off`. */
  fields?: Record<string, string>;
};

export type DocumentTemplateKind = "declarations" | "endorsement" | "cancellation_notice" | "reinstatement_notice" | "non_renewal_notice" | "certificate" | "mcs90" | "binder" | "invoice" | "receipt" | "claim_acknowledgement" | "claim_status" | "claim_denial" | "claim_settlement";

export type DocumentType = "acord_125" | "acord_126" | "acord_25" | "loss_run" | "declaration_page" | "invoice" | "claim_form" | "police_report" | "medical_record" | "financial_statement" | "driver_list" | "inspection_report" | "contract" | "other";

/** Dollars with at most two decimals. */
export type Dollars = number;

/** An e-mail address. */
export type EmailAddress = string;

export type Endorse = {
  /** A day within the term. It may be earlier than the date of an existing endorsement. */
  effectiveDate: BusinessDate;
  changes: TermChanges;
  reason?: string;
  /** True also changes the next term, if it is already bound, from its first day. Default: false. */
  applyToRenewal?: boolean;
};

export type Endorsement = {
  id: PolicyTransactionId;
  orgId: OrganizationId;
  policyId: PolicyId;
  /** The id of the endorsement that this transaction voids. */
  reverses: PolicyTransactionId | null;
  /** The declarations, endorsement page or notice of this transaction. It is printed within seconds; until then `GET /documents/:id` returns 404. Null for a type without a document. */
  documentId: DocumentId | null;
  type: PolicyTransactionType;
  status: PolicyTransactionStatus;
  effectiveDate: BusinessDate;
  issuedAt: Instant;
  reason: string | null;
  changes: Record<string, unknown>;
  premiumChange: SignedDollars;
  feeChange: SignedDollars;
  taxChange: SignedDollars;
  totalChange: SignedDollars;
  grossPremiumAfter: TotalDollars;
  invoices: Array<ChangedInvoice>;
  credits: Array<TransactionCredit>;
  reapplied: Array<{
    transactionId: PolicyTransactionId;
    premiumChange: SignedDollars;
  }>;
  daFlags: Array<DaFlag>;
  /** Only for a renewal: the triage of the next term, with the losses known from claims. It is for information only. */
  triage?: Triage;
  actor: ActorReference;
  /** The changed fields before the transaction. */
  before: Record<string, unknown> | null;
  /** The changed fields after the transaction. */
  after: Record<string, unknown> | null;
  createdAt: Instant;
  updatedAt: Instant;
  /** The id of the next term if it is already bound; otherwise null. */
  renewalPolicyId: PolicyId | null;
  /** True if the next term already has these terms. If it is false, use `applyToRenewal` to change the next term too. It is null without a next term. */
  renewalCarriesChange: boolean | null;
  /** The transaction on the next term. It is null unless `applyToRenewal` changed it. */
  renewalTransaction: PolicyTransaction | null;
};

/** The endorsement as it would be issued now. Nothing is written. */
export type EndorsementPreview = {
  id: null;
  documentId: null;
  orgId: OrganizationId;
  policyId: PolicyId;
  /** The id of the endorsement that this transaction voids. */
  reverses: PolicyTransactionId | null;
  type: PolicyTransactionType;
  status: PolicyTransactionStatus;
  effectiveDate: BusinessDate;
  reason: string | null;
  changes: Record<string, unknown>;
  premiumChange: SignedDollars;
  feeChange: SignedDollars;
  taxChange: SignedDollars;
  totalChange: SignedDollars;
  grossPremiumAfter: TotalDollars;
  invoices: Array<ChangedInvoice>;
  credits: Array<TransactionCredit>;
  reapplied: Array<{
    transactionId: PolicyTransactionId;
    premiumChange: SignedDollars;
  }>;
  daFlags: Array<DaFlag>;
  /** Only for a renewal: the triage of the next term, with the losses known from claims. It is for information only. */
  triage?: Triage;
  actor: ActorReference;
  /** The changed fields before the transaction. */
  before: Record<string, unknown> | null;
  /** The changed fields after the transaction. */
  after: Record<string, unknown> | null;
  issuedAt: null;
  preview: true;
  /** The id of the next term if it is already bound; otherwise null. */
  renewalPolicyId: PolicyId | null;
  /** True if the next term already has these terms. If it is false, use `applyToRenewal` to change the next term too. It is null without a next term. */
  renewalCarriesChange: boolean | null;
  renewalTransaction: PolicyTransactionPreview | null;
};

/** Dollars with at most two decimals. */
export type EntryDollars = number;

/** A document sent to the e-signature provider for signature. */
export type Envelope = {
  id: EnvelopeId;
  orgId: OrganizationId;
  documentId: DocumentId;
  signers: Array<{
    name: string;
    email: string;
  }>;
  policyId: PolicyId | null;
  submissionId: SubmissionId | null;
  appointmentId: AppointmentId | null;
  /** `completed`, `declined`, `voided` and `expired` are final. */
  status: EnvelopeStatus;
  /** The id at the e-signature provider. */
  externalId: ExternalId | null;
  expiresOn: BusinessDate;
  sentAt: Instant | null;
  remindedAt: Instant | null;
  completedAt: Instant | null;
  voidReason: string | null;
  /** The signed file, soon after completion. */
  signedDocumentId: DocumentId | null;
  createdBy: ActorId;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
};

/** A document to be signed. It may name the policy, submission or other resource that it is about. */
export type EnvelopeCreate = {
  documentId: DocumentId;
  signers: Array<{
    name: string;
    email: EmailAddress;
  }>;
  policyId?: PolicyId;
  submissionId?: SubmissionId;
  appointmentId?: AppointmentId;
};

export type EnvelopeId = string;

export type EnvelopePage = {
  data: Array<Envelope>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type EnvelopeStatus = "created" | "sent" | "viewed" | "completed" | "declined" | "voided" | "expired";

export type EnvelopeVoid = {
  reason: string;
};

/** An error. Its code determines the facts in `details`. */
export type Error = Error_malformed_json | Error_validation_failed | Error_unauthenticated | Error_forbidden | Error_not_found | Error_method_not_allowed | Error_already_exists | Error_idempotency_key_reused | Error_idempotency_in_progress | Error_replayed | Error_precondition_failed | Error_payload_too_large | Error_unsupported_media_type | Error_invalid_state_transition | Error_delegated_authority_exceeded | Error_quote_expired | Error_not_ready | Error_notice_period_not_met | Error_outside_policy_term | Error_reserve_too_low | Error_limit_exhausted | Error_amount_exceeds_balance | Error_invoice_has_payments | Error_refund_exceeds_paid | Error_no_failed_payment | Error_subscription_inactive | Error_deal_room_closed | Error_document_not_applicable | Error_unreadable_document | Error_not_settled | Error_payment_declined | Error_rate_limited | Error_internal_error | Error_service_unavailable;

/** Returned with status 409. */
export type Error_already_exists = {
  /** The error code, for programs. */
  error: "already_exists";
  /** A sentence that explains the error, for people. */
  message: string;
  /** Facts about the error. */
  details: {
    /** The kind of resource that exists. */
    resource?: string;
    /** The id of the resource that exists. */
    id?: RecordId;
    paymentId?: PaymentOrClaimPaymentId;
    recoveryId?: ClaimRecoveryId;
    disbursementId?: DisbursementId;
    remittanceId?: RemittanceOrPayoutOrTransferId;
    /** The field whose value is taken. */
    field?: string;
    renewalPolicyId?: PolicyId;
    referralId?: ReferralId;
    transactionId?: PolicyTransactionId;
    userId?: ActorId;
    /** The carrier of the deposit that exists. */
    carrier?: string;
    /** The reference of the deposit that exists. */
    reference?: string;
  };
  /** The id of the request. Quote it when you ask for help. */
  requestId: RequestId;
};

/** Returned with status 422. */
export type Error_amount_exceeds_balance = {
  /** The error code, for programs. */
  error: "amount_exceeds_balance";
  /** A sentence that explains the error, for people. */
  message: string;
  /** Facts about the error. */
  details: {
    /** The amount that was named. */
    amount?: SignedDollars;
    /** The amount that was named for a claim. */
    actual?: SignedDollars;
    balance?: SignedDollars;
    /** The part of the payment that is on no invoice. */
    unapplied?: SignedDollars;
    /** The amount that can still be billed. */
    unbilled?: SignedDollars;
    /** The ledger account whose balance is meant. */
    account?: number;
    /** The day on which the policy lapsed, after the money was received. */
    lapsedOn?: BusinessDate;
  };
  /** The id of the request. Quote it when you ask for help. */
  requestId: RequestId;
};

/** Returned with status 422. */
export type Error_deal_room_closed = {
  /** The error code, for programs. */
  error: "deal_room_closed";
  /** A sentence that explains the error, for people. */
  message: string;
  /** Facts about the error. */
  details: {
    status: string;
  };
  /** The id of the request. Quote it when you ask for help. */
  requestId: RequestId;
};

/** Returned with status 422. */
export type Error_delegated_authority_exceeded = {
  /** The error code, for programs. */
  error: "delegated_authority_exceeded";
  /** A sentence that explains the error, for people. */
  message: string;
  /** Facts about the error. */
  details: {
    daFlags: Array<DaFlag>;
    policyId?: PolicyId;
    requested?: ChangeFigures;
  };
  /** The id of the request. Quote it when you ask for help. */
  requestId: RequestId;
};

/** Returned with status 422. */
export type Error_document_not_applicable = {
  /** The error code, for programs. */
  error: "document_not_applicable";
  /** A sentence that explains the error, for people. */
  message: string;
  /** Facts about the error. */
  details: {
    field?: string;
    /** The status of the policy. */
    status?: string;
    effectiveDate?: BusinessDate;
    /** Why the field does not fit, as a word for programs. */
    reason?: string;
    /** The kind of cargo that an MCS-90 is for. */
    cargo?: string;
    /** The limit of the policy. */
    limit?: SignedDollars;
    /** The limit that the regulation requires. */
    required?: SignedDollars;
  };
  /** The id of the request. Quote it when you ask for help. */
  requestId: RequestId;
};

/** Returned with status 403. */
export type Error_forbidden = {
  /** The error code, for programs. */
  error: "forbidden";
  /** A sentence that explains the error, for people. */
  message: string;
  /** Facts about the error. */
  details: {
    /** The permission that the credential lacks. */
    permission?: string;
    /** The scope that the API key lacks. */
    requiredScope?: string | null;
    /** The limit of the user's own authority. */
    limit?: number | string;
    /** The authority that the action would need. */
    actual?: number | string;
    /** `own_request`: somebody else must decide on it. `own_question`: somebody else must answer it. */
    reason?: string;
    /** The referral of an endorsement or renewal: an approval carries it out. */
    referralId?: ReferralId;
    requested?: ChangeFigures;
  };
  /** The id of the request. Quote it when you ask for help. */
  requestId: RequestId;
};

/** Returned with status 409. */
export type Error_idempotency_in_progress = {
  /** The error code, for programs. */
  error: "idempotency_in_progress";
  /** A sentence that explains the error, for people. */
  message: string;
  /** Facts about the error. */
  details: {
    /** The number of seconds to wait, as in `Retry-After`. */
    retryAfterSeconds: number;
  };
  /** The id of the request. Quote it when you ask for help. */
  requestId: RequestId;
};

/** Returned with status 409. */
export type Error_idempotency_key_reused = {
  /** The error code, for programs. */
  error: "idempotency_key_reused";
  /** A sentence that explains the error, for people. */
  message: string;
  /** Facts about the error. */
  details: Record<string, unknown>;
  /** The id of the request. Quote it when you ask for help. */
  requestId: RequestId;
};

/** Returned with status 500. */
export type Error_internal_error = {
  /** The error code, for programs. */
  error: "internal_error";
  /** A sentence that explains the error, for people. */
  message: string;
  /** Facts about the error. */
  details: Record<string, unknown>;
  /** The id of the request. Quote it when you ask for help. */
  requestId: RequestId;
};

/** Returned with status 422. */
export type Error_invalid_state_transition = {
  /** The error code, for programs. */
  error: "invalid_state_transition";
  /** A sentence that explains the error, for people. */
  message: string;
  /** Facts about the error. */
  details: {
    resource: string;
    /** The status of the resource. */
    from: string;
    action: string;
    /** The operations that would succeed now. */
    allowed: Array<string>;
    /** The field that would make the action possible. */
    field?: string;
    rule?: ValidationRule;
    /** The least amount that would be accepted. */
    minimum?: SignedDollars;
    amount?: SignedDollars;
    balance?: SignedDollars;
    /** The month that was named. */
    month?: Month;
    /** The month that can be closed next. */
    next?: Month | null;
    /** The last day of the month. It must be in the past. */
    lastDay?: BusinessDate;
    /** The last closed month, the only one that can be reopened. */
    lastClosed?: Month | null;
    /** The day of the entry, which is in a closed month. */
    date?: BusinessDate;
    /** The last day of the last closed month. */
    closedThrough?: BusinessDate;
  };
  /** The id of the request. Quote it when you ask for help. */
  requestId: RequestId;
};

/** Returned with status 422. */
export type Error_invoice_has_payments = {
  /** The error code, for programs. */
  error: "invoice_has_payments";
  /** A sentence that explains the error, for people. */
  message: string;
  /** Facts about the error. */
  details: {
    paidAmount: SignedDollars;
    refundedAmount: SignedDollars;
  };
  /** The id of the request. Quote it when you ask for help. */
  requestId: RequestId;
};

/** Returned with status 422. */
export type Error_limit_exhausted = {
  /** The error code, for programs. */
  error: "limit_exhausted";
  /** A sentence that explains the error, for people. */
  message: string;
  /** Facts about the error. */
  details: {
    /** The limit: a number of rows, or which limit of the policy, `occurrence` or `aggregate`. */
    limit: number | string;
    remaining?: SignedDollars;
    actual?: SignedDollars;
  };
  /** The id of the request. Quote it when you ask for help. */
  requestId: RequestId;
};

/** Returned with status 400. */
export type Error_malformed_json = {
  /** The error code, for programs. */
  error: "malformed_json";
  /** A sentence that explains the error, for people. */
  message: string;
  /** Facts about the error. */
  details: Record<string, unknown>;
  /** The id of the request. Quote it when you ask for help. */
  requestId: RequestId;
};

/** Returned with status 405. */
export type Error_method_not_allowed = {
  /** The error code, for programs. */
  error: "method_not_allowed";
  /** A sentence that explains the error, for people. */
  message: string;
  /** Facts about the error. */
  details: {
    allowed: Array<string>;
  };
  /** The id of the request. Quote it when you ask for help. */
  requestId: RequestId;
};

/** Returned with status 422. */
export type Error_no_failed_payment = {
  /** The error code, for programs. */
  error: "no_failed_payment";
  /** A sentence that explains the error, for people. */
  message: string;
  /** Facts about the error. */
  details: {
    lastAttempt: string | null;
  };
  /** The id of the request. Quote it when you ask for help. */
  requestId: RequestId;
};

/** Returned with status 404. */
export type Error_not_found = {
  /** The error code, for programs. */
  error: "not_found";
  /** A sentence that explains the error, for people. */
  message: string;
  /** Facts about the error. */
  details: {
    /** Why a document that another resource names does not exist: it is still being made, or its template must be corrected first. */
    reason?: "being_made" | "cannot_be_made";
  };
  /** The id of the request. Quote it when you ask for help. */
  requestId: RequestId;
};

/** Returned with status 422. */
export type Error_not_ready = {
  /** The error code, for programs. */
  error: "not_ready";
  /** A sentence that explains the error, for people. */
  message: string;
  /** Facts about the error. */
  details: {
    /** The fields that are missing. */
    missing?: Array<string>;
    /** The codes of everything else that prevents the step. */
    blockers?: Array<string>;
    earliestDate?: BusinessDate;
    latestDate?: BusinessDate;
    /** The line of business without a rate table. */
    lineOfBusiness?: LineOfBusiness;
    /** The premium to be paid first. */
    pastDue?: SignedDollars;
    /** The last day of the billing hold. */
    holdUntil?: BusinessDate;
    state?: State;
    /** The cancellation reason that the state does not permit. */
    reason?: string;
    /** The reasons that the state lists. */
    allowedReasons?: Array<string>;
  };
  /** The id of the request. Quote it when you ask for help. */
  requestId: RequestId;
};

/** Returned with status 422. */
export type Error_not_settled = {
  /** The error code, for programs. */
  error: "not_settled";
  /** A sentence that explains the error, for people. */
  message: string;
  /** Facts about the error. */
  details: Record<string, unknown>;
  /** The id of the request. Quote it when you ask for help. */
  requestId: RequestId;
};

/** Returned with status 422. */
export type Error_notice_period_not_met = {
  /** The error code, for programs. */
  error: "notice_period_not_met";
  /** A sentence that explains the error, for people. */
  message: string;
  /** Facts about the error. */
  details: {
    /** The first day on which coverage may end if notice is given today. For a notice of non-renewal: the first expiration date that would leave enough time. */
    earliestDate: BusinessDate;
  };
  /** The id of the request. Quote it when you ask for help. */
  requestId: RequestId;
};

/** Returned with status 422. */
export type Error_outside_policy_term = {
  /** The error code, for programs. */
  error: "outside_policy_term";
  /** A sentence that explains the error, for people. */
  message: string;
  /** Facts about the error. */
  details: {
    effectiveDate?: BusinessDate;
    expirationDate?: BusinessDate;
    /** The first day that would be accepted. */
    earliestDate?: BusinessDate;
    /** The last day that would be accepted. */
    latestDate?: BusinessDate;
  };
  /** The id of the request. Quote it when you ask for help. */
  requestId: RequestId;
};

/** Returned with status 413. */
export type Error_payload_too_large = {
  /** The error code, for programs. */
  error: "payload_too_large";
  /** A sentence that explains the error, for people. */
  message: string;
  /** Facts about the error. */
  details: {
    /** The greatest number of bytes that is accepted. */
    maxBytes?: number;
    /** The number of pages that the document would have. */
    pages?: number;
    /** The number of characters on the page that is too large. */
    characters?: number;
  };
  /** The id of the request. Quote it when you ask for help. */
  requestId: RequestId;
};

/** Returned with status 422. */
export type Error_payment_declined = {
  /** The error code, for programs. */
  error: "payment_declined";
  /** A sentence that explains the error, for people. */
  message: string;
  /** Facts about the error. */
  details: {
    code: string | null;
    declineCode: string | null;
  };
  /** The id of the request. Quote it when you ask for help. */
  requestId: RequestId;
};

/** Returned with status 412. */
export type Error_precondition_failed = {
  /** The error code, for programs. */
  error: "precondition_failed";
  /** A sentence that explains the error, for people. */
  message: string;
  /** Facts about the error. */
  details: {
    /** The version that is stored, as `If-Match` takes it: an `ETag` without the part that depends on the response. Read the resource before you send it. */
    current?: string;
  };
  /** The id of the request. Quote it when you ask for help. */
  requestId: RequestId;
};

/** Returned with status 422. */
export type Error_quote_expired = {
  /** The error code, for programs. */
  error: "quote_expired";
  /** A sentence that explains the error, for people. */
  message: string;
  /** Facts about the error. */
  details: {
    expiresOn?: BusinessDate;
    quoteId?: QuoteId;
    latestQuoteId?: QuoteId | null;
    /** Why the referred change is no longer possible. */
    reason?: string;
    /** The figures that were referred. */
    requested?: ChangeFigures;
    /** The figures of the same change today. */
    now?: ChangeFigures;
  };
  /** The id of the request. Quote it when you ask for help. */
  requestId: RequestId;
};

/** Returned with status 429. */
export type Error_rate_limited = {
  /** The error code, for programs. */
  error: "rate_limited";
  /** A sentence that explains the error, for people. */
  message: string;
  /** Facts about the error. */
  details: {
    /** The number of seconds to wait, as in `Retry-After`. */
    retryAfterSeconds: number;
    limit?: number;
  };
  /** The id of the request. Quote it when you ask for help. */
  requestId: RequestId;
};

/** Returned with status 422. */
export type Error_refund_exceeds_paid = {
  /** The error code, for programs. */
  error: "refund_exceeds_paid";
  /** A sentence that explains the error, for people. */
  message: string;
  /** Facts about the error. */
  details: {
    amount: SignedDollars;
    refundable: SignedDollars;
  };
  /** The id of the request. Quote it when you ask for help. */
  requestId: RequestId;
};

/** Returned with status 409. */
export type Error_replayed = {
  /** The error code, for programs. */
  error: "replayed";
  /** A sentence that explains the error, for people. */
  message: string;
  /** Facts about the error. */
  details: Record<string, unknown>;
  /** The id of the request. Quote it when you ask for help. */
  requestId: RequestId;
};

/** Returned with status 422. */
export type Error_reserve_too_low = {
  /** The error code, for programs. */
  error: "reserve_too_low";
  /** A sentence that explains the error, for people. */
  message: string;
  /** Facts about the error. */
  details: {
    reserve: SignedDollars;
    /** The reserve: `indemnity` or `expense`. */
    kind?: string;
    /** The reserve that would be needed. */
    actual?: SignedDollars;
    /** The amount already paid from it. */
    paid?: SignedDollars;
    deductible?: SignedDollars;
  };
  /** The id of the request. Quote it when you ask for help. */
  requestId: RequestId;
};

/** Returned with status 503. */
export type Error_service_unavailable = {
  /** The error code, for programs. */
  error: "service_unavailable";
  /** A sentence that explains the error, for people. */
  message: string;
  /** Facts about the error. */
  details: {
    /** The number of seconds to wait, as in `Retry-After`. */
    retryAfterSeconds?: number;
    /** This installation has no such part. An operator has to configure it, so the answer has no `Retry-After`. */
    reason?: "not_set_up";
    /** The command that was sent. Quote it when you ask for help. */
    commandId?: string;
    /** The command may still be carried out. Repeat it with the same `Idempotency-Key` to find out. */
    outcome?: "unknown";
    /** Whether the database can be reached. */
    database?: boolean;
    /** Whether the workflow engine can be reached. */
    temporal?: boolean;
  };
  /** The id of the request. Quote it when you ask for help. */
  requestId: RequestId;
};

/** Returned with status 422. */
export type Error_subscription_inactive = {
  /** The error code, for programs. */
  error: "subscription_inactive";
  /** A sentence that explains the error, for people. */
  message: string;
  /** Facts about the error. */
  details: {
    status: string;
  };
  /** The id of the request. Quote it when you ask for help. */
  requestId: RequestId;
};

/** Returned with status 401. */
export type Error_unauthenticated = {
  /** The error code, for programs. */
  error: "unauthenticated";
  /** A sentence that explains the error, for people. */
  message: string;
  /** Facts about the error. */
  details: Record<string, unknown>;
  /** The id of the request. Quote it when you ask for help. */
  requestId: RequestId;
};

/** Returned with status 422. */
export type Error_unreadable_document = {
  /** The error code, for programs. */
  error: "unreadable_document";
  /** A sentence that explains the error, for people. */
  message: string;
  /** Facts about the error. */
  details: {
    reason?: string;
  };
  /** The id of the request. Quote it when you ask for help. */
  requestId: RequestId;
};

/** Returned with status 415. */
export type Error_unsupported_media_type = {
  /** The error code, for programs. */
  error: "unsupported_media_type";
  /** A sentence that explains the error, for people. */
  message: string;
  /** Facts about the error. */
  details: {
    supported: Array<string>;
    /** The content type that the file was sent under. */
    declared?: string;
    /** The format that the bytes have. It is null if it is not known. */
    found?: string | null;
    /** The extension of the file name. */
    ending?: string;
  };
  /** The id of the request. Quote it when you ask for help. */
  requestId: RequestId;
};

/** Returned with status 400. */
export type Error_validation_failed = {
  /** The error code, for programs. */
  error: "validation_failed";
  /** A sentence that explains the error, for people. */
  message: string;
  /** Facts about the error. */
  details: {
    /** Dotted path of the field. */
    field: string;
    /** The rule that the value breaks. */
    rule: ValidationRule;
    /** The least value, length or number of entries. */
    minimum?: number | string;
    /** The greatest value, length, depth or number of entries. */
    maximum?: number | string;
    /** The values that would be accepted. */
    allowed?: Array<unknown>;
    /** The type that the value must have. */
    expected?: string;
    /** The first day, or the least value, that would be accepted. */
    min?: number | string;
    /** The last day, or the greatest value, that would be accepted. */
    max?: number | string;
    /** The last day or month that would be accepted. */
    latest?: string;
    /** What is wrong with a URL, as a word for programs. */
    reason?: string;
    /** The column of a table that is not known. */
    column?: string;
    /** The additional premium that an audit would bill. */
    additionalPremium?: SignedDollars;
    /** The highest amount that can be paid. */
    most?: SignedDollars;
    /** Every broken rule, when there are several. The first one is in `details` itself. */
    issues?: Array<{
      /** Dotted path of the field. */
      field: string;
      /** The rule that the value breaks. */
      rule: ValidationRule;
      /** The least value, length or number of entries. */
      minimum?: number | string;
      /** The greatest value, length, depth or number of entries. */
      maximum?: number | string;
      /** The values that would be accepted. */
      allowed?: Array<unknown>;
      /** The type that the value must have. */
      expected?: string;
      /** The first day, or the least value, that would be accepted. */
      min?: number | string;
      /** The last day, or the greatest value, that would be accepted. */
      max?: number | string;
      /** The last day or month that would be accepted. */
      latest?: string;
      /** What is wrong with a URL, as a word for programs. */
      reason?: string;
      /** The column of a table that is not known. */
      column?: string;
      /** The additional premium that an audit would bill. */
      additionalPremium?: SignedDollars;
      /** The highest amount that can be paid. */
      most?: SignedDollars;
      message: string;
    }>;
  };
  /** The id of the request. Quote it when you ask for help. */
  requestId: RequestId;
};

/** A recorded event. `type` determines the shape of `data`. */
export type Event = Event_autopay_disabled | Event_autopay_enabled | Event_autopay_suspended | Event_claim_closed | Event_claim_filed | Event_claim_reserved | Event_claim_settled | Event_compliance_deadline_approaching | Event_compliance_deadline_missed | Event_da_limit_approaching | Event_disbursement_cancelled | Event_disbursement_cleared | Event_disbursement_created | Event_disbursement_issued | Event_disbursement_stopped | Event_financial_operation_failed | Event_invoice_paid | Event_journal_posted | Event_payment_failed | Event_payment_received | Event_policy_audited | Event_policy_bound | Event_policy_cancellation_scheduled | Event_policy_cancellation_withdrawn | Event_policy_cancelled | Event_policy_endorsed | Event_policy_expired | Event_policy_lapsed | Event_policy_non_renewed | Event_policy_payment_plan_changed | Event_policy_reinstated | Event_policy_renewed | Event_referral_expired | Event_referral_reminder | Event_refund_approval_requested | Event_refund_approved | Event_refund_rejected | Event_webhook_test;

export type EventId = string;

export type EventPage = {
  data: Array<Event>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type EventType = "policy.bound" | "policy.endorsed" | "policy.cancelled" | "policy.renewed" | "policy.reinstated" | "policy.cancellation_scheduled" | "policy.cancellation_withdrawn" | "policy.lapsed" | "policy.expired" | "policy.non_renewed" | "policy.audited" | "policy.payment_plan_changed" | "claim.filed" | "claim.reserved" | "claim.settled" | "claim.closed" | "payment.received" | "payment.failed" | "autopay.enabled" | "autopay.disabled" | "autopay.suspended" | "invoice.paid" | "refund.approval_requested" | "refund.approved" | "refund.rejected" | "disbursement.created" | "disbursement.issued" | "disbursement.cleared" | "disbursement.stopped" | "disbursement.cancelled" | "journal.posted" | "referral.reminder" | "referral.expired" | "da.limit_approaching" | "compliance.deadline_approaching" | "compliance.deadline_missed" | "financial.operation_failed" | "webhook.test";

/** Autopay was switched off. */
export type Event_autopay_disabled = {
  id: EventId;
  type: "autopay.disabled";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    insuredId: InsuredId;
    status: AutopayStatus;
    [more: string]: unknown;
  };
};

/** An insured has given a card for autopay. */
export type Event_autopay_enabled = {
  id: EventId;
  type: "autopay.enabled";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    insuredId: InsuredId;
    status: AutopayStatus;
    [more: string]: unknown;
  };
};

/** A bill could not be charged to the card, and autopay was suspended: the insured must act. */
export type Event_autopay_suspended = {
  id: EventId;
  type: "autopay.suspended";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    insuredId: InsuredId;
    status: AutopayStatus;
    reason: AutopaySuspensionReason;
    severity: "warning";
    policyId: PolicyId;
    invoiceId: InvoiceId;
    invoiceNumber: string;
    [more: string]: unknown;
  };
};

/** A claim was closed. */
export type Event_claim_closed = {
  id: EventId;
  type: "claim.closed";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    claimId: ClaimId;
    claimNumber: string;
    policyId: PolicyId;
    status: string;
    [more: string]: unknown;
  };
};

/** A first notice of loss was received. You can also subscribe to it as `claim.opened`. */
export type Event_claim_filed = {
  id: EventId;
  type: "claim.filed";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    claimId: ClaimId;
    claimNumber: string;
    policyId: PolicyId;
    status: string;
    [more: string]: unknown;
  };
};

/** Reserves were set or updated. */
export type Event_claim_reserved = {
  id: EventId;
  type: "claim.reserved";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    claimId: ClaimId;
    claimNumber: string;
    policyId: PolicyId;
    status: string;
    reserves: {
      indemnity: SignedDollars;
      expense: SignedDollars;
      total: SignedDollars;
    };
    [more: string]: unknown;
  };
};

/** A settlement was approved. */
export type Event_claim_settled = {
  id: EventId;
  type: "claim.settled";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    claimId: ClaimId;
    claimNumber: string;
    policyId: PolicyId;
    status: string;
    amount: SignedDollars;
    [more: string]: unknown;
  };
};

/** A filing is due or a license expires in 30, 7 or 1 days, or a statutory claim deadline is near. */
export type Event_compliance_deadline_approaching = {
  id: EventId;
  type: "compliance.deadline_approaching";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    filingId: FilingId | null;
    kind: string;
    dueDate: BusinessDate;
    daysLeft: number;
    /** Null for a deadline with a carrier. */
    state: string | null;
    /** Only for a report or a remittance to a carrier, or its audit. */
    carrier?: string;
    /** The month of the report or the remittance, or the half-year of the audit. */
    period?: string;
    claimId?: ClaimId;
    [more: string]: unknown;
  };
};

/** A filing was not made, or a statutory claim deadline was not met, by its due date. */
export type Event_compliance_deadline_missed = {
  id: EventId;
  type: "compliance.deadline_missed";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    filingId: FilingId | null;
    kind: string;
    dueDate: BusinessDate;
    daysLeft: number;
    /** Null for a deadline with a carrier. */
    state: string | null;
    /** Only for a report or a remittance to a carrier, or its audit. */
    carrier?: string;
    /** The month of the report or the remittance, or the half-year of the audit. */
    period?: string;
    claimId?: ClaimId;
    [more: string]: unknown;
  };
};

/** More than 85 percent of a delegated-authority contract has been used. */
export type Event_da_limit_approaching = {
  id: EventId;
  type: "da.limit_approaching";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    contractId: DaContractId;
    /** A fraction. */
    utilization: number;
    limit: SignedDollars;
    used: SignedDollars;
    [more: string]: unknown;
  };
};

/** Money is no longer owed. */
export type Event_disbursement_cancelled = {
  id: EventId;
  type: "disbursement.cancelled";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    refundId: RefundId;
    invoiceId: InvoiceId | null;
    policyId: PolicyId | null;
    amount: SignedDollars;
    status: string;
    disbursementId: DisbursementId;
    method: string | null;
    reference: string | null;
    /** The amount that this step cancelled. `amount` is the balance still owed or, if none is left, the balance before the step. */
    cancelledAmount: SignedDollars;
    [more: string]: unknown;
  };
};

/** A check was cashed. */
export type Event_disbursement_cleared = {
  id: EventId;
  type: "disbursement.cleared";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    refundId: RefundId;
    invoiceId: InvoiceId | null;
    policyId: PolicyId | null;
    amount: SignedDollars;
    status: string;
    disbursementId: DisbursementId;
    method: string | null;
    reference: string | null;
    [more: string]: unknown;
  };
};

/** Money is owed by check. */
export type Event_disbursement_created = {
  id: EventId;
  type: "disbursement.created";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    refundId: RefundId;
    invoiceId: InvoiceId | null;
    policyId: PolicyId | null;
    amount: SignedDollars;
    status: string;
    disbursementId: DisbursementId;
    method: string | null;
    reference: string | null;
    [more: string]: unknown;
  };
};

/** A check was issued. */
export type Event_disbursement_issued = {
  id: EventId;
  type: "disbursement.issued";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    refundId: RefundId;
    invoiceId: InvoiceId | null;
    policyId: PolicyId | null;
    amount: SignedDollars;
    status: string;
    disbursementId: DisbursementId;
    method: string | null;
    reference: string | null;
    [more: string]: unknown;
  };
};

/** A check was stopped. */
export type Event_disbursement_stopped = {
  id: EventId;
  type: "disbursement.stopped";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    refundId: RefundId;
    invoiceId: InvoiceId | null;
    policyId: PolicyId | null;
    amount: SignedDollars;
    status: string;
    disbursementId: DisbursementId;
    method: string | null;
    reference: string | null;
    [more: string]: unknown;
  };
};

/** An operation on money failed, its records disagree, or a notice to an insured was not sent or delivered. Someone must review it. */
export type Event_financial_operation_failed = {
  id: EventId;
  type: "financial.operation_failed";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    severity: "critical";
    requiresManualReview: true;
    operation: string;
    message: string;
    /** The payment, refund or claim payment that it concerns. */
    paymentId?: PaymentOrRefundOrClaimPaymentId | null;
    invoiceId?: InvoiceId | null;
    /** Set if it concerns a notice to the insured, or the card attempts on an invoice. */
    policyId?: PolicyId | null;
    /** The number of the policy, claim or payment. */
    reference?: string | null;
    /** Set if it concerns an amount. */
    amount?: SignedDollars;
    /** The workflow that waits for an operator, if any. */
    workflowId?: string | null;
    [more: string]: unknown;
  };
};

/** An invoice was paid in full. */
export type Event_invoice_paid = {
  id: EventId;
  type: "invoice.paid";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    invoiceId: InvoiceId;
    invoiceNumber: string;
    policyId: PolicyId;
    amount: SignedDollars;
    reference: string;
    status: string;
    [more: string]: unknown;
  };
};

/** A manual journal entry was posted. */
export type Event_journal_posted = {
  id: EventId;
  type: "journal.posted";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    journalId: JournalId;
    entryId: LedgerEntryId;
    ledger: LedgerName;
    amount: SignedDollars;
    policyId: PolicyId | null;
    invoiceId: InvoiceId | null;
    [more: string]: unknown;
  };
};

/** A payment attempt failed, or a payment was reversed. */
export type Event_payment_failed = {
  id: EventId;
  type: "payment.failed";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    invoiceId: InvoiceId;
    invoiceNumber: string;
    policyId: PolicyId;
    amount: SignedDollars;
    reference: string;
    status: string;
    severity: "warning";
    code?: string | null;
    [more: string]: unknown;
  };
};

/** A premium payment was processed. */
export type Event_payment_received = {
  id: EventId;
  type: "payment.received";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    invoiceId: InvoiceId;
    invoiceNumber: string;
    policyId: PolicyId;
    amount: SignedDollars;
    reference: string;
    status: string;
    [more: string]: unknown;
  };
};

/** A premium audit was completed. */
export type Event_policy_audited = {
  id: EventId;
  type: "policy.audited";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    policyId: PolicyId;
    policyNumber: string;
    grossPremium: SignedDollars;
    effectiveDate: BusinessDate;
    transactionId: PolicyTransactionId;
    premiumChange: SignedDollars;
    actualRevenue: SignedDollars;
    [more: string]: unknown;
  };
};

/** A new policy was bound. */
export type Event_policy_bound = {
  id: EventId;
  type: "policy.bound";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    policyId: PolicyId;
    policyNumber: string;
    grossPremium: SignedDollars;
    effectiveDate: BusinessDate;
    [more: string]: unknown;
  };
};

/** A cancellation will take effect on a later day. */
export type Event_policy_cancellation_scheduled = {
  id: EventId;
  type: "policy.cancellation_scheduled";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    policyId: PolicyId;
    policyNumber: string;
    grossPremium: SignedDollars;
    effectiveDate: BusinessDate;
    transactionId: PolicyTransactionId;
    premiumChange: SignedDollars;
    cancellation: {
      effectiveDate: BusinessDate;
      reason: string;
      method: string;
      source: string;
      [more: string]: unknown;
    } | null;
    [more: string]: unknown;
  };
};

/** A scheduled cancellation will not take effect. */
export type Event_policy_cancellation_withdrawn = {
  id: EventId;
  type: "policy.cancellation_withdrawn";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    policyId: PolicyId;
    policyNumber: string;
    grossPremium: SignedDollars;
    effectiveDate: BusinessDate;
    transactionId: PolicyTransactionId;
    cancellation: {
      effectiveDate: BusinessDate;
      reason: string;
      method: string;
      source: string;
      [more: string]: unknown;
    };
    replacedBy: PolicyTransactionId | null;
    [more: string]: unknown;
  };
};

/** A policy was cancelled. */
export type Event_policy_cancelled = {
  id: EventId;
  type: "policy.cancelled";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    policyId: PolicyId;
    policyNumber: string;
    grossPremium: SignedDollars;
    effectiveDate: BusinessDate;
    transactionId: PolicyTransactionId;
    premiumChange: SignedDollars;
    cancellation: {
      effectiveDate: BusinessDate;
      reason: string;
      method: string;
      source: string;
      [more: string]: unknown;
    } | null;
    [more: string]: unknown;
  };
};

/** A mid-term endorsement was applied. */
export type Event_policy_endorsed = {
  id: EventId;
  type: "policy.endorsed";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    policyId: PolicyId;
    policyNumber: string;
    grossPremium: SignedDollars;
    effectiveDate: BusinessDate;
    transactionId: PolicyTransactionId;
    premiumChange: SignedDollars;
    /** The endorsement that this one voids. */
    reverses?: PolicyTransactionId;
    [more: string]: unknown;
  };
};

/** The term has ended and was not renewed. */
export type Event_policy_expired = {
  id: EventId;
  type: "policy.expired";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    policyId: PolicyId;
    policyNumber: string;
    grossPremium: SignedDollars;
    effectiveDate: BusinessDate;
    expirationDate: BusinessDate;
    [more: string]: unknown;
  };
};

/** A policy was cancelled for non-payment; `policy.cancelled` says so too. */
export type Event_policy_lapsed = {
  id: EventId;
  type: "policy.lapsed";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    policyId: PolicyId;
    policyNumber: string;
    grossPremium: SignedDollars;
    effectiveDate: BusinessDate;
    transactionId: PolicyTransactionId;
    premiumChange: SignedDollars;
    cancellation: {
      effectiveDate: BusinessDate;
      reason: string;
      method: string;
      source: string;
      [more: string]: unknown;
    } | null;
    [more: string]: unknown;
  };
};

/** Notice of non-renewal was given. */
export type Event_policy_non_renewed = {
  id: EventId;
  type: "policy.non_renewed";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    policyId: PolicyId;
    policyNumber: string;
    grossPremium: SignedDollars;
    effectiveDate: BusinessDate;
    expirationDate: BusinessDate;
    noticeDate: BusinessDate;
    reason: string;
    [more: string]: unknown;
  };
};

/** Premium that was not yet due was billed again under another payment plan. */
export type Event_policy_payment_plan_changed = {
  id: EventId;
  type: "policy.payment_plan_changed";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    policyId: PolicyId;
    policyNumber: string;
    grossPremium: SignedDollars;
    effectiveDate: BusinessDate;
    transactionId: PolicyTransactionId;
    premiumChange: SignedDollars;
    installmentPlan: InstallmentPlan;
    previousPlan: InstallmentPlan;
    [more: string]: unknown;
  };
};

/** A cancelled policy was reinstated. */
export type Event_policy_reinstated = {
  id: EventId;
  type: "policy.reinstated";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    policyId: PolicyId;
    policyNumber: string;
    grossPremium: SignedDollars;
    effectiveDate: BusinessDate;
    transactionId: PolicyTransactionId;
    premiumChange: SignedDollars;
    [more: string]: unknown;
  };
};

/** A renewal policy was created. */
export type Event_policy_renewed = {
  id: EventId;
  type: "policy.renewed";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    policyId: PolicyId;
    policyNumber: string;
    grossPremium: SignedDollars;
    effectiveDate: BusinessDate;
    renewalOf: PolicyId | null;
    [more: string]: unknown;
  };
};

/** A referral has ended without a decision. */
export type Event_referral_expired = {
  id: EventId;
  type: "referral.expired";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    referralId: ReferralId;
    submissionId: SubmissionId | null;
    policyId: PolicyId | null;
    expiresOn: BusinessDate;
    daysLeft: number;
    [more: string]: unknown;
  };
};

/** A referral has waited 3, 7 or 12 days for its decision. */
export type Event_referral_reminder = {
  id: EventId;
  type: "referral.reminder";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    referralId: ReferralId;
    submissionId: SubmissionId | null;
    policyId: PolicyId | null;
    expiresOn: BusinessDate;
    daysLeft: number;
    [more: string]: unknown;
  };
};

/** A refund waits for approval. */
export type Event_refund_approval_requested = {
  id: EventId;
  type: "refund.approval_requested";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    refundId: RefundId;
    invoiceId: InvoiceId | null;
    policyId: PolicyId | null;
    amount: SignedDollars;
    status: string;
    [more: string]: unknown;
  };
};

/** A refund was approved. */
export type Event_refund_approved = {
  id: EventId;
  type: "refund.approved";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    refundId: RefundId;
    invoiceId: InvoiceId | null;
    policyId: PolicyId | null;
    amount: SignedDollars;
    status: string;
    [more: string]: unknown;
  };
};

/** A refund was rejected. */
export type Event_refund_rejected = {
  id: EventId;
  type: "refund.rejected";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    refundId: RefundId;
    invoiceId: InvoiceId | null;
    policyId: PolicyId | null;
    amount: SignedDollars;
    status: string;
    [more: string]: unknown;
  };
};

/** Someone tested a webhook. */
export type Event_webhook_test = {
  id: EventId;
  type: "webhook.test";
  orgId: OrganizationId;
  timestamp: Instant;
  data: {
    webhookId: WebhookSubscriptionId;
    message: string;
    [more: string]: unknown;
  };
};

/** An id that another system assigned. */
export type ExternalId = string;

export type Fee = {
  code: string;
  amount: SignedDollars;
};

export type Filing = {
  id: FilingId;
  orgId: OrganizationId;
  kind: string;
  /** Null for a deadline with a carrier. */
  state: string | null;
  /** The last day to file on time. */
  dueDate: BusinessDate;
  /** Days until the due date. It is negative once that has passed. */
  daysLeft: number;
  /** An open filing is overdue from the day after its due date. */
  status: FilingStatus;
  policyId: PolicyId | null;
  /** The transaction of the policy that requires it. */
  transactionId: PolicyTransactionId | null;
  /** Set where the filing belongs to a producer. */
  producerId: ProducerId | null;
  appointmentId: AppointmentId | null;
  /** Set on a deadline to acknowledge a claim or to decide it. */
  claimId: ClaimId | null;
  /** Set where the filing is a report or a remittance to a carrier, or its audit. */
  carrier: string | null;
  /** The contract that the carrier audits. Null for other filings. */
  contractId: DaContractId | null;
  /** The month of the report or the remittance, or the half-year of the audit. */
  period: string | null;
  /** The number or receipt issued by the state for the filing. */
  reference: string | null;
  filedOn: BusinessDate | null;
  filedBy: ActorId | null;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
};

export type FilingChange = {
  status: "filed";
  /** The number or receipt that the state issued. */
  reference: string;
};

export type FilingId = string;

export type FilingPage = {
  data: Array<Filing>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type FilingStatus = "open" | "overdue" | "filed" | "withdrawn";

export type Flag = {
  key: string;
  description: string;
  /** The type of the values that the flag takes. */
  type: "boolean" | "number" | "string" | "json";
  /** A boolean, a number, text or JSON, depending on the flag. */
  defaultValue: unknown;
  /** The value that the organization has set. It is null if it has set none. */
  override: unknown;
  /** The value in effect: the override, or else the default. */
  value: unknown;
};

export type FlagPage = {
  data: Array<Flag>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type FlagWrite = {
  /** A boolean, a number, text or JSON, depending on the flag. */
  value: unknown;
};

export type Front = {
  name: string;
  version: string;
  description: string;
  links: Record<string, string>;
};

export type GenerateCertificate = {
  policyId: PolicyId;
  holder: {
    name: string;
    address?: AddressInput | string;
    /** Where `notifyHolder` writes to. */
    email?: EmailAddress;
  };
  /** Whether the holder receives an e-mail when the policy is cancelled or this certificate is replaced. It needs `holder.email`. */
  notifyHolder?: boolean;
  /** Operations, locations and vehicles. */
  description?: string;
  /** Whether the certificate names the holder as an additional insured, as the policy must do. */
  additionalInsured?: boolean;
  /** Whether the certificate says that the policy carries a waiver of subrogation, as it must do. */
  waiverOfSubrogation?: boolean;
};

export type Health = {
  status: "ok";
};

export type HeldPayee = {
  /** The id of the hold, for clearing the payee. */
  id: PayeeHoldId;
  code: string;
  /** The step that was stopped: the offer, its approval, a payment, or the release of money from the fund. */
  step: PayeeHoldStep;
  /** Absent where the claim is redacted. */
  payee?: string;
  heldOn: BusinessDate;
  /** The roles that may clear the payee. */
  clearableBy: Array<Role>;
};

export type IdentityInquiry = {
  producerId: ProducerId;
  inquiryId: ExternalId;
  /** The address where the producer verifies their identity. It needs no credential. */
  url: string | null;
};

export type InboundReceipt = {
  received?: true;
  /** True when the event had already been processed. */
  deduplicated?: true;
};

export type IngestedDocument = {
  /** The id of the document. */
  id: DocumentId;
  classification: {
    type: DocumentType;
    confidence: number;
    /** The next likely types. */
    alternatives: Array<{
      type: DocumentType;
      confidence: number;
    }>;
  };
  /** The values of an ACORD 125 or 126, a loss run, a declarations page or an invoice, as far as they were found. Amounts are in dollars. They are taken from the document and have not been verified. `unread` lists the answers on an ACORD 125 that could not be read, each with its `name`, `page` and `field`. */
  extracted: Record<string, unknown>;
  /** True if the classification is less than 0.7 sure, if a loss run could not be read in full (it then has no totals), if an answer on an ACORD 125 could not be read, or if only a language model read some of the values. */
  needsReview: boolean;
  /** The source of the values: form fields, text, or only the file name. */
  readFrom: "form" | "text" | "name";
};

export type InstallmentOption = {
  plan: InstallmentPlan;
  schedule: Array<{
    number: number;
    dueDate: BusinessDate;
    amount: TotalDollars;
  }>;
};

export type InstallmentPlan = "PAY_IN_FULL" | "SEMI_ANNUAL_2" | "QUARTERLY_4" | "MONTHLY_10" | "MONTHLY_12";

/** An instant in UTC. */
export type Instant = string;

/** `undeliverable`: the organization's e-mail to this address bounced or drew a complaint, so no more is sent. PATCH the policy with a new address, or with the same one once it accepts mail again. */
export type InsuredContact = {
  email: string | null;
  phone: string | null;
  undeliverable: boolean;
};

export type InsuredId = string;

export type InvestigateClaim = {
  /** The user who handles the claim: the `sub` of their token. */
  adjusterId?: UserSubject;
  notes?: string;
};

export type InvitedUser = {
  id: UserId;
  orgId: OrganizationId;
  email: string;
  name: string;
  role: UserRole;
  /** False: the user cannot sign in to this organization, and their tokens are rejected within 30 seconds. A pending invitation is revoked. */
  active: boolean;
  /** `invited`: the invitation has not been accepted yet. */
  status: UserStatus;
  origin: UserOrigin;
  emailVerified: boolean;
  producerIds: Array<ProducerId>;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
  /** Whether the mail server took the e-mail immediately. False: deactivate the user and invite the address again when mail works. */
  invitationSent: boolean;
};

export type Invoice = {
  id: InvoiceId;
  orgId: OrganizationId;
  invoiceNumber: string;
  policyId: PolicyId;
  insuredName: string;
  status: InvoiceStatus;
  installmentNumber: number;
  installmentCount: number;
  /** The business date on which the invoice was issued. */
  issueDate: BusinessDate;
  /** The last day to pay. The invoice is past due from the day after. */
  dueDate: BusinessDate;
  lines: Array<InvoiceLine>;
  /** The sum of the lines, in dollars. If a payment is reversed after a part of it was refunded, what was refunded is not billed again: until the invoice is paid, it is deducted as a credit line with the code `RETURNED`. */
  total: TotalDollars;
  /** Everything paid, in dollars, before refunds. */
  paidAmount: TotalDollars;
  /** Everything refunded, charged back or reversed, in dollars. */
  refundedAmount: TotalDollars;
  /** The amount still owed, in dollars: 0 once the invoice has been fully paid or is void, otherwise `total` less `paidAmount` plus `refundedAmount`. If a payment is reversed, what the invoice still held of it is due again; earlier refunds are not billed again. */
  balance: TotalDollars;
  /** True while a bank decides on a dispute about a payment on this invoice. Meanwhile the invoice takes no card payments and does not make its policy past due. */
  disputed: boolean;
  payments: Array<Payment>;
  lastPaymentError: PaymentError | null;
  /** The void invoice that this invoice replaces. */
  reissueOf: string | null;
  /** The invoice that was paid in part and whose unpaid rest was written off as this one. */
  restOf: string | null;
  /** The invoice that replaces this void invoice. */
  reissuedAs: string | null;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
};

export type InvoiceDetail = {
  id: InvoiceId;
  orgId: OrganizationId;
  invoiceNumber: string;
  policyId: PolicyId;
  insuredName: string;
  status: InvoiceStatus;
  installmentNumber: number;
  installmentCount: number;
  /** The business date on which the invoice was issued. */
  issueDate: BusinessDate;
  /** The last day to pay. The invoice is past due from the day after. */
  dueDate: BusinessDate;
  lines: Array<InvoiceLine>;
  /** The sum of the lines, in dollars. If a payment is reversed after a part of it was refunded, what was refunded is not billed again: until the invoice is paid, it is deducted as a credit line with the code `RETURNED`. */
  total: TotalDollars;
  /** Everything paid, in dollars, before refunds. */
  paidAmount: TotalDollars;
  /** Everything refunded, charged back or reversed, in dollars. */
  refundedAmount: TotalDollars;
  /** The amount still owed, in dollars: 0 once the invoice has been fully paid or is void, otherwise `total` less `paidAmount` plus `refundedAmount`. If a payment is reversed, what the invoice still held of it is due again; earlier refunds are not billed again. */
  balance: TotalDollars;
  /** True while a bank decides on a dispute about a payment on this invoice. Meanwhile the invoice takes no card payments and does not make its policy past due. */
  disputed: boolean;
  payments: Array<Payment>;
  lastPaymentError: PaymentError | null;
  /** The void invoice that this invoice replaces. */
  reissueOf: string | null;
  /** The invoice that was paid in part and whose unpaid rest was written off as this one. */
  restOf: string | null;
  /** The invoice that replaces this void invoice. */
  reissuedAs: string | null;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
  /** The policy; only with `expand=policy`. It is null when you may not read it. */
  policy?: Policy | null;
};

export type InvoiceId = string;

export type InvoiceLine = {
  kind: "premium" | "fee" | "tax" | "credit";
  code: string;
  description: string;
  amount: SignedDollars;
};

export type InvoicePage = {
  data: Array<InvoiceDetail>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type InvoiceReference = {
  id: InvoiceId;
  invoiceNumber: string;
  dueDate: BusinessDate;
  total: TotalDollars;
};

/** The order of the rows. A minus sign means descending order. Ties are in order of creation. */
export type InvoiceSort = "-createdAt" | "createdAt" | "-dueDate" | "dueDate" | "-invoiceNumber" | "invoiceNumber";

export type InvoiceStatus = "open" | "partially_paid" | "paid" | "past_due" | "void" | "refunded" | "partially_refunded" | "uncollectible";

export type IssueDisbursement = {
  /** The number of the check. */
  checkNumber?: string;
  /** The reference of a transfer. Send either this or `checkNumber`, not both. */
  reference?: string;
  /** The date of the check or transfer, from `owedOn` to today. Default: today. */
  issuedOn?: BusinessDate;
};

export type IssueMcs90 = {
  /** The cargo determines the minimum limit of 49 CFR 387.9. Default: `non_hazardous`. */
  cargo?: "non_hazardous" | "oil" | "hazardous" | "bulk_hazardous";
};

export type IssuedCertificate = {
  id: CertificateId;
  certificateNumber: string;
  /** The certificate for the same holder that this one replaces. */
  supersedes: CertificateId | null;
  documentId: DocumentId;
  /** It needs no credential. */
  downloadUrl: string;
  /** When `downloadUrl` expires. */
  expiresAt: Instant;
};

export type IssuedMcs90 = {
  documentId: DocumentId;
  /** It needs no credential. */
  downloadUrl: string;
  /** When `downloadUrl` expires. */
  expiresAt: Instant;
};

export type JobStatus = "running" | "completed" | "failed";

/** A manual ledger entry. It is posted once someone else has approved it. */
export type Journal = {
  id: JournalId;
  orgId: OrganizationId;
  status: JournalStatus;
  ledger: LedgerName;
  date: BusinessDate;
  description: string;
  lines: Array<LedgerLine>;
  policyId: PolicyId | null;
  invoiceId: InvoiceId | null;
  completesStep: CompletedStep | null;
  madeBy: ActorId;
  decidedBy: ActorId | null;
  decidedAt: Instant | null;
  /** The reason for the rejection. */
  reason: string | null;
  /** The ledger entry that the approved journal posted. It is null until then. */
  entryId: LedgerEntryId | null;
  createdAt: Instant;
  updatedAt: Instant;
};

export type JournalId = string;

/** A line has either a debit or a credit, in dollars above zero. */
export type JournalLine = {
  account: LedgerAccountNumber;
  debit?: EntryDollars;
  credit?: EntryDollars;
};

export type JournalPage = {
  data: Array<Journal>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type JournalRejection = {
  reason: string;
};

export type JournalStatus = "pending_approval" | "posted" | "rejected";

export type JournalWrite = {
  ledger: LedgerName;
  /** The date of the entry: today or up to a year before. Default: today. */
  date?: BusinessDate;
  description: string;
  lines: Array<JournalLine>;
  policyId?: PolicyId;
  invoiceId?: InvoiceId;
  completesStep?: CompletedStep;
};

export type LedgerAccount = {
  account: number;
  name: string;
  kind: "asset" | "liability" | "revenue" | "expense";
  /** True for accounts of the trust, which holds money that belongs to others. */
  fiduciary: boolean;
  /** Balance in dollars. Assets and expenses: debits less credits. Liabilities and revenue: credits less debits. */
  balance: SignedDollars;
};

export type LedgerAccountNumber = 1010 | 1020 | 1030 | 1040 | 1100 | 1110 | 1120 | 1130 | 1200 | 2010 | 2020 | 2030 | 2040 | 2050 | 2060 | 2070 | 2080 | 2090 | 2110 | 4010 | 4020 | 5010 | 5020;

export type LedgerAccounts = {
  data: Array<LedgerAccount>;
  nextCursor: null;
};

export type LedgerEntry = {
  id: LedgerEntryId;
  orgId: OrganizationId;
  ledger: LedgerName;
  entryType: string;
  date: BusinessDate;
  /** The intended date, if its month was already closed; `date` is then the first open day. */
  originalDate: BusinessDate | null;
  description: string;
  /** The kind of record that caused the entry. A source has at most one entry of each type. */
  sourceType: string;
  sourceId: RecordId;
  reversesEntryId: LedgerEntryId | null;
  policyId: PolicyId | null;
  invoiceId: InvoiceId | null;
  lines: Array<LedgerLine>;
  createdAt: Instant;
  updatedAt: Instant;
};

export type LedgerEntryId = string;

export type LedgerEntryPage = {
  data: Array<LedgerEntry>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type LedgerLine = {
  account: number;
  debit: TotalDollars;
  credit: TotalDollars;
};

export type LedgerLineId = string;

export type LedgerName = "general" | "fiduciary";

export type LedgerPeriod = {
  id: LedgerPeriodId;
  orgId: OrganizationId;
  month: Month;
  lastDay: BusinessDate;
  status: "closed" | "reopened";
  /** What each account had at the end of the month when it was closed; accounts without lines are left out. Null only for a month that was opened again before they were summed. */
  balances: Array<LedgerPeriodBalance> | null;
  closedBy: ActorId;
  closedAt: Instant;
  reopenedBy: ActorId | null;
  reopenedAt: Instant | null;
  reopenReason: string | null;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
};

export type LedgerPeriodBalance = {
  account: LedgerAccountNumber;
  /** Debits less credits, so that all accounts sum to zero. Liabilities and revenue are negative here; `GET /ledger/accounts` shows them positive. */
  balance: SignedDollars;
};

export type LedgerPeriodId = string;

export type LedgerPeriodPage = {
  data: Array<LedgerPeriod>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type LicenseInput = {
  state: State;
  number: string;
  /** The lines of business that the license covers. Empty: every line. */
  lines?: Array<LineOfBusiness>;
  status?: LicenseStatus;
  /** The last day of the license. */
  expirationDate: BusinessDate;
};

export type LicenseStatus = "active" | "expired" | "suspended";

/** A line of business. */
export type LineOfBusiness = "GL" | "CA" | "MTC" | "CP" | "BOP" | "PL" | "CYBER" | "UMB" | "WC";

export type ListedSubmission = {
  id: SubmissionId;
  orgId: OrganizationId;
  status: SubmissionStatus;
  insuredName: string | null;
  naicsCode: string | null;
  annualRevenue: Dollars | null;
  requestedLimit: Dollars | null;
  effectiveDate: BusinessDate | null;
  state: string | null;
  lineOfBusiness: string | null;
  producerId: ProducerId | null;
  insuredEmail: string | null;
  insuredPhone: string | null;
  insuredAddress: Address | null;
  deductible: Dollars | null;
  lossesLast5Years: number | null;
  yearsInBusiness: number | null;
  usdotNumber: string | null;
  description: string | null;
  /** The required fields that are still missing. */
  missingFields: Array<string>;
  triage: Triage | null;
  clearance: Clearance | null;
  /** The id of the latest quote. */
  quoteId: QuoteId | null;
  policyId: PolicyId | null;
  declineReason: string | null;
  /** The business date on which the submission expires unless it moves on. */
  expiresOn: BusinessDate | null;
  createdBy: ActorId;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
  /** The latest quote; only with `expand=quote`. */
  quote?: Quote | null;
};

/** The policy on the day of the loss; null outside of its term. */
export type LossCoverage = {
  /** The status of the policy on that day. */
  status: PolicyStatus | null;
  limit: Dollars | null;
  aggregateLimit: Dollars | null;
  deductible: Dollars | null;
};

export type LossDevelopment = {
  /** Months from the start of the accident year to a year end. */
  months: number;
  /** True for the latest figure of each accident year: its calendar year has not ended, so it covers losses up to today. */
  isOpen: boolean;
  /** Incurred losses by then; while it is open, by today. */
  incurred: SignedDollars;
  /** Paid losses by then, less recoveries. */
  paid: SignedDollars;
};

export type LossFund = {
  carrier: string;
  /** The money in the fund, in dollars. */
  balance: TotalDollars;
  /** The amount requested from the carrier and not deposited yet, in dollars. */
  requested: TotalDollars;
};

export type LossFundDeposit = {
  id: LossFundDepositId;
  orgId: OrganizationId;
  carrier: string;
  amount: Dollars;
  reference: string;
  depositedOn: BusinessDate;
  /** The money in the fund after the deposit, in dollars. */
  balance: TotalDollars;
  createdAt: Instant;
};

export type LossFundDepositId = string;

export type LossFunds = {
  data: Array<LossFund>;
  nextCursor: null;
};

export type LossTriangle = {
  orgId: OrganizationId;
  asOf: BusinessDate;
  data: Array<AccidentYear>;
};

export type MessageId = string;

/** A calendar month. */
export type Month = string;

/** NAICS industry code, 2 to 6 digits. */
export type NaicsCode = string;

export type NextPayment = {
  invoiceId: InvoiceId;
  invoiceNumber: string;
  policyId: PolicyId;
  dueDate: BusinessDate;
  /** The balance still to be paid, in dollars. */
  amount: Dollars;
};

/** The notice must be given as many days before expiration as the state requires. */
export type NonRenew = {
  reason: string;
};

/** The notice that the policy will not be renewed. */
export type NonRenewal = {
  reason: string;
  noticeDate: BusinessDate;
};

export type NonRenewedPolicy = {
  id: PolicyId;
  orgId: OrganizationId;
  policyNumber: string;
  status: PolicyStatus;
  /** The status, plus `delinquent` when a balance is past due and `non_renewed` when notice of non-renewal has been given. */
  statuses: Array<PolicyStanding>;
  submissionId: SubmissionId | null;
  quoteId: QuoteId | null;
  producerId: ProducerId | null;
  insuredId: InsuredId;
  insuredName: string;
  insuredEmail: string | null;
  insuredPhone: string | null;
  contact: InsuredContact;
  insuredAddress: Address | null;
  /** The mailing address that the insured gave in the portal. It is not a term of the policy. */
  contactAddress: Address | null;
  naicsCode: string;
  state: string;
  lineOfBusiness: string;
  /** The limit for each occurrence, in dollars. */
  limit: Dollars;
  /** The limit for all occurrences of the term, in dollars. */
  aggregateLimit: Dollars;
  /** The deductible, in dollars. */
  deductible: Dollars;
  /** The annual revenue (gross receipts) used for rating, in dollars. */
  annualRevenue: Dollars;
  effectiveDate: BusinessDate;
  /** The day on which the term ends. Coverage ends at the start of this day. */
  expirationDate: BusinessDate;
  /** The written premium of the term, net of all transactions, in dollars. */
  grossPremium: TotalDollars;
  fees: Array<Fee>;
  taxes: Array<Tax>;
  /** Premium, fees and taxes of the term, in dollars. */
  totalDue: TotalDollars;
  /** The unbilled amount, in dollars: what the policy owes on void invoices that have not been reissued. */
  unbilledAmount: TotalDollars;
  /** Claims that are not closed; incurred by all of them, in dollars. */
  claims: {
    open: number;
    incurred: SignedDollars;
  };
  installmentPlan: InstallmentPlan;
  additionalInsureds: Array<AdditionalInsured>;
  /** The conditions of the approvals of the term. The binder, the declarations and endorsements show them. */
  conditions: Array<string>;
  usdotNumber: string | null;
  renewalOf: string | null;
  renewalPolicyId: PolicyId | null;
  cancellation: Cancellation | null;
  nonRenewal: NonRenewal | null;
  /** Endorsements that take effect on a later day, in date order. The terms above do not include them yet. */
  scheduledChanges: Array<ScheduledChange>;
  boundAt: Instant;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
  /** Only in a preview: nothing was written. */
  preview?: true;
};

export type OneTimeCode = {
  policyNumber: string;
  otp: string;
};

export type OneTimeCodeRequest = {
  policyNumber: string;
};

export type OneTimeCodeSent = {
  sent: true;
  expiresInSeconds: number;
};

export type Operator = {
  orgId: OrganizationId;
  userId: UserSubject;
};

export type Organization = {
  id: OrganizationId;
  /** The UUID form of the id; accepted wherever the id is. */
  uuid: string;
  name: string;
  tier: Tier;
  emailDomains: Array<string>;
  /** Where insureds pay, line by line. */
  paymentInstructions: Array<string>;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
};

export type OrganizationChanges = {
  name?: string;
  tier?: Tier;
  /** Anyone who verifies an e-mail address in one of these domains may join. */
  emailDomains?: Array<string>;
  /** Where insureds pay, line by line: payee, address or account. Printed on invoices, statements and notices for non-payment; an empty list prints nothing. */
  paymentInstructions?: Array<string>;
};

export type OrganizationCreate = {
  name: string;
  tier?: Tier;
};

export type OrganizationId = string;

export type OrganizationPage = {
  data: Array<Organization>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

/** The TypeID of the organization, or its UUID form. */
export type OrganizationReference = string;

export type Pay = {
  amount: PaymentDollars;
  method: "check" | "ach" | "wire" | "cash";
  /** The check number, or whatever identifies the payment. */
  reference: string;
  /** The day the money was received: no later than today and at most a year back. Default: today. */
  receivedDate?: BusinessDate;
  /** True allows an amount above the balance. The excess stays unapplied. Default: false. */
  unapplied?: boolean;
};

export type PayClaim = {
  /** Whether it pays for the loss or for handling the claim. */
  kind: ClaimPaymentKind;
  /** The amount to pay, in dollars. */
  amount: PaymentDollars;
  /** The name of the payee, which is screened for sanctions. */
  payee: string;
  reference?: string;
};

/** A payee whose name is on a sanctions list. Nothing is paid to them. */
export type PayeeHold = {
  id: PayeeHoldId;
  orgId: OrganizationId;
  claimId: ClaimId;
  status: "held" | "cleared";
  /** The step that was stopped: the offer, its approval, a payment, or the release of money from the fund. */
  step: PayeeHoldStep;
  /** The name of the payee. */
  payee: string;
  matches: Array<SanctionsMatch>;
  heldOn: BusinessDate;
  /** The roles that may clear the payee. */
  clearableBy: Array<Role>;
  clearedBy: ActorId | null;
  clearedOn: BusinessDate | null;
  createdAt: Instant;
  updatedAt: Instant;
};

export type PayeeHoldId = string;

export type PayeeHoldPage = {
  data: Array<PayeeHold>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type PayeeHoldStep = "offer" | "approval" | "payment" | "payout";

/** Temporal payloads, as its web interface and CLI send them to a codec server. */
export type Payloads = {
  payloads?: Array<{
    /** Describes the data, each value in base64. */
    metadata?: Record<string, string>;
    /** The data in base64. It is empty when there is none. */
    data?: string | null;
  }>;
};

export type Payment = {
  id: PaymentOrRefundId;
  orgId: OrganizationId;
  /** The invoice that it is for. It is null for money of a card that names no invoice of ours. */
  invoiceId: InvoiceId | null;
  kind: PaymentKind;
  /** Amount in dollars. It is negative when money went back to the payer. */
  amount: SignedDollars;
  /** The payment intent, the check number or transfer reference, or the refund at the card processor. */
  reference: string;
  method: PaymentMethod;
  /** A payment is `disputed` while the bank decides on a dispute, and `reversed` once all of it has been taken back. */
  status: PaymentStatus;
  /** The business date on which the money was received, as it was sent or else the day of recording. For money that went back, and for unapplied cash that was applied, the day on which it was. */
  receivedDate: BusinessDate;
  /** When the payment was recorded, or when the card processor took it. */
  receivedAt: Instant;
  createdAt: Instant;
  updatedAt: Instant;
  version: number;
  /** For money received: the part, in dollars, that the invoice could not take and that is still unapplied. */
  unappliedAmount?: TotalDollars;
  /** The id of the original payment. It is present when this payment applies unapplied cash. */
  appliedFrom?: PaymentId;
  /** For money that went back: true when the amount is above 1,000 dollars and needs a manual review. */
  requiresManualReview?: boolean;
  /** True when the cardholder's bank took the money back in a dispute. Otherwise absent. */
  chargeback?: boolean;
  /** True when this entry reverses a payment that was never good, such as a bounced check. Otherwise absent. */
  reversal?: boolean;
  /** For a chargeback or a reversal: the id of the payment that was charged back or reversed. */
  reverses?: PaymentId | null;
  /** The part, in dollars, that had already been refunded when the money was taken back. Operating funds owe it to the trust. */
  coveredAmount?: TotalDollars;
  dispute?: Dispute;
  /** The reason why the money went back. */
  reason?: string | null;
};

/** Dollars with at most two decimals. */
export type PaymentDollars = number;

export type PaymentError = {
  code: string | null;
  message: string;
  at: Instant;
};

export type PaymentId = string;

export type PaymentIntent = {
  paymentIntentId: ExternalId;
  /** The secret that the payer's browser needs to confirm the payment. */
  clientSecret?: string;
  amount: SignedDollars;
  currency: "usd";
  /** The card processor's own status. */
  status: string;
};

export type PaymentKind = "card" | "manual" | "refund";

export type PaymentMethod = "card" | "check" | "ach" | "wire" | "cash" | "kept_refund";

export type PaymentOrClaimPaymentId = string;

export type PaymentOrRefundId = string;

export type PaymentOrRefundOrClaimPaymentId = string;

export type PaymentPage = {
  data: Array<Payment>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type PaymentPlan = {
  installmentPlan: InstallmentPlan;
  reason?: string;
};

export type PaymentStatus = "pending_approval" | "pending" | "succeeded" | "failed" | "disputed" | "reversed";

export type PayoutId = string;

export type PayoutOrRemittanceOrTransferId = string;

export type PayoutWrite = {
  producerId: ProducerId;
  /** It covers amounts owed up to this day, today at the latest. */
  through: BusinessDate;
};

export type PermissionCheck = {
  action: "submission:create" | "submission:read" | "submission:update" | "submission:quote" | "submission:bind" | "submission:withdraw" | "submission:decline" | "policy:read" | "policy:update" | "policy:endorse" | "policy:cancel" | "policy:reinstate" | "policy:renew" | "policy:non_renew" | "policy:audit" | "policy:change_payment_plan" | "policy:issue_mcs90" | "renewal:run" | "renewal:read" | "billing_hold:manage" | "billing_hold:read" | "claim:create" | "claim:read" | "claim:read_phi" | "claim:investigate" | "claim:assign" | "claim:reserve" | "claim:settle" | "claim:approve" | "claim:pay" | "claim:deny" | "claim:close" | "claim:reopen" | "claim:attach" | "invoice:read" | "invoice:collect" | "invoice:print" | "invoice:record_payment" | "invoice:void" | "invoice:write_off" | "invoice:refund" | "refund:read" | "refund:approve" | "disbursement:read" | "disbursement:manage" | "loss_fund:read" | "loss_fund:deposit" | "ledger:read" | "journal:create" | "journal:decide" | "ledger:reconcile" | "ledger:close" | "ledger:reopen" | "commission:read" | "commission_statement:read" | "remittance:read" | "remittance:prepare" | "remittance:decide" | "document:read" | "unfiled_document:read" | "document_template:read" | "document_template:write" | "document:ingest" | "document:render" | "coi:generate" | "envelope:read" | "envelope:create" | "envelope:void" | "webhook:read" | "webhook:manage" | "event:read" | "producer:create" | "producer:read" | "producer:update" | "producer_member:read" | "producer_member:manage" | "appointment:create" | "appointment:read" | "appointment:update" | "filing:read" | "filing:update" | "sanctions:read" | "sanctions:clear" | "deal_room:create" | "deal_room:read" | "deal_room:post" | "deal_room:mark_read" | "deal_room:manage" | "deal_room:close" | "referral:create" | "referral:read" | "referral:decide" | "delegation:create" | "delegation:read" | "delegation:end" | "flag:read" | "flag:write" | "flag:control" | "analytics:read" | "receivables:read" | "bordereau:read" | "bordereau:create" | "audit:read" | "user:read" | "user:invite" | "user:update" | "authority:read" | "authority:write" | "api_key:read" | "api_key:manage" | "organization:create" | "organization:read" | "organization:update" | "organization:operate" | "da_contract:read" | "da_contract:create" | "da_contract:tighten" | "da_contract:update" | "rate_table:read" | "rate_table:write" | "commission_schedule:read" | "commission_schedule:write" | "commission_terms:read" | "commission_terms:write" | "permission:read" | "payload:decode" | "payload:encode" | "test_clock:read" | "test_clock:advance" | "portal:use";
  /** The id of one of these: submission, sanctions clearance, policy, renewal batch, claim, invoice, document, envelope, payment, refund, disbursement, billing hold, bank statement, bank line, card payout, journal, remittance, trust reconciliation, producer, referral, delegation, deal room, authority contract, bordereau, filing, webhook, API key, user. Left out: whether the action is allowed at all. */
  resource?: string | null;
};

export type PermissionDecision = {
  action: string;
  resource: string | null;
  allowed: boolean;
  /** Why it is not allowed: the details of the 403 that the action would return. */
  denial: {
    permission: string;
    limit?: SignedDollars;
    actual?: SignedDollars;
    reason?: "own_request";
  } | null;
};

/** A telephone number of 7 to 15 digits, with or without an extension. It is stored exactly as you send it. */
export type PhoneNumber = string;

export type Policy = {
  id: PolicyId;
  orgId: OrganizationId;
  policyNumber: string;
  status: PolicyStatus;
  /** The status, plus `delinquent` when a balance is past due and `non_renewed` when notice of non-renewal has been given. */
  statuses: Array<PolicyStanding>;
  submissionId: SubmissionId | null;
  quoteId: QuoteId | null;
  producerId: ProducerId | null;
  insuredId: InsuredId;
  insuredName: string;
  insuredEmail: string | null;
  insuredPhone: string | null;
  contact: InsuredContact;
  insuredAddress: Address | null;
  /** The mailing address that the insured gave in the portal. It is not a term of the policy. */
  contactAddress: Address | null;
  naicsCode: string;
  state: string;
  lineOfBusiness: string;
  /** The limit for each occurrence, in dollars. */
  limit: Dollars;
  /** The limit for all occurrences of the term, in dollars. */
  aggregateLimit: Dollars;
  /** The deductible, in dollars. */
  deductible: Dollars;
  /** The annual revenue (gross receipts) used for rating, in dollars. */
  annualRevenue: Dollars;
  effectiveDate: BusinessDate;
  /** The day on which the term ends. Coverage ends at the start of this day. */
  expirationDate: BusinessDate;
  /** The written premium of the term, net of all transactions, in dollars. */
  grossPremium: TotalDollars;
  fees: Array<Fee>;
  taxes: Array<Tax>;
  /** Premium, fees and taxes of the term, in dollars. */
  totalDue: TotalDollars;
  /** The unbilled amount, in dollars: what the policy owes on void invoices that have not been reissued. */
  unbilledAmount: TotalDollars;
  /** Claims that are not closed; incurred by all of them, in dollars. */
  claims: {
    open: number;
    incurred: SignedDollars;
  };
  installmentPlan: InstallmentPlan;
  additionalInsureds: Array<AdditionalInsured>;
  /** The conditions of the approvals of the term. The binder, the declarations and endorsements show them. */
  conditions: Array<string>;
  usdotNumber: string | null;
  renewalOf: string | null;
  renewalPolicyId: PolicyId | null;
  cancellation: Cancellation | null;
  nonRenewal: NonRenewal | null;
  /** Endorsements that take effect on a later day, in date order. The terms above do not include them yet. */
  scheduledChanges: Array<ScheduledChange>;
  boundAt: Instant;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
};

/** The contact on file. */
export type PolicyContact = {
  insuredEmail?: EmailAddress;
  insuredPhone?: ChangedPhoneNumber;
};

export type PolicyDetail = {
  id: PolicyId;
  orgId: OrganizationId;
  policyNumber: string;
  status: PolicyStatus;
  /** The status, plus `delinquent` when a balance is past due and `non_renewed` when notice of non-renewal has been given. */
  statuses: Array<PolicyStanding>;
  submissionId: SubmissionId | null;
  quoteId: QuoteId | null;
  producerId: ProducerId | null;
  insuredId: InsuredId;
  insuredName: string;
  insuredEmail: string | null;
  insuredPhone: string | null;
  contact: InsuredContact;
  insuredAddress: Address | null;
  /** The mailing address that the insured gave in the portal. It is not a term of the policy. */
  contactAddress: Address | null;
  naicsCode: string;
  state: string;
  lineOfBusiness: string;
  /** The limit for each occurrence, in dollars. */
  limit: Dollars;
  /** The limit for all occurrences of the term, in dollars. */
  aggregateLimit: Dollars;
  /** The deductible, in dollars. */
  deductible: Dollars;
  /** The annual revenue (gross receipts) used for rating, in dollars. */
  annualRevenue: Dollars;
  effectiveDate: BusinessDate;
  /** The day on which the term ends. Coverage ends at the start of this day. */
  expirationDate: BusinessDate;
  /** The written premium of the term, net of all transactions, in dollars. */
  grossPremium: TotalDollars;
  fees: Array<Fee>;
  taxes: Array<Tax>;
  /** Premium, fees and taxes of the term, in dollars. */
  totalDue: TotalDollars;
  /** The unbilled amount, in dollars: what the policy owes on void invoices that have not been reissued. */
  unbilledAmount: TotalDollars;
  /** Claims that are not closed; incurred by all of them, in dollars. */
  claims: {
    open: number;
    incurred: SignedDollars;
  };
  installmentPlan: InstallmentPlan;
  additionalInsureds: Array<AdditionalInsured>;
  /** The conditions of the approvals of the term. The binder, the declarations and endorsements show them. */
  conditions: Array<string>;
  usdotNumber: string | null;
  renewalOf: string | null;
  renewalPolicyId: PolicyId | null;
  cancellation: Cancellation | null;
  nonRenewal: NonRenewal | null;
  /** Endorsements that take effect on a later day, in date order. The terms above do not include them yet. */
  scheduledChanges: Array<ScheduledChange>;
  boundAt: Instant;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
  /** By due date; only with `expand=invoices`. It is null when you may not read them. */
  invoices?: Array<Invoice> | null;
};

export type PolicyId = string;

export type PolicyNotice = {
  id: SentMailId;
  policyId: PolicyId;
  /** The Message-ID of the e-mail, also of one that could not be sent. */
  messageId: ExternalId;
  kind: string;
  /** The business date of the notice. */
  on: BusinessDate;
  /** The outcome. `no_address`: no e-mail address was on file. `undeliverable`: earlier e-mail to the address bounced or drew a complaint. In both cases nothing was sent: mail a paper copy. */
  outcome: "sent" | "no_address" | "undeliverable";
  /** When its e-mail went out. Null if none did. */
  sentAt: Instant | null;
  /** When the email provider delivered it. Null until the provider reports it. */
  deliveredAt: Instant | null;
  /** When it was first opened. */
  openedAt: Instant | null;
  /** When it bounced permanently. */
  bouncedAt: Instant | null;
  /** When the email provider reported that it could not send it. */
  failedAt: Instant | null;
  /** When its recipient complained. */
  complainedAt: Instant | null;
};

export type PolicyNoticePage = {
  data: Array<PolicyNotice>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type PolicyOrPolicyTransactionOrSubmissionOrReferralOrInsuredOrClaimOrInvoiceOrPaymentOrRefundOrDisbursementOrJournalOrLedgerEntryOrDaContractOrFilingOrWebhookSubscriptionId = string;

export type PolicyPage = {
  data: Array<Policy>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

/** The order of the rows. A minus sign means descending order. Ties are in order of creation. */
export type PolicySort = "-createdAt" | "createdAt" | "-effectiveDate" | "effectiveDate" | "-expirationDate" | "expirationDate" | "-policyNumber" | "policyNumber";

export type PolicyStanding = "pending" | "active" | "pending_cancellation" | "cancelled" | "lapsed" | "expired" | "renewed" | "delinquent" | "non_renewed";

export type PolicyStatement = {
  policyId: PolicyId;
  policyNumber: string;
  insuredName: string;
  from: BusinessDate;
  to: BusinessDate;
  /** Before the first day, in dollars. */
  openingBalance: SignedDollars;
  /** By date, oldest first. */
  lines: Array<StatementLine>;
  due: StatementDue;
  /** Where to pay, line by line. It is missing until the organization has set `paymentInstructions`. */
  paymentInstructions?: Array<string>;
  /** At the end of the last day, in dollars: the balance of invoices that are neither void nor written off, due or not, less unapplied money, refunds that are owed by check and have not been issued, and return premium that waits. Negative if it is in favor of the insured. */
  closingBalance: SignedDollars;
};

export type PolicyStatus = "pending" | "active" | "pending_cancellation" | "cancelled" | "lapsed" | "expired" | "renewed";

export type PolicyTransaction = {
  id: PolicyTransactionId;
  orgId: OrganizationId;
  policyId: PolicyId;
  /** The id of the endorsement that this transaction voids. */
  reverses: PolicyTransactionId | null;
  /** The declarations, endorsement page or notice of this transaction. It is printed within seconds; until then `GET /documents/:id` returns 404. Null for a type without a document. */
  documentId: DocumentId | null;
  type: PolicyTransactionType;
  status: PolicyTransactionStatus;
  effectiveDate: BusinessDate;
  issuedAt: Instant;
  reason: string | null;
  changes: Record<string, unknown>;
  premiumChange: SignedDollars;
  feeChange: SignedDollars;
  taxChange: SignedDollars;
  totalChange: SignedDollars;
  grossPremiumAfter: TotalDollars;
  invoices: Array<ChangedInvoice>;
  credits: Array<TransactionCredit>;
  reapplied: Array<{
    transactionId: PolicyTransactionId;
    premiumChange: SignedDollars;
  }>;
  daFlags: Array<DaFlag>;
  /** Only for a renewal: the triage of the next term, with the losses known from claims. It is for information only. */
  triage?: Triage;
  actor: ActorReference;
  /** The changed fields before the transaction. */
  before: Record<string, unknown> | null;
  /** The changed fields after the transaction. */
  after: Record<string, unknown> | null;
  createdAt: Instant;
  updatedAt: Instant;
};

export type PolicyTransactionId = string;

export type PolicyTransactionPage = {
  data: Array<PolicyTransaction>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

/** The transaction as it would be issued now. Nothing is written. */
export type PolicyTransactionPreview = {
  id: null;
  documentId: null;
  orgId: OrganizationId;
  policyId: PolicyId;
  /** The id of the endorsement that this transaction voids. */
  reverses: PolicyTransactionId | null;
  type: PolicyTransactionType;
  status: PolicyTransactionStatus;
  effectiveDate: BusinessDate;
  reason: string | null;
  changes: Record<string, unknown>;
  premiumChange: SignedDollars;
  feeChange: SignedDollars;
  taxChange: SignedDollars;
  totalChange: SignedDollars;
  grossPremiumAfter: TotalDollars;
  invoices: Array<ChangedInvoice>;
  credits: Array<TransactionCredit>;
  reapplied: Array<{
    transactionId: PolicyTransactionId;
    premiumChange: SignedDollars;
  }>;
  daFlags: Array<DaFlag>;
  /** Only for a renewal: the triage of the next term, with the losses known from claims. It is for information only. */
  triage?: Triage;
  actor: ActorReference;
  /** The changed fields before the transaction. */
  before: Record<string, unknown> | null;
  /** The changed fields after the transaction. */
  after: Record<string, unknown> | null;
  issuedAt: null;
  preview: true;
};

export type PolicyTransactionStatus = "scheduled" | "issued" | "reversed";

export type PolicyTransactionType = "new_business" | "endorsement" | "cancellation" | "reinstatement" | "renewal" | "non_renewal" | "non_renewal_withdrawal" | "audit" | "payment_plan";

export type PolicyholderToken = {
  token: string;
  role: "policyholder";
  orgId: OrganizationId;
  /** The id of the policy. */
  sub: string;
  policyNumber: string;
  insuredName: string;
};

/** The status of a claim, without its texts, amounts and reserves. */
export type PortalClaim = {
  id: ClaimId;
  orgId: OrganizationId;
  claimNumber: string;
  status: ClaimStatus;
  /** The term that contains the loss date. */
  policyId: PolicyId;
  policyNumber: string;
  insuredName: string;
  state: string;
  lineOfBusiness: string;
  lossDate: BusinessDate;
  reportedDate: BusinessDate;
  acknowledgedOn: BusinessDate | null;
  decidedOn: BusinessDate | null;
  closedAt: Instant | null;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
  /** The deductible on the day of the loss, in dollars. */
  deductible: Dollars | null;
};

export type PortalClaimPage = {
  data: Array<PortalClaim>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type PortalDocument = {
  id: DocumentId;
  orgId: OrganizationId;
  /** The kind of document: `declarations`, `certificate`, `invoice`, … */
  kind: string;
  fileName: string;
  contentType: string;
  /** In bytes. */
  size: number;
  /** In hexadecimal. */
  sha256: string;
  /** The resource that it belongs to. Null if it belongs only to the organization. */
  entityType: DocumentEntityType | null;
  entityId: RecordId | null;
  /** Counts from 1; each document that supersedes another has the next number. */
  version: number;
  /** The document that this one replaces. */
  supersedes: DocumentId | null;
  /** The document that replaces this one, if the reader may read it. Null: nothing has replaced it. */
  supersededBy: DocumentId | null;
  /** It needs no credential. */
  downloadUrl: string;
  /** When `downloadUrl` expires. */
  expiresAt: Instant;
  createdAt: Instant;
  updatedAt: Instant;
};

export type PortalDocumentPage = {
  data: Array<PortalDocument>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type PortalDownload = {
  /** It needs no credential. */
  url: string;
  expiresAt: Instant;
};

export type PortalHome = {
  /** Every term of the insured, newest first. */
  policies: Array<PortalPolicy>;
  /** Invoices with a balance, by due date. */
  openInvoices: Array<PortalInvoice>;
  /** The next payment due; null when nothing is due, or a bank is still deciding on a dispute about it. */
  nextPayment: NextPayment | null;
  /** Claims that are not closed, newest first. */
  openClaims: Array<PortalClaim>;
  /** Newest first. */
  documents: Array<PortalDocument>;
};

/** An invoice as the insured sees it. */
export type PortalInvoice = {
  id: InvoiceId;
  orgId: OrganizationId;
  invoiceNumber: string;
  policyId: PolicyId;
  insuredName: string;
  status: InvoiceStatus;
  installmentNumber: number;
  installmentCount: number;
  /** The business date on which the invoice was issued. */
  issueDate: BusinessDate;
  /** The last day to pay. The invoice is past due from the day after. */
  dueDate: BusinessDate;
  lines: Array<InvoiceLine>;
  /** The sum of the lines, in dollars. If a payment is reversed after a part of it was refunded, what was refunded is not billed again: until the invoice is paid, it is deducted as a credit line with the code `RETURNED`. */
  total: TotalDollars;
  /** Everything paid, in dollars, before refunds. */
  paidAmount: TotalDollars;
  /** Everything refunded, charged back or reversed, in dollars. */
  refundedAmount: TotalDollars;
  /** The amount still owed, in dollars: 0 once the invoice has been fully paid or is void, otherwise `total` less `paidAmount` plus `refundedAmount`. If a payment is reversed, what the invoice still held of it is due again; earlier refunds are not billed again. */
  balance: TotalDollars;
  /** True while a bank decides on a dispute about a payment on this invoice. Meanwhile the invoice takes no card payments and does not make its policy past due. */
  disputed: boolean;
  /** Money received, and money that went back. */
  payments: Array<PortalPayment>;
  lastPaymentError: PaymentError | null;
  /** The void invoice that this invoice replaces. */
  reissueOf: string | null;
  /** The invoice that was paid in part and whose unpaid rest was written off as this one. */
  restOf: string | null;
  /** The invoice that replaces this void invoice. */
  reissuedAs: string | null;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
};

export type PortalInvoicePage = {
  data: Array<PortalInvoice>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

/** A first notice of loss by the insured. */
export type PortalNotice = {
  /** One of the insured's own terms. Default: that of the token. */
  policyId?: PolicyId;
  /** The day of the loss. It must not be after today. */
  lossDate: BusinessDate;
  /** What happened. */
  description: string;
  /** The cause of loss. */
  cause?: string;
  /** Where the loss happened. */
  lossLocation?: string;
  /** Who makes the claim. */
  claimant?: ClaimantInput;
  /** A first estimate of the loss, in dollars. */
  estimatedAmount?: Dollars;
  /** True when the texts hold health information: they are then hidden from most roles. */
  containsPhi?: boolean;
};

export type PortalPayment = {
  id: PaymentOrRefundId;
  kind: PaymentKind;
  /** Amount in dollars. It is negative when money went back to the payer. */
  amount: SignedDollars;
  /** The payment intent, the check number or transfer reference, or the refund at the card processor. */
  reference: string;
  method: PaymentMethod;
  /** A payment is `disputed` while the bank decides on a dispute, and `reversed` once all of it has been taken back. */
  status: PaymentStatus;
  /** The business date on which the money was received, as it was sent or else the day of recording. For money that went back, and for unapplied cash that was applied, the day on which it was. */
  receivedDate: BusinessDate;
  /** When the payment was recorded, or when the card processor took it. */
  receivedAt: Instant;
};

/** A policy as its insured sees it. */
export type PortalPolicy = {
  id: PolicyId;
  orgId: OrganizationId;
  policyNumber: string;
  status: PolicyStatus;
  /** The status, plus `delinquent` when a balance is past due and `non_renewed` when notice of non-renewal has been given. */
  statuses: Array<PolicyStanding>;
  insuredId: InsuredId;
  insuredName: string;
  insuredEmail: string | null;
  insuredPhone: string | null;
  contact: InsuredContact;
  insuredAddress: Address | null;
  /** The mailing address that the insured gave in the portal. It is not a term of the policy. */
  contactAddress: Address | null;
  naicsCode: string;
  state: string;
  lineOfBusiness: string;
  /** The limit for each occurrence, in dollars. */
  limit: Dollars;
  /** The limit for all occurrences of the term, in dollars. */
  aggregateLimit: Dollars;
  /** The deductible, in dollars. */
  deductible: Dollars;
  /** The annual revenue (gross receipts) used for rating, in dollars. */
  annualRevenue: Dollars;
  effectiveDate: BusinessDate;
  /** The day on which the term ends. Coverage ends at the start of this day. */
  expirationDate: BusinessDate;
  /** The written premium of the term, net of all transactions, in dollars. */
  grossPremium: TotalDollars;
  fees: Array<Fee>;
  taxes: Array<Tax>;
  /** Premium, fees and taxes of the term, in dollars. */
  totalDue: TotalDollars;
  /** The unbilled amount, in dollars: what the policy owes on void invoices that have not been reissued. */
  unbilledAmount: TotalDollars;
  installmentPlan: InstallmentPlan;
  additionalInsureds: Array<AdditionalInsured>;
  /** The conditions of the approvals of the term. The binder, the declarations and endorsements show them. */
  conditions: Array<string>;
  usdotNumber: string | null;
  renewalOf: string | null;
  renewalPolicyId: PolicyId | null;
  cancellation: Cancellation | null;
  nonRenewal: NonRenewal | null;
  /** Endorsements that take effect on a later day, in date order. The terms above do not include them yet. */
  scheduledChanges: Array<ScheduledChange>;
  boundAt: Instant;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
  /** How many claims on the policy are not closed. */
  openClaims: number;
};

export type PortalPolicyPage = {
  data: Array<PortalPolicy>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type PortalProfile = {
  insuredId: InsuredId;
  orgId: OrganizationId;
  /** The token's policy. */
  policyId: PolicyId;
  policyNumber: string;
  name: string;
  email: string | null;
  phone: string | null;
  /** The mailing address of the insured. Until they give one, the insured address of the policy. */
  address: Address | null;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
};

/** Fields that you leave out stay as they are. */
export type PortalProfileChange = {
  phone?: ChangedPhoneNumber;
  address?: AddressInput;
};

export type Portfolio = {
  orgId: OrganizationId;
  /** The first day of the period. */
  from: BusinessDate;
  /** The last day of the period. Nothing ahead of today is counted. */
  to: BusinessDate;
  /** Premium of the transactions booked in the period: new and renewal business, endorsements, audits, and returns of cancellations. Without fees and taxes. A transaction is booked on its issue date, a scheduled cancellation on the day it takes effect. */
  grossWrittenPremium: SignedDollars;
  /** Annualized premium of the policies in force on the last day. */
  inForcePremium: SignedDollars;
  /** Premium earned in the period: premium × elapsed days / days of coverage, by the beginning of the last day. A late booking is earned up to that day immediately. */
  earnedPremium: SignedDollars;
  /** Premium booked by the end of the period and not earned by then. */
  unearnedPremium: SignedDollars;
  /** Paid losses and expenses, plus the change in outstanding reserves, less recoveries, by booking date. */
  incurredLosses: SignedDollars;
  /** Losses and expenses paid in the period, less recoveries. */
  paidLosses: SignedDollars;
  /** Incurred losses / earned premium. It is null if nothing is earned. */
  lossRatio: number | null;
  /** Paid losses / earned premium. It is null if nothing is earned. */
  paidLossRatio: number | null;
  /** Terms bound in the period: new business and renewals. */
  bindingCount: number;
  /** Submissions quoted in the period. */
  quoteCount: number;
  /** The share of the quoted submissions that were bound by the end of the period. It is null if none was quoted. */
  hitRatio: number | null;
  /** Policies in force on the last day. */
  policyCount: number;
  groupBy?: AnalyticsGrouping;
  groups?: Array<PortfolioGroup>;
};

export type PortfolioGroup = {
  /** Null for amounts that belong to no group, such as policies without a producer. */
  key: string | null;
  /** Premium of the transactions booked in the period: new and renewal business, endorsements, audits, and returns of cancellations. Without fees and taxes. A transaction is booked on its issue date, a scheduled cancellation on the day it takes effect. */
  grossWrittenPremium: SignedDollars;
  /** Annualized premium of the policies in force on the last day. */
  inForcePremium: SignedDollars;
  /** Premium earned in the period: premium × elapsed days / days of coverage, by the beginning of the last day. A late booking is earned up to that day immediately. */
  earnedPremium: SignedDollars;
  /** Premium booked by the end of the period and not earned by then. */
  unearnedPremium: SignedDollars;
  /** Paid losses and expenses, plus the change in outstanding reserves, less recoveries, by booking date. */
  incurredLosses: SignedDollars;
  /** Losses and expenses paid in the period, less recoveries. */
  paidLosses: SignedDollars;
  /** Incurred losses / earned premium. It is null if nothing is earned. */
  lossRatio: number | null;
  /** Paid losses / earned premium. It is null if nothing is earned. */
  paidLossRatio: number | null;
  /** Terms bound in the period: new business and renewals. */
  bindingCount: number;
  /** Submissions quoted in the period. */
  quoteCount: number;
  /** The share of the quoted submissions that were bound by the end of the period. It is null if none was quoted. */
  hitRatio: number | null;
  /** Policies in force on the last day. */
  policyCount: number;
};

/** Dollars with at most two decimals. */
export type PositiveDollars = number;

export type PremiumAudit = {
  /** The insured's actual gross receipts during the term, in dollars. */
  actualRevenue: Dollars;
  reason?: string;
};

export type Producer = {
  id: ProducerId;
  orgId: OrganizationId;
  /** The agency that the producer belongs to. */
  parentId: ProducerId | null;
  name: string;
  email: string | null;
  phone: string | null;
  npn: string | null;
  status: ProducerStatus;
  licenses: Array<{
    state: string;
    number: string;
    lines: Array<string>;
    /** As of the business date. */
    status: LicenseStatus;
    expirationDate: BusinessDate;
  }>;
  address: Address | null;
  /** The identity check. Null: none has been started. */
  identity: {
    inquiryId: ExternalId;
    completedAt: Instant | null;
  } | null;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
};

export type ProducerChanges = {
  name?: string;
  email?: EmailAddress | null;
  phone?: ChangedPhoneNumber | null;
  address?: AddressInput | null;
  /** All licenses of the producer: they replace the earlier list. */
  licenses?: Array<LicenseInput>;
  parentId?: ProducerId | null;
  status?: ProducerStatus;
};

export type ProducerCommissionTerm = {
  id: ProducerTermId;
  orgId: OrganizationId;
  producerId: ProducerId;
  lineOfBusiness: string;
  effectiveFrom: BusinessDate;
  /** Share of gross premium. Null: the schedule of the line applies again. */
  agentRate: string | null;
  createdBy: ActorId;
  createdAt: Instant;
  updatedAt: Instant;
};

export type ProducerCommissionTermPage = {
  data: Array<ProducerCommissionTerm>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type ProducerCommissionTermWrite = {
  lineOfBusiness: LineOfBusiness;
  /** Share of gross premium. Null: the schedule of the line applies again. */
  agentRate: string | null;
  /** The first day: today or later. Default: today. */
  effectiveFrom?: BusinessDate;
};

/** A new producer is `pending` until their identity has been verified. */
export type ProducerCreate = {
  name: string;
  /** National Producer Number, unique in the organization. */
  npn?: string;
  licenses?: Array<LicenseInput>;
  /** The agency that the producer belongs to. */
  parentId?: ProducerId;
  email?: EmailAddress;
  phone?: PhoneNumber;
  address?: AddressInput;
};

export type ProducerId = string;

export type ProducerImport = {
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
  /** The errors, at most 100. The other rows have been imported. */
  errors: Array<{
    /** The row of the table; the header is row 1. */
    row: number;
    field: string;
    rule: string;
    message: string;
  }>;
};

export type ProducerLosses = {
  /** Null for policies without a producer. */
  producerId: ProducerId | null;
  claims: number;
  /** Claims that are not closed. */
  open: number;
  paid: Dollars;
  /** Reserves that are not paid yet, in dollars. */
  outstanding: Dollars;
  recovered: Dollars;
  /** Paid + outstanding − recoveries, in dollars. */
  incurred: SignedDollars;
};

export type ProducerLossesList = {
  data: Array<ProducerLosses>;
  nextCursor: null;
};

export type ProducerMember = {
  producerId: ProducerId;
  userId: UserSubject;
  /** Null for a user who is not stored here. */
  email: string | null;
  name: string | null;
  status: UserStatus | null;
};

export type ProducerMemberPage = {
  data: Array<ProducerMember>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type ProducerPage = {
  data: Array<Producer>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type ProducerStatement = {
  producerId: ProducerId;
  producerName: string;
  period: string;
  from: BusinessDate;
  to: BusinessDate;
  openingBalance: SignedDollars;
  earned: Dollars;
  /** Earlier commission charged back, as a positive amount. */
  reversed: Dollars;
  /** Payouts that were approved in the period. */
  paid: Dollars;
  /** `openingBalance` + `earned` - `reversed` - `paid`. Negative when the producer owes it. */
  balance: SignedDollars;
  /** The part of account 2020 that belongs to the producer, on `to`. */
  payable: SignedDollars;
  /** The part of account 1130 that the producer owes back, on `to`. */
  chargeback: Dollars;
  recordCount: number;
  /** The commission records of the period, oldest first, at most 1000. */
  records: Array<Commission>;
  /** Whether `records` has every record of the period. If not, read the statement as CSV: it has them all. */
  isComplete: boolean;
  payouts: Array<StatementPayout>;
};

export type ProducerStatus = "pending" | "active" | "suspended" | "terminated";

export type ProducerTermId = string;

export type PushPlatform = "ios" | "android" | "web";

export type PushPreferences = {
  /** A bill falls due within 3 days. */
  paymentDue: boolean;
  /** A payment failed or was returned. */
  paymentFailed: boolean;
  /** The status of a claim has changed. */
  claimMoved: boolean;
  /** A document was made for the insured. */
  documentReady: boolean;
};

/** Fields that you leave out stay as they are. */
export type PushPreferencesChange = {
  /** A bill falls due within 3 days. */
  paymentDue?: boolean;
  /** A payment failed or was returned. */
  paymentFailed?: boolean;
  /** The status of a claim has changed. */
  claimMoved?: boolean;
  /** A document was made for the insured. */
  documentReady?: boolean;
};

export type PushToken = {
  id: PushTokenId;
  orgId: OrganizationId;
  /** The token of the device at the push service. */
  token: string;
  platform: PushPlatform;
  createdAt: Instant;
  updatedAt: Instant;
};

export type PushTokenId = string;

export type PushTokenInput = {
  /** The token of the device at the push service. */
  token: string;
  platform: PushPlatform;
};

export type Quote = {
  id: QuoteId;
  orgId: OrganizationId;
  submissionId: SubmissionId;
  /** The number of the quote within the submission, starting at 1. */
  version: number;
  status: QuoteStatus;
  grossPremium: TotalDollars;
  fees: Array<Fee>;
  taxes: Array<Tax>;
  totalDue: TotalDollars;
  /** False while a block flag or refer flag has not been cleared. */
  bindable: boolean;
  daFlags: Array<DaFlag>;
  /** The conditions of the referral's approval. */
  conditions: Array<string>;
  ratingWorksheet: Array<RatingStep>;
  installmentOptions: Array<InstallmentOption>;
  issuedOn: BusinessDate;
  /** The last business date on which the quote can be bound. */
  expiresOn: BusinessDate;
  /** The end of the business date in `expiresOn`. */
  expiresAt: Instant;
  createdAt: Instant;
  updatedAt: Instant;
};

export type QuoteId = string;

/** The quote as it would be issued now. Nothing is written. */
export type QuotePreview = {
  id: null;
  orgId: OrganizationId;
  submissionId: SubmissionId;
  /** The number of the quote within the submission, starting at 1. */
  version: number;
  status: QuoteStatus;
  grossPremium: TotalDollars;
  fees: Array<Fee>;
  taxes: Array<Tax>;
  totalDue: TotalDollars;
  /** False while a block flag or refer flag has not been cleared. */
  bindable: boolean;
  daFlags: Array<DaFlag>;
  /** The conditions of the referral's approval. */
  conditions: Array<string>;
  ratingWorksheet: Array<RatingStep>;
  installmentOptions: Array<InstallmentOption>;
  issuedOn: BusinessDate;
  /** The last business date on which the quote can be bound. */
  expiresOn: BusinessDate;
  /** The end of the business date in `expiresOn`. */
  expiresAt: Instant;
  preview: true;
};

export type QuoteReadiness = {
  triageScore: number | null;
  band: string | null;
  factors: Array<{
    code: string;
    points: number;
    max: number;
    reason: string;
  }>;
  bindingReadiness: {
    ready: boolean;
    /** The required fields that are still missing. */
    missing: Array<string>;
    /** The codes of everything else that prevents a bind. */
    blockers: Array<string>;
  };
};

export type QuoteStatus = "quoted" | "referred" | "accepted" | "superseded" | "expired";

/** The rates of a line of business, starting on a date. */
export type RateTable = {
  id: RateTableId;
  orgId: OrganizationId;
  lineOfBusiness: string;
  effectiveFrom: BusinessDate;
  table: Rates;
  createdBy: ActorId;
  createdAt: Instant;
  updatedAt: Instant;
};

export type RateTableId = string;

export type RateTableWrite = {
  /** The first day on which the version applies. Default: today. */
  effectiveFrom?: BusinessDate;
  table: Rates;
};

/** The factors from which a premium is computed. */
export type Rates = {
  base: {
    unit: "per_thousand_revenue";
    classRates: Array<ClassRate>;
    defaultRate: DecimalText;
  };
  stateFactors: StateFactors;
  defaultStateFactor: DecimalText;
  limitFactors: Array<{
    limit: Dollars;
    factor: DecimalText;
  }>;
  deductibleFactors: Array<{
    deductible: Dollars;
    factor: DecimalText;
  }>;
  lossFactors: {
    "0": DecimalText;
    "1": DecimalText;
    "2": DecimalText;
    unknown: DecimalText;
    "3+": DecimalText;
  };
  minimumPremium: Dollars;
  policyFee: Dollars;
};

/** A step of the rating: its factor, and the premium after it. */
export type RatingStep = {
  step: string;
  factor: number;
  amount: TotalDollars;
};

export type Readiness = {
  database: boolean;
  temporal: boolean;
};

export type Receivables = {
  orgId: OrganizationId;
  asOf: BusinessDate;
  /** The total balance of all invoices that are not void, uncollectible or paid. */
  total: SignedDollars;
  data: Array<AgedBalance>;
};

/** The same payloads in the same order, decrypted or encrypted. */
export type RecodedPayloads = {
  payloads: Array<{
    /** Describes the data, each value in base64. */
    metadata?: Record<string, string>;
    /** The data in base64. It is empty when there is none. */
    data?: string | null;
  }>;
};

export type ReconciliationCheck = {
  name: string;
  /** `skipped`: a record needed for the comparison could not be read, so the check has no result. */
  status: "passed" | "failed" | "skipped";
  /** The number of disagreements. `findings` lists the first 20 of each check. */
  found: number;
  /** The reason why the check was skipped. */
  reason: string | null;
};

export type ReconciliationFinding = {
  check: string;
  entityType: string;
  entityId: RecordId;
  /** The part of the record that disagrees, such as `tax`, an account number or an event. */
  part: string;
  unit: "dollars" | "count";
  expected: number;
  actual: number;
  detail: string;
};

/** The id of a record. The field beside it names the kind of record. */
export type RecordId = string;

export type RecordStatusLetter = {
  /** From the notice to today. Default: today. */
  sentOn?: BusinessDate;
  notes?: string;
};

export type RecoverClaim = {
  kind: ClaimRecoveryKind;
  /** The amount received, in dollars. */
  amount: PaymentDollars;
  reference?: string;
};

/** A request for a decision by a person with more authority. */
export type Referral = {
  id: ReferralId;
  orgId: OrganizationId;
  submissionId: SubmissionId | null;
  policyId: PolicyId | null;
  quoteId: QuoteId | null;
  dealRoomId: DealRoomId | null;
  reason: string;
  status: ReferralStatus;
  /** The flags that need a decision. */
  daFlags: Array<DaFlag>;
  /** The amount that the decision commits the organization to, in dollars. */
  figures: {
    limit: Dollars | null;
    premium: SignedDollars | null;
    lineOfBusiness: string | null;
  };
  request: ReferredChange | null;
  requestedBy: ActorId;
  /** Everybody who requested it. None of them may decide. */
  requesters: Array<string>;
  /** The day on which it ends without a decision, by the business clock. */
  expiresOn: BusinessDate;
  decidedBy: ActorId | null;
  /** The person whose delegated authority the decision used. */
  decidedFor: string | null;
  decidedAt: Instant | null;
  notes: string | null;
  conditions: Array<string>;
  /** Questions and answers, oldest first. */
  remarks: Array<ReferralRemark>;
  /** The transaction by which the approval was carried out. */
  transactionId: PolicyTransactionId | null;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
};

export type ReferralAnswer = {
  answer: string;
};

export type ReferralCreate = {
  submissionId?: SubmissionId;
  policyId?: PolicyId;
  dealRoomId?: DealRoomId;
  reason: string;
};

export type ReferralDecision = {
  decision: "approve" | "reject" | "request_info";
  /** The reason for the decision, or with `request_info` the question. */
  notes?: string;
  /** The conditions of an approval; only with `approve`. The quote shows them. */
  conditions?: string | Array<string>;
};

export type ReferralDetail = {
  id: ReferralId;
  orgId: OrganizationId;
  submissionId: SubmissionId | null;
  policyId: PolicyId | null;
  quoteId: QuoteId | null;
  dealRoomId: DealRoomId | null;
  reason: string;
  status: ReferralStatus;
  /** The flags that need a decision. */
  daFlags: Array<DaFlag>;
  /** The amount that the decision commits the organization to, in dollars. */
  figures: {
    limit: Dollars | null;
    premium: SignedDollars | null;
    lineOfBusiness: string | null;
  };
  request: ReferredChange | null;
  requestedBy: ActorId;
  /** Everybody who requested it. None of them may decide. */
  requesters: Array<string>;
  /** The day on which it ends without a decision, by the business clock. */
  expiresOn: BusinessDate;
  decidedBy: ActorId | null;
  /** The person whose delegated authority the decision used. */
  decidedFor: string | null;
  decidedAt: Instant | null;
  notes: string | null;
  conditions: Array<string>;
  /** Questions and answers, oldest first. */
  remarks: Array<ReferralRemark>;
  /** The transaction by which the approval was carried out. */
  transactionId: PolicyTransactionId | null;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
  /** Whether the caller may decide on it now. */
  mayDecide: boolean;
  /** The users who may decide on it, and for a deputy the person whose authority it would use. Empty once it is decided. */
  deciders: Array<{
    userId: UserSubject;
    role: string;
    decidesFor: string | null;
  }>;
};

export type ReferralId = string;

export type ReferralPage = {
  data: Array<Referral>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type ReferralRemark = {
  kind: "question" | "answer";
  by: string;
  at: Instant;
  text: string;
};

export type ReferralStatus = "pending" | "info_requested" | "approved" | "rejected" | "withdrawn" | "expired";

/** The change of the policy that an approval carries out, with the figures when it was refused. */
export type ReferredChange = {
  kind: "endorse" | "renew";
  effectiveDate: BusinessDate | null;
  changes: Record<string, unknown>;
  limit: Dollars;
  /** The premium of the whole term after the change. */
  premium: SignedDollars;
  premiumChange: SignedDollars;
};

export type Refund = {
  id: PaymentOrRefundId;
  orgId: OrganizationId;
  /** The invoice that it is for. It is null for money of a card that names no invoice of ours. */
  invoiceId: InvoiceId | null;
  kind: PaymentKind;
  /** Amount in dollars. It is negative when money went back to the payer. */
  amount: SignedDollars;
  /** The payment intent, the check number or transfer reference, or the refund at the card processor. */
  reference: string;
  method: PaymentMethod;
  /** A payment is `disputed` while the bank decides on a dispute, and `reversed` once all of it has been taken back. */
  status: PaymentStatus;
  /** The business date on which the money was received, as it was sent or else the day of recording. For money that went back, and for unapplied cash that was applied, the day on which it was. */
  receivedDate: BusinessDate;
  /** When the payment was recorded, or when the card processor took it. */
  receivedAt: Instant;
  createdAt: Instant;
  updatedAt: Instant;
  version: number;
  /** For money received: the part, in dollars, that the invoice could not take and that is still unapplied. */
  unappliedAmount?: TotalDollars;
  /** The id of the original payment. It is present when this payment applies unapplied cash. */
  appliedFrom?: PaymentId;
  requiresManualReview: boolean;
  /** True when the cardholder's bank took the money back in a dispute. Otherwise absent. */
  chargeback?: boolean;
  /** True when this entry reverses a payment that was never good, such as a bounced check. Otherwise absent. */
  reversal?: boolean;
  /** For a chargeback or a reversal: the id of the payment that was charged back or reversed. */
  reverses?: PaymentId | null;
  /** The part, in dollars, that had already been refunded when the money was taken back. Operating funds owe it to the trust. */
  coveredAmount?: TotalDollars;
  dispute?: Dispute;
  /** The reason why the money went back. */
  reason?: string | null;
  policyId: PolicyId | null;
  parts: Array<RefundPart>;
  approval: RefundApproval | null;
};

/** The decision on a refund that needs approval: one above 1,000 dollars when the flag `refund_approval` is on; a smaller one that exceeds this amount together with the refunds on the same policy in the last 30 days that nobody approved; and any to an insured whose name resembles an entry of the sanctions list and is not cleared. */
export type RefundApproval = {
  status: "pending" | "approved" | "rejected";
  requestedBy: ActorId;
  decidedBy: ActorId | null;
  decidedAt: Instant | null;
  reason: string | null;
};

export type RefundId = string;

export type RefundInvoice = {
  /** Amount in dollars. Default: the unapplied part of the payments on this invoice; if there is none, everything that was paid and not yet refunded. */
  amount?: PaymentDollars;
  reason: string;
};

export type RefundPage = {
  data: Array<Refund>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

/** One part of a refund. A card part that failed stays in the list, followed by the check that replaces it. All parts that did not fail sum to the refund. */
export type RefundPart = {
  /** How the money was originally paid. */
  method: PaymentMethod;
  /** Amount in dollars. It is negative, like the amount of the refund. */
  amount: SignedDollars;
  /** For a card: the processor's refund. Otherwise: the check number or transfer reference, or the id of the disbursement while it is not issued. Before either exists: the id of this refund. */
  reference: string;
  status: "pending_approval" | "pending" | "succeeded" | "failed" | "issued" | "cleared" | "stopped" | "cancelled";
  /** The disbursement that pays this part. It is null when the part goes back to a card. */
  disbursementId: DisbursementId | null;
};

export type Reinstate = {
  /** The day coverage resumes. Default: the day of the cancellation, without a gap. Leave it out for a pending cancellation. */
  effectiveDate?: BusinessDate;
  reason?: string;
};

export type RejectRefund = {
  reason: string;
};

export type RejectSettlement = {
  reason?: string;
};

/** Money that leaves the trust for its owner. */
export type Remittance = {
  id: PayoutOrRemittanceOrTransferId;
  orgId: OrganizationId;
  /** commission: to a producer. carrier: premium to a carrier. tax, stamping: to a state. transfer: our own commission and fees, to operating cash. */
  kind: RemittanceKind;
  producerId: ProducerId | null;
  carrier: string | null;
  state: string | null;
  /** The filing that it pays. */
  filingId: FilingId | null;
  /** It covers amounts owed up to this day, today at the latest. */
  through: BusinessDate;
  /** The amount that the payee gets, in dollars: the invoices that it covers, and in a transfer the money that operating cash has put back for returns. */
  amount: Dollars;
  /** The amount that the payee owed back from earlier payments, in dollars. `amount` is already net of it. Nothing is netted in a transfer. */
  netted: Dollars;
  status: RemittanceStatus;
  preparedBy: ActorId;
  decidedBy: ActorId | null;
  decidedAt: Instant | null;
  /** The reason for the rejection. */
  reason: string | null;
  paidOn: BusinessDate | null;
  /** The check number or transfer reference under which it was paid, as the approver gave it. */
  reference: string | null;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
};

export type RemittanceApproval = {
  /** The check number or transfer reference. Bookings of the bank that name it are matched with the payment. */
  reference?: string;
};

/** A remittance with the invoices that it covers. */
export type RemittanceDetail = {
  id: PayoutOrRemittanceOrTransferId;
  orgId: OrganizationId;
  /** commission: to a producer. carrier: premium to a carrier. tax, stamping: to a state. transfer: our own commission and fees, to operating cash. */
  kind: RemittanceKind;
  producerId: ProducerId | null;
  carrier: string | null;
  state: string | null;
  /** The filing that it pays. */
  filingId: FilingId | null;
  /** It covers amounts owed up to this day, today at the latest. */
  through: BusinessDate;
  /** The amount that the payee gets, in dollars: the invoices that it covers, and in a transfer the money that operating cash has put back for returns. */
  amount: Dollars;
  /** The amount that the payee owed back from earlier payments, in dollars. `amount` is already net of it. Nothing is netted in a transfer. */
  netted: Dollars;
  status: RemittanceStatus;
  preparedBy: ActorId;
  decidedBy: ActorId | null;
  decidedAt: Instant | null;
  /** The reason for the rejection. */
  reason: string | null;
  paidOn: BusinessDate | null;
  /** The check number or transfer reference under which it was paid, as the approver gave it. */
  reference: string | null;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
  /** The cash of the trust account (1010) now, which must cover the payment for it to be approved. It is null once decided. */
  trustCash: SignedDollars | null;
  invoices: Array<RemittedInvoice>;
};

export type RemittanceId = string;

export type RemittanceKind = "commission" | "carrier" | "tax" | "stamping" | "transfer";

export type RemittanceOrPayoutOrTransferId = string;

export type RemittancePage = {
  data: Array<Remittance>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type RemittanceRejection = {
  reason: string;
};

export type RemittanceStatus = "pending_approval" | "paid" | "rejected";

export type RemittanceWrite = {
  /** Default: `carrier` where a carrier is named, else `tax`. */
  kind?: "carrier" | "tax" | "stamping";
  carrier?: string;
  /** The state of a tax or stamping fee. Default: the state of the filing. */
  state?: State;
  /** It covers amounts owed up to this day, today at the latest. */
  through: BusinessDate;
  /** The filing that a tax or stamping fee pays. Only what belongs to the filing's policy is covered. */
  filingId?: FilingId;
};

/** The amount that it covers on one invoice; negative for a return. */
export type RemittedInvoice = {
  invoiceId: InvoiceId;
  invoiceNumber: string;
  policyId: PolicyId;
  account: number;
  amount: SignedDollars;
};

export type RenderPdf = {
  /** A Liquid template in HTML. */
  html?: string;
  /** A kind of document, whose template is used. */
  templateId?: string;
  /** The values for the template. */
  data?: Record<string, unknown>;
  fileName?: string;
};

export type Renew = {
  /** The first day of the next term. Default: the expiration date. */
  effectiveDate?: BusinessDate;
  changes?: TermChanges;
};

export type Renewal = {
  id: PolicyTransactionId;
  orgId: OrganizationId;
  policyId: PolicyId;
  /** The id of the endorsement that this transaction voids. */
  reverses: PolicyTransactionId | null;
  /** The declarations, endorsement page or notice of this transaction. It is printed within seconds; until then `GET /documents/:id` returns 404. Null for a type without a document. */
  documentId: DocumentId | null;
  type: PolicyTransactionType;
  status: PolicyTransactionStatus;
  effectiveDate: BusinessDate;
  issuedAt: Instant;
  reason: string | null;
  changes: Record<string, unknown>;
  premiumChange: SignedDollars;
  feeChange: SignedDollars;
  taxChange: SignedDollars;
  totalChange: SignedDollars;
  grossPremiumAfter: TotalDollars;
  invoices: Array<ChangedInvoice>;
  credits: Array<TransactionCredit>;
  reapplied: Array<{
    transactionId: PolicyTransactionId;
    premiumChange: SignedDollars;
  }>;
  daFlags: Array<DaFlag>;
  /** Only for a renewal: the triage of the next term, with the losses known from claims. It is for information only. */
  triage?: Triage;
  actor: ActorReference;
  /** The changed fields before the transaction. */
  before: Record<string, unknown> | null;
  /** The changed fields after the transaction. */
  after: Record<string, unknown> | null;
  createdAt: Instant;
  updatedAt: Instant;
  /** The id of the next term. The transaction belongs to it. */
  renewalPolicyId: PolicyId;
  /** The policy number of the next term. */
  policyNumber: string;
};

export type RenewalBatch = {
  /** The id of the batch. It is null in a dry run, which stores nothing. */
  batchId: BatchId | null;
  workflowId: string | null;
  /** `failed` means that the batch ended before every policy had been processed. A single policy that fails does not fail the batch. */
  status: JobStatus;
  dryRun: boolean;
  /** The number of policies in the batch. */
  matched: number;
  /** The number of policies renewed so far. In a dry run: the number that would be renewed. */
  renewed: number;
  /** The number of policies referred so far because they exceed the authority; each has an open referral. In a dry run: the number that would be referred. */
  referred: number;
  /** The number of policies that failed so far. In a dry run: the number that would fail. */
  failed: number;
  /** One page of the policies whose outcome is known, in order of expiration date. */
  items: Array<RenewalBatchItem>;
  /** Pass it as `cursor` to get the next page of items. It is null on the last page. */
  nextCursor: string | null;
};

export type RenewalBatchItem = {
  policyId: PolicyId;
  outcome: "renewed" | "referred" | "failed";
  /** The id of the next term, if the policy was renewed. */
  renewalPolicyId?: PolicyId;
  /** Why the renewal failed. The code comes from the error catalogue. */
  error?: {
    code: string;
    message: string;
  };
};

export type RenewalBatchRun = {
  /** The batch takes policies that expire today or within this many days. Anything above 90 counts as 90, because a policy cannot be renewed earlier. */
  expiringWithinDays: number;
  /** True shows what would happen and writes nothing. Default: false. */
  dryRun?: boolean;
};

/** The next term as it would be bound now. Nothing is written. */
export type RenewalPreview = {
  id: null;
  documentId: null;
  orgId: OrganizationId;
  policyId: null;
  /** The id of the endorsement that this transaction voids. */
  reverses: PolicyTransactionId | null;
  type: PolicyTransactionType;
  status: PolicyTransactionStatus;
  effectiveDate: BusinessDate;
  reason: string | null;
  changes: Record<string, unknown>;
  premiumChange: SignedDollars;
  feeChange: SignedDollars;
  taxChange: SignedDollars;
  totalChange: SignedDollars;
  grossPremiumAfter: TotalDollars;
  invoices: Array<ChangedInvoice>;
  credits: Array<TransactionCredit>;
  reapplied: Array<{
    transactionId: PolicyTransactionId;
    premiumChange: SignedDollars;
  }>;
  daFlags: Array<DaFlag>;
  /** Only for a renewal: the triage of the next term, with the losses known from claims. It is for information only. */
  triage?: Triage;
  actor: ActorReference;
  /** The changed fields before the transaction. */
  before: Record<string, unknown> | null;
  /** The changed fields after the transaction. */
  after: Record<string, unknown> | null;
  issuedAt: null;
  preview: true;
  renewalPolicyId: null;
  policyNumber: null;
};

export type ReopenClaim = {
  reason: string;
};

export type ReopenLedgerPeriod = {
  reason: string;
};

export type Request = {
  /** When the response was ready, in UTC. */
  at: Instant;
  method: string;
  /** The operation, without ids. */
  route: string;
  status: number;
  /** The code of the error, if it was one. */
  error: string | null;
  /** How long the response took, in milliseconds. */
  durationMs: number;
  caller: {
    /** `user`, `api_key` or `machine`. */
    kind: string;
    id: ActorId;
  };
  requestId: RequestId;
  orgId: OrganizationId;
  /** Earlier calls with the same id, the last one first, up to 20 and those of the same millisecond. */
  earlier: Array<AnsweredCall>;
};

/** The id of a request, as in `X-Request-Id`. */
export type RequestId = string;

export type Retention = {
  orgId: OrganizationId;
  /** The first day of the period. */
  from: BusinessDate;
  /** The last day of the period. Nothing ahead of today is counted. */
  to: BusinessDate;
  /** Terms that ran to their end in the period. */
  expiringCount: number;
  /** Of these, the terms that were renewed. */
  renewedCount: number;
  /** Renewed / expiring terms. It is null if none expired. */
  retention: number | null;
  expiringPremium: SignedDollars;
  /** Premium of the expiring terms that were renewed. */
  retainedPremium: SignedDollars;
  /** Retained / expiring premium. It is null if none expired. */
  premiumRetention: number | null;
  /** The initial premium of the renewal terms. */
  renewalPremium: SignedDollars;
};

export type ReturnUnappliedCash = {
  /** Amount in dollars. Default: everything that is still unapplied. */
  amount?: PaymentDollars;
  reason: string;
};

/** Dollars with at most two decimals. */
export type ReturnedPaymentFee = number;

export type ReversePayment = {
  /** `nsf`: insufficient funds. `stopped`: the payer stopped the payment. `error`: the payment was recorded by mistake. */
  reason: "nsf" | "stopped" | "error";
  /** A fee in dollars, such as a returned-check fee, at most 1,000. It is billed to the insured on a separate invoice. Not with reason `error`. */
  fee?: ReturnedPaymentFee;
};

export type Role = "superadmin" | "org_admin" | "platform_operator" | "finance_analyst" | "compliance_officer" | "underwriter" | "producer" | "claims_adjuster" | "claims_supervisor" | "billing_admin" | "auditor" | "policyholder";

/** A name that resembles parties of the sanctions list and was found to be somebody else. */
export type SanctionsClearance = {
  id: SanctionsClearanceId;
  orgId: OrganizationId;
  name: string;
  /** The entries as they were when the name was cleared. */
  matches: Array<SanctionsMatch>;
  reason: string;
  clearedBy: ActorId;
  withdrawnAt: Instant | null;
  withdrawnBy: ActorId | null;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
};

export type SanctionsClearanceCreate = {
  /** The name of the insured. */
  name: string;
  /** The entries of the list that are somebody else. */
  entryIds: Array<ExternalId>;
  /** Why the insured is not the listed party. */
  reason: string;
};

export type SanctionsClearanceId = string;

export type SanctionsClearancePage = {
  data: Array<SanctionsClearance>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type SanctionsMatch = {
  /** The entry of the sanctions list. */
  entryId: ExternalId;
  name: string;
  program: string;
  /** How similar the names are, in percent. */
  score: number;
};

export type ScheduledChange = {
  transactionId: PolicyTransactionId;
  effectiveDate: BusinessDate;
  changes: Record<string, unknown>;
};

export type Scope = "submissions:read" | "submissions:write" | "policies:read" | "policies:write" | "claims:read" | "claims:write" | "invoices:read" | "invoices:write" | "documents:read" | "documents:write" | "webhooks:read" | "webhooks:write" | "producers:read" | "producers:write" | "deal-rooms:read" | "deal-rooms:write" | "referrals:read" | "referrals:write" | "flags:read" | "flags:write" | "analytics:read" | "analytics:write" | "events:read" | "events:write" | "renewals:read" | "renewals:write" | "coi:generate" | "documents:ingest" | "*";

export type ScreenedMatch = {
  /** The entry of the sanctions list. */
  entryId: ExternalId;
  name: string;
  program: string;
  /** How similar the names are, in percent. */
  score: number;
  /** Whether somebody has cleared the name of this entry. */
  isCleared: boolean;
};

export type ScreenedMatches = {
  data: Array<ScreenedMatch>;
};

export type Screening = {
  /** The name of a person or a business. */
  name: string;
};

/** An instant in UTC or with an offset. */
export type SentInstant = string;

export type SentMailId = string;

export type SessionToken = {
  token: string;
  expiresAt: Instant;
};

export type SettleClaim = {
  /** The settlement in dollars, before the deductible. */
  amount: PositiveDollars;
  /** The name of the payee, which is screened for sanctions. */
  payee: string;
  notes?: string;
  /** False leaves the approval to someone else. By default, a caller who may approve does so immediately. */
  approve?: boolean;
};

export type SettlementId = string;

/** Dollars of either sign, with at most two decimals. */
export type SignedDollars = number;

export type StartedRenewalBatch = {
  batchId: BatchId;
  workflowId: string;
  /** The number of policies in the batch. */
  matched: number;
};

/** One of the 50 states, or DC. */
export type State = "AL" | "AK" | "AZ" | "AR" | "CA" | "CO" | "CT" | "DE" | "DC" | "FL" | "GA" | "HI" | "ID" | "IL" | "IN" | "IA" | "KS" | "KY" | "LA" | "ME" | "MD" | "MA" | "MI" | "MN" | "MS" | "MO" | "MT" | "NE" | "NV" | "NH" | "NJ" | "NM" | "NY" | "NC" | "ND" | "OH" | "OK" | "OR" | "PA" | "RI" | "SC" | "SD" | "TN" | "TX" | "UT" | "VT" | "VA" | "WA" | "WV" | "WI" | "WY";

/** The factor by state. States that are not listed have the default. */
export type StateFactors = Record<string, DecimalText>;

/** The amount due today, whatever period the statement covers, before unapplied cash. */
export type StatementDue = {
  asOf: BusinessDate;
  pastDue: AmountDue | null;
  /** What falls due on the next due date, today included. */
  dueNext: AmountDue | null;
  /** Refunds that are owed to the insured by check or transfer and have not been issued, in dollars. */
  refundDue: Dollars;
  /** Return premium, in dollars, that awaits approval or the card processor's response. It leaves out any part of the payment that a bank has taken back. */
  refundPending: Dollars;
};

export type StatementLine = {
  date: BusinessDate;
  /** `invoice`: a bill. `additional_premium`, `return_premium`: a change of the policy charges more, or less, from the day on which it is made, also while the refund waits for approval. `void`, `restored`: a bill is withdrawn, or owed again. `write_off`, `recovery`: an amount is written off, or paid after all. `credit`: refunded money that need not be paid again. `payment`. `refund`: money that was paid back, by check on the day on which the check was issued. `refund_returned`: a refund that did not arrive, since its check was stopped or the card could not take it; it is owed to the insured again. `chargeback`, `reversal`: a payment that was taken back. `refund_withdrawn`: a refund that had not been paid, or was kept as unapplied money, and is not owed because the payment behind it was reversed. `transfer`: money that paid an invoice of another policy, or came from one. */
  kind: "invoice" | "additional_premium" | "return_premium" | "void" | "restored" | "write_off" | "recovery" | "credit" | "payment" | "refund" | "refund_returned" | "refund_withdrawn" | "chargeback" | "reversal" | "transfer";
  /** The number of the invoice, or the reference of the payment. */
  reference: string;
  invoiceId: InvoiceId | null;
  paymentId: PaymentOrRefundId | null;
  /** The policy transaction that it follows from. */
  transactionId: PolicyTransactionId | null;
  /** The current due date of an invoice. */
  dueDate: BusinessDate | null;
  /** The change in the amount owed, in dollars; negative when less is owed. */
  amount: SignedDollars;
  /** The balance after this line, in dollars. */
  balance: SignedDollars;
  /** For an invoice, the balance owed today, in dollars; 0 while the invoice is disputed. */
  owed: Dollars | null;
  /** For an unpaid invoice, the days since its current due date; negative before that date. */
  daysPastDue: number | null;
  /** A description of the line, written for the insured. */
  description: string;
};

export type StatementPayout = {
  id: PayoutId;
  paidOn: BusinessDate;
  amount: Dollars;
};

export type StopDisbursement = {
  reason: string;
};

/** The facts to complete or correct. */
export type SubmissionChanges = {
  insuredName?: string;
  naicsCode?: NaicsCode;
  annualRevenue?: PositiveDollars;
  /** The limit for each occurrence, in dollars. */
  requestedLimit?: PositiveDollars;
  /** The first day of coverage. */
  effectiveDate?: BusinessDate;
  state?: State;
  lineOfBusiness?: LineOfBusiness;
  producerId?: ProducerId;
  insuredEmail?: EmailAddress;
  insuredPhone?: ChangedPhoneNumber;
  insuredAddress?: AddressInput;
  deductible?: Dollars;
  /** The number of losses in the last five years. Left out: unknown. */
  lossesLast5Years?: number;
  yearsInBusiness?: number;
  usdotNumber?: string;
  description?: string;
};

/** A risk that seeks coverage. */
export type SubmissionCreate = {
  insuredName: string;
  naicsCode: NaicsCode;
  annualRevenue: PositiveDollars;
  /** The limit for each occurrence, in dollars. */
  requestedLimit: PositiveDollars;
  /** The first day of coverage. */
  effectiveDate: BusinessDate;
  state: State;
  lineOfBusiness: LineOfBusiness;
  producerId?: ProducerId;
  insuredEmail?: EmailAddress;
  insuredPhone?: PhoneNumber;
  insuredAddress?: AddressInput;
  deductible?: Dollars;
  /** The number of losses in the last five years. Left out: unknown. */
  lossesLast5Years?: number;
  yearsInBusiness?: number;
  usdotNumber?: string;
  description?: string;
};

export type SubmissionDetail = {
  id: SubmissionId;
  orgId: OrganizationId;
  status: SubmissionStatus;
  insuredName: string | null;
  naicsCode: string | null;
  annualRevenue: Dollars | null;
  requestedLimit: Dollars | null;
  effectiveDate: BusinessDate | null;
  state: string | null;
  lineOfBusiness: string | null;
  producerId: ProducerId | null;
  insuredEmail: string | null;
  insuredPhone: string | null;
  insuredAddress: Address | null;
  deductible: Dollars | null;
  lossesLast5Years: number | null;
  yearsInBusiness: number | null;
  usdotNumber: string | null;
  description: string | null;
  /** The required fields that are still missing. */
  missingFields: Array<string>;
  triage: Triage | null;
  clearance: Clearance | null;
  /** The id of the latest quote. */
  quoteId: QuoteId | null;
  policyId: PolicyId | null;
  declineReason: string | null;
  /** The business date on which the submission expires unless it moves on. */
  expiresOn: BusinessDate | null;
  createdBy: ActorId;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
  intake: SubmissionIntake | null;
  /** The latest quote. */
  quote: Quote | null;
  /** The referrals of this submission, newest first. */
  referralIds: Array<ReferralId>;
};

export type SubmissionId = string;

/** The values read from the form that was submitted. */
export type SubmissionIntake = {
  /** The document that holds the form itself. */
  documentId: DocumentId;
  /** Whether form fields or printed text were read. */
  source: "form" | "text";
  /** Where each value was found. */
  values: Array<{
    /** A field of the submission, or another value on the form: for example `fein`, `legalEntity`, `questions.bankruptcy` (Y or N), `priorCoverage.GeneralLiability.A.totalPremium` (A is the latest year) or `totalLosses`. */
    name: string;
    /** The value as read. Amounts are in dollars. */
    value: string | number;
    page: number;
    /** The field of the form, or the label beside a printed value. */
    field: string;
    confidence: number;
  }>;
  /** Other lines of business that are ticked, in order of rank. */
  additionalLines: Array<string>;
  /** Fields with a value that does not belong there. */
  unread: Array<{
    name: string;
    page: number;
    field: string;
  }>;
  /** Required values that the form does not have. They are missing until they are sent. */
  assumed: Array<string>;
};

export type SubmissionPage = {
  data: Array<ListedSubmission>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

/** The order of the rows. A minus sign means descending order. Ties are in order of creation. */
export type SubmissionSort = "-createdAt" | "createdAt" | "-effectiveDate" | "effectiveDate";

export type SubmissionStatus = "received" | "incomplete" | "triaged" | "quoted" | "referred" | "bound" | "declined" | "withdrawn" | "expired" | "not_taken";

export type SubscribableEvent = "policy.bound" | "policy.endorsed" | "policy.cancelled" | "policy.renewed" | "policy.reinstated" | "policy.cancellation_scheduled" | "policy.cancellation_withdrawn" | "policy.lapsed" | "policy.expired" | "policy.non_renewed" | "policy.audited" | "policy.payment_plan_changed" | "claim.filed" | "claim.reserved" | "claim.settled" | "claim.closed" | "payment.received" | "payment.failed" | "autopay.enabled" | "autopay.disabled" | "autopay.suspended" | "invoice.paid" | "refund.approval_requested" | "refund.approved" | "refund.rejected" | "disbursement.created" | "disbursement.issued" | "disbursement.cleared" | "disbursement.stopped" | "disbursement.cancelled" | "journal.posted" | "referral.reminder" | "referral.expired" | "da.limit_approaching" | "compliance.deadline_approaching" | "compliance.deadline_missed" | "financial.operation_failed" | "webhook.test" | "claim.opened" | "*";

export type Tax = {
  code: string;
  /** The rate as a fraction, such as 0.0485. */
  rate: number;
  amount: SignedDollars;
};

/** The terms to change. Terms that you leave out stay as they are. */
export type TermChanges = {
  /** The limit for each occurrence, in dollars. */
  requestedLimit?: PositiveDollars;
  annualRevenue?: PositiveDollars;
  deductible?: Dollars;
  insuredName?: string;
  insuredAddress?: AddressInput;
  /** The complete list. An empty list removes all additional insureds. */
  additionalInsureds?: Array<{
    name: string;
  }>;
};

export type TestClock = {
  /** The business date. */
  date: BusinessDate;
  realDate: BusinessDate;
};

/** The tier, which decides how many requests a minute its callers may send. */
export type Tier = "standard" | "enterprise";

/** A sum in dollars, with at most two decimals. */
export type TotalDollars = number;

/** The amount that a transaction takes off an invoice. */
export type TransactionCredit = {
  invoiceId: InvoiceId;
  /** `reduced`: less to pay. `refunded`: money goes back to the payer. */
  kind: "reduced" | "refunded";
  amount: SignedDollars;
  /** The amount by part, in dollars. It is null for credits issued before parts were recorded. */
  parts: {
    premium: SignedDollars;
    fee: SignedDollars;
    tax: SignedDollars;
    stampingFee: SignedDollars;
  } | null;
};

export type TransferId = string;

export type TransferWrite = {
  /** It covers amounts owed up to this day, today at the latest. */
  through: BusinessDate;
};

/** How well the risk fits the appetite, and why. */
export type Triage = {
  score: number;
  band: string;
  factors: Array<TriageFactor>;
};

export type TriageFactor = {
  code: string;
  points: number;
  max: number;
  reason: string;
};

export type TrustFigures = {
  /** Trust assets in dollars: accounts 1010, 1040, 1110 and 1200. */
  trustAssets: SignedDollars;
  /** Everything the trust owes, in dollars. */
  trustLiabilities: SignedDollars;
  /** Trust assets divided by trust liabilities. It is null when nothing is owed. */
  trustRatio: number | null;
  /** Trust cash by the ledger: account 1010. */
  trustCash: SignedDollars;
  /** Card clearing by the ledger: account 1110. */
  cardClearing: SignedDollars;
  /** Trust cash computed from payments and returns. It must equal `trustCash`. */
  cashReceived: SignedDollars;
  /** Card clearing computed from payments and returns. It must equal `cardClearing`. */
  cardReceived: SignedDollars;
  /** Payouts of the card processor to the trust account, plus the fees that operating cash has put in. They are part of `cashReceived`, and no longer of `cardReceived`. */
  swept: SignedDollars;
  /** The closing balance of the last bank statement that states one, plus later bookings. It equals `trustCash` less `depositsInTransit` plus `outstandingChecks` plus `bankUnmatched`; any remainder is `bankDifference`. */
  bankBalance: SignedDollars | null;
  /** Bank bookings that are not matched with the ledger. It is null before the first statement. */
  bankUnmatched: SignedDollars | null;
  /** Movements of account 1010 since the first statement that the bank has not booked: `depositsInTransit` less `outstandingChecks`. `GET /ledger/bank-movements?status=unmatched` lists them. */
  ledgerUnmatched: SignedDollars | null;
  /** Of these, the money in: deposits and transfers in transit. It is null before the first statement. */
  depositsInTransit: SignedDollars | null;
  /** Of these, the money out: checks that nobody has cashed, and transfers that the bank has not booked. */
  outstandingChecks: SignedDollars | null;
  /** The part of the difference between bank and ledger that no open item explains. Anything but 0 is the finding `bank_balance`: a statement is missing, or the account had another balance than the ledger before the first one. */
  bankDifference: SignedDollars | null;
  /** Unapplied cash by the ledger: account 2070. */
  unapplied: SignedDollars;
  /** Payments on invoices that have not been split among the accounts yet, plus unapplied money. It must equal `unapplied`. */
  unshared: SignedDollars;
  /** Refunds payable by the ledger: account 2060. */
  returnsPayable: SignedDollars;
  /** The total of disbursements not issued yet. It must equal `returnsPayable`. */
  owedByCheck: SignedDollars;
  /** Returned money that has not been posted to the ledger yet. */
  outstanding: SignedDollars;
  liabilities: Array<{
    account: number;
    balance: SignedDollars;
  }>;
};

export type TrustReconciliation = {
  id: TrustReconciliationId;
  orgId: OrganizationId;
  date: BusinessDate;
  status: "running" | "completed";
  /** True when no check found a disagreement. It is null while the run is in progress. */
  clean: boolean | null;
  figures: TrustFigures | null;
  checks: Array<ReconciliationCheck>;
  findings: Array<ReconciliationFinding>;
  finishedAt: Instant | null;
  createdAt: Instant;
  updatedAt: Instant;
};

export type TrustReconciliationId = string;

export type TrustReconciliationPage = {
  data: Array<TrustReconciliation>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type UnappliedCash = {
  /** The payment; the `id` of the paths that apply or return it. */
  id: PaymentId;
  /** The same as `id`. */
  paymentId: PaymentId;
  /** The invoice that the money was paid for. It is null when the payment matched no invoice. */
  invoiceId: InvoiceId | null;
  policyId: PolicyId | null;
  method: PaymentMethod;
  reference: string;
  /** The full amount received, in dollars. */
  amount: SignedDollars;
  /** The part, in dollars, that has been neither applied to an invoice nor returned. */
  unappliedAmount: TotalDollars;
  /** The business date on which the money was received. */
  receivedDate: BusinessDate;
  /** When the payment was recorded, or when the card processor took it. */
  receivedAt: Instant;
};

export type UnappliedCashPage = {
  data: Array<UnappliedCash>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type User = {
  id: UserId;
  orgId: OrganizationId;
  email: string;
  name: string;
  role: UserRole;
  /** False: the user cannot sign in to this organization, and their tokens are rejected within 30 seconds. A pending invitation is revoked. */
  active: boolean;
  /** `invited`: the invitation has not been accepted yet. */
  status: UserStatus;
  origin: UserOrigin;
  emailVerified: boolean;
  producerIds: Array<ProducerId>;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
};

export type UserAuthority = {
  userId: UserSubject;
  maxLimit: Dollars;
  maxPremium: Dollars;
  linesOfBusiness: Array<LineOfBusiness> | null;
  /** Dollars for each claim; null if the user has no limit of their own. */
  maxReserve: Dollars | null;
  /** Dollars for each claim; null if the user has no limit of their own. */
  maxSettlement: Dollars | null;
  /** True when the user has no limits of their own, so that those of the authority contract apply. */
  inherited: boolean;
};

export type UserAuthorityChanges = {
  /** Required, except for a user who handles claims and is given a `maxReserve` or `maxSettlement`: without it they may underwrite nothing, whatever role they have later. */
  maxLimit?: PositiveDollars;
  /** Required, except for a user who handles claims and is given a `maxReserve` or `maxSettlement`: without it they may underwrite nothing, whatever role they have later. */
  maxPremium?: PositiveDollars;
  /** The lines of business the user may write. Null or left out: every line. */
  linesOfBusiness?: Array<LineOfBusiness> | null;
  /** Dollars for each claim; null if the user has no limit of their own. */
  maxReserve?: Dollars | null;
  /** Dollars for each claim; null if the user has no limit of their own. */
  maxSettlement?: Dollars | null;
};

export type UserChanges = {
  role?: UserRole;
  active?: boolean;
};

export type UserId = string;

export type UserInvitation = {
  email: EmailAddress;
  role: UserRole;
  /** The name of the user. Default: the e-mail address. */
  name?: string;
  /** For users with the role producer only: the producer whose submissions and policies they see. */
  producerId?: ProducerId;
};

export type UserOrigin = "seeded" | "invited" | "domain" | "self_registered";

export type UserPage = {
  data: Array<User>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type UserRole = "superadmin" | "org_admin" | "platform_operator" | "finance_analyst" | "compliance_officer" | "underwriter" | "producer" | "claims_adjuster" | "claims_supervisor" | "billing_admin" | "auditor";

export type UserStatus = "invited" | "active" | "deactivated";

/** The id of a user: the `sub` of their token. It may be a user of your own identity provider, so the API does not check that the user exists. */
export type UserSubject = string;

export type ValidationRule = "required" | "type" | "format" | "min" | "max" | "enum" | "unknown_field" | "unknown_reference" | "no_change";

export type VoidClaimPayment = {
  reason: string;
};

export type VoidEndorsement = {
  reason: string;
};

export type VoidInvoice = {
  reason: string;
  /** True bills the same lines again on one new invoice. Default: false. */
  reissue?: boolean;
  /** The amount in dollars to bill again; only with `reissue`. Default: the full total. */
  amount?: PaymentDollars;
};

export type Webhook = {
  id: WebhookSubscriptionId;
  orgId: OrganizationId;
  url: string;
  events: Array<string>;
  description: string | null;
  /** False while the webhook is paused, and after its deletion. */
  active: boolean;
  status: WebhookStatus;
  /** The time until which the previous secret also signs. Null when there is none. */
  previousSecretExpiresAt: Instant | null;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
};

export type WebhookChanges = {
  /** An https address that leads to the public internet, on port 443 or from 1024 on. Outside production, http is allowed to this machine. */
  url?: string;
  /** Names of events. `*` stands for all of them, and `claim.opened` for `claim.filed`. */
  events?: Array<SubscribableEvent>;
  description?: string | null;
};

export type WebhookCreate = {
  /** An https address that leads to the public internet, on port 443 or from 1024 on. Outside production, http is allowed to this machine. */
  url: string;
  /** Names of events. `*` stands for all of them, and `claim.opened` for `claim.filed`. */
  events: Array<SubscribableEvent>;
  description?: string | null;
};

export type WebhookDelivery = {
  id: WebhookDeliveryId;
  /** The same id as a UUID, as in `X-Service-Delivery`. */
  uuid: string;
  orgId: OrganizationId;
  webhookId: WebhookSubscriptionId;
  eventId: EventId;
  eventType: EventType;
  /** `pending` waits, `sending` is under way, `unknown`: the sender stopped before your response arrived, so you may have received it. */
  status: WebhookDeliveryStatus;
  /** The receiver's status. It is null when there was no answer. */
  statusCode: number | null;
  latencyMs: number | null;
  /** The first 2 KiB of the response. */
  response: string | null;
  error: string | null;
  /** The delivery that this one repeats. */
  redeliveryOf: string | null;
  attemptedAt: Instant | null;
  createdAt: Instant;
  updatedAt: Instant;
};

export type WebhookDeliveryId = string;

export type WebhookDeliveryPage = {
  data: Array<WebhookDelivery>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type WebhookDeliveryStatus = "pending" | "sending" | "delivered" | "failed" | "unknown";

export type WebhookPage = {
  data: Array<Webhook>;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
};

export type WebhookStatus = "active" | "paused" | "deleted";

export type WebhookSubscriptionId = string;

export type WebhookTest = {
  /** Whether the receiver answered with a 2xx status. */
  delivered: boolean;
  /** The receiver's status. It is null when there was no answer. */
  statusCode: number | null;
  latencyMs: number | null;
  deliveryId: WebhookDeliveryId;
  /** Why it was not delivered: `http_status`, `redirect`, `timeout`, `connection_refused` and others. */
  error?: string;
};

export type Withdraw = {
  reason?: string;
};

export type WriteOffInvoice = {
  reason: string;
};

/** What each operation takes and answers, by its name. */
export interface Operations {
  /** Submit a risk: `POST /v1/submissions`. */
  createSubmission: {
    request: { body: SubmissionCreate | Blob | FormData };
    answer: SubmissionDetail;
  };
  /** List submissions: `GET /v1/submissions`. */
  listSubmissions: {
    request: { query?: { limit?: number; cursor?: string; sort?: SubmissionSort; expand?: "quote"; status?: SubmissionStatus; producerId?: ProducerId; lineOfBusiness?: LineOfBusiness; state?: State; q?: string; createdFrom?: BusinessDate; createdTo?: BusinessDate } };
    answer: SubmissionPage;
  };
  /** Read a submission with its triage and its latest quote: `GET /v1/submissions/{id}`. */
  getSubmission: {
    request: { path: { id: SubmissionId } };
    answer: SubmissionDetail;
  };
  /** Complete or correct a submission while it is open: `PATCH /v1/submissions/{id}`. */
  correctSubmission: {
    request: { path: { id: SubmissionId }; body?: SubmissionChanges };
    answer: SubmissionDetail;
  };
  /** Withdraw a submission: `POST /v1/submissions/{id}/withdraw`. */
  withdrawSubmission: {
    request: { path: { id: SubmissionId }; body?: Withdraw };
    answer: SubmissionDetail;
  };
  /** Decline a submission: `POST /v1/submissions/{id}/decline`. */
  declineSubmission: {
    request: { path: { id: SubmissionId }; body: Decline };
    answer: SubmissionDetail;
  };
  /** Rate a submission and issue a quote: `POST /v1/submissions/{id}/quote`. */
  quoteSubmission: {
    request: { path: { id: SubmissionId }; query?: { preview?: boolean } };
    answer: Quote;
    preview: QuotePreview;
  };
  /** Read the triage score and what prevents a bind: `GET /v1/submissions/{id}/quote-readiness`. */
  readQuoteReadiness: {
    request: { path: { id: SubmissionId } };
    answer: QuoteReadiness;
  };
  /** Bind the quote of a submission: `POST /v1/submissions/{id}/bind`. */
  bindSubmission: {
    request: { path: { id: SubmissionId }; body: Bind };
    answer: BoundPolicy;
  };
  /** Screen a name against the sanctions list: `POST /v1/sanctions/screenings`. */
  screenName: {
    request: { body: Screening };
    answer: ScreenedMatches;
  };
  /** Clear a name that only resembles a listed party: `POST /v1/sanctions/clearances`. */
  clearName: {
    request: { body: SanctionsClearanceCreate };
    answer: SanctionsClearance;
  };
  /** List cleared names, newest first: `GET /v1/sanctions/clearances`. */
  listSanctionsClearances: {
    request: { query?: { limit?: number; cursor?: string; name?: string } };
    answer: SanctionsClearancePage;
  };
  /** Withdraw a clearance: `DELETE /v1/sanctions/clearances/{id}`. */
  withdrawSanctionsClearance: {
    request: { path: { id: SanctionsClearanceId } };
    answer: undefined;
  };
  /** List policies: `GET /v1/policies`. */
  listPolicies: {
    request: { query?: { limit?: number; cursor?: string; sort?: PolicySort; status?: PolicyStanding; producerId?: ProducerId; lineOfBusiness?: LineOfBusiness; state?: State; insuredName?: string; q?: string; effectiveFrom?: BusinessDate; effectiveTo?: BusinessDate; expiringFrom?: BusinessDate; expiringTo?: BusinessDate } };
    answer: PolicyPage;
  };
  /** Read a policy, as it stands or as of a date: `GET /v1/policies/{id}`. */
  getPolicy: {
    request: { path: { id: PolicyId }; query?: { expand?: "invoices"; asOf?: BusinessDate } };
    answer: PolicyDetail;
  };
  /** Change the contact on file: `PATCH /v1/policies/{id}`. */
  changePolicyContact: {
    request: { path: { id: PolicyId }; body?: PolicyContact };
    answer: Policy;
  };
  /** Read the transactions of a policy, oldest first: `GET /v1/policies/{id}/timeline`. */
  getPolicyTimeline: {
    request: { path: { id: PolicyId }; query?: { limit?: number; cursor?: string } };
    answer: PolicyTransactionPage;
  };
  /** Endorse a policy: change its terms as of a date: `POST /v1/policies/{id}/endorse`. */
  endorsePolicy: {
    request: { path: { id: PolicyId }; query?: { preview?: boolean }; body: Endorse };
    answer: Endorsement;
    preview: EndorsementPreview;
  };
  /** Void an endorsement that was issued by mistake: `POST /v1/policies/{id}/transactions/{transactionId}/void`. */
  voidEndorsement: {
    request: { path: { id: PolicyId; transactionId: PolicyTransactionId }; query?: { preview?: boolean }; body: VoidEndorsement };
    answer: PolicyTransaction;
    preview: PolicyTransactionPreview;
  };
  /** Cancel a policy as of a date: `POST /v1/policies/{id}/cancel`. */
  cancelPolicy: {
    request: { path: { id: PolicyId }; query?: { preview?: boolean }; body: Cancel };
    answer: PolicyTransaction;
    preview: PolicyTransactionPreview;
  };
  /** Reinstate a cancelled policy: `POST /v1/policies/{id}/reinstate`. */
  reinstatePolicy: {
    request: { path: { id: PolicyId }; query?: { preview?: boolean }; body?: Reinstate };
    answer: PolicyTransaction;
    preview: PolicyTransactionPreview;
  };
  /** Bind the next term of a policy: `POST /v1/policies/{id}/renew`. */
  renewPolicy: {
    request: { path: { id: PolicyId }; query?: { preview?: boolean }; body?: Renew };
    answer: Renewal;
    preview: RenewalPreview;
  };
  /** Give notice that a policy will not be renewed: `POST /v1/policies/{id}/non-renew`. */
  nonRenewPolicy: {
    request: { path: { id: PolicyId }; query?: { preview?: boolean }; body: NonRenew };
    answer: undefined;
    preview: NonRenewedPolicy;
  };
  /** Withdraw the notice of non-renewal: `DELETE /v1/policies/{id}/non-renew`. */
  withdrawNonRenewal: {
    request: { path: { id: PolicyId } };
    answer: Policy;
  };
  /** Audit the premium of an ended term: `POST /v1/policies/{id}/audit`. */
  auditPolicy: {
    request: { path: { id: PolicyId }; query?: { preview?: boolean }; body: PremiumAudit };
    answer: PolicyTransaction;
    preview: PolicyTransactionPreview;
  };
  /** Change the payment plan of a policy: `POST /v1/policies/{id}/payment-plan`. */
  changePaymentPlan: {
    request: { path: { id: PolicyId }; query?: { preview?: boolean }; body: PaymentPlan };
    answer: PolicyTransaction;
    preview: PolicyTransactionPreview;
  };
  /** List the notices owed to the insured, newest first: `GET /v1/policies/{id}/notices`. */
  listPolicyNotices: {
    request: { path: { id: PolicyId }; query?: { limit?: number; cursor?: string } };
    answer: PolicyNoticePage;
  };
  /** Renew every policy that expires soon: `POST /v1/renewals/batch`. */
  runRenewalBatch: {
    request: { query?: { limit?: number; cursor?: string }; body: RenewalBatchRun };
    answer: RenewalBatch | StartedRenewalBatch;
  };
  /** Read the progress of a renewal batch and the outcome of each policy: `GET /v1/renewals/batch/{id}`. */
  getRenewalBatch: {
    request: { path: { id: BatchId }; query?: { limit?: number; cursor?: string } };
    answer: RenewalBatch;
  };
  /** File a first notice of loss: `POST /v1/claims`. */
  createClaim: {
    request: { body: ClaimCreate };
    answer: Claim;
  };
  /** List claims: `GET /v1/claims`. */
  listClaims: {
    request: { query?: { limit?: number; cursor?: string; sort?: ClaimSort; status?: ClaimStatus; adjusterId?: UserSubject; policyId?: PolicyId; lossFrom?: BusinessDate; lossTo?: BusinessDate; q?: string } };
    answer: ClaimSummaryPage;
  };
  /** Read a claim: `GET /v1/claims/{id}`. */
  getClaim: {
    request: { path: { id: ClaimId } };
    answer: Claim;
  };
  /** Read who did what to a claim, oldest first: `GET /v1/claims/{id}/timeline`. */
  getClaimTimeline: {
    request: { path: { id: ClaimId }; query?: { limit?: number; cursor?: string } };
    answer: ClaimTimelineEntryPage;
  };
  /** Begin the investigation of a claim: `POST /v1/claims/{id}/investigate`. */
  investigateClaim: {
    request: { path: { id: ClaimId }; body?: InvestigateClaim };
    answer: Claim;
  };
  /** Assign a claim to an adjuster: `POST /v1/claims/{id}/assign`. */
  assignClaim: {
    request: { path: { id: ClaimId }; body: AssignClaim };
    answer: Claim;
  };
  /** Set the reserves of a claim: `POST /v1/claims/{id}/reserves`. */
  reserveClaim: {
    request: { path: { id: ClaimId }; body: ClaimReserves };
    answer: Claim;
  };
  /** Deny coverage: `POST /v1/claims/{id}/deny`. */
  denyClaim: {
    request: { path: { id: ClaimId }; body: DenyClaim };
    answer: Claim;
  };
  /** Close a claim: `POST /v1/claims/{id}/close`. */
  closeClaim: {
    request: { path: { id: ClaimId }; body?: CloseClaim };
    answer: Claim;
  };
  /** Reopen a closed claim: `POST /v1/claims/{id}/reopen`. */
  reopenClaim: {
    request: { path: { id: ClaimId }; body: ReopenClaim };
    answer: Claim;
  };
  /** Record that a status letter was sent: `POST /v1/claims/{id}/status-letters`. */
  recordStatusLetter: {
    request: { path: { id: ClaimId }; body?: RecordStatusLetter };
    answer: Claim;
  };
  /** Offer a settlement: `POST /v1/claims/{id}/settle`. */
  settleClaim: {
    request: { path: { id: ClaimId }; body: SettleClaim };
    answer: Claim;
  };
  /** Approve the offered settlement: `POST /v1/claims/{id}/settle/approve`. */
  approveSettlement: {
    request: { path: { id: ClaimId } };
    answer: Claim;
  };
  /** Reject the offered settlement: `POST /v1/claims/{id}/settle/reject`. */
  rejectSettlement: {
    request: { path: { id: ClaimId }; body?: RejectSettlement };
    answer: Claim;
  };
  /** List the payments of a claim, oldest first: `GET /v1/claims/{id}/payments`. */
  listClaimPayments: {
    request: { path: { id: ClaimId }; query?: { limit?: number; cursor?: string } };
    answer: ClaimPaymentPage;
  };
  /** Pay part of a claim, or a claim expense: `POST /v1/claims/{id}/payments`. */
  payClaim: {
    request: { path: { id: ClaimId }; body: PayClaim };
    answer: ClaimPayment;
  };
  /** Void a claim payment: `POST /v1/claims/{id}/payments/{paymentId}/void`. */
  voidClaimPayment: {
    request: { path: { id: ClaimId; paymentId: ClaimPaymentId }; body: VoidClaimPayment };
    answer: Claim;
  };
  /** List the recoveries on a claim, oldest first: `GET /v1/claims/{id}/recoveries`. */
  listClaimRecoveries: {
    request: { path: { id: ClaimId }; query?: { limit?: number; cursor?: string; kind?: ClaimRecoveryKind; receivedFrom?: BusinessDate; receivedTo?: BusinessDate } };
    answer: ClaimRecoveryPage;
  };
  /** Record a salvage or subrogation recovery: `POST /v1/claims/{id}/recoveries`. */
  recoverClaim: {
    request: { path: { id: ClaimId }; body: RecoverClaim };
    answer: Claim;
  };
  /** List the payees of a claim who are held for sanctions: `GET /v1/claims/{id}/payee-holds`. */
  listPayeeHolds: {
    request: { path: { id: ClaimId }; query?: { limit?: number; cursor?: string } };
    answer: PayeeHoldPage;
  };
  /** Clear a held payee who only shares a name with a listed party: `POST /v1/claims/{id}/payee-holds/{holdId}/clear`. */
  clearPayeeHold: {
    request: { path: { id: ClaimId; holdId: PayeeHoldId }; body: ClearPayeeHold };
    answer: PayeeHold;
  };
  /** Attach a file to a claim: `POST /v1/claims/{id}/attachments`. */
  attachToClaim: {
    request: { path: { id: ClaimId }; body: {
  fileName: string;
  /** The media type of the file. The file must be of this type; `application/octet-stream` leaves it open. */
  contentType: string;
  kind?: string;
  description?: string;
  /** True hides the file from callers who may not see protected values. Default: as the claim. */
  containsPhi?: boolean;
  contentBase64: string;
} | FormData };
    answer: ClaimAttachment;
  };
  /** List the files on a claim, newest first: `GET /v1/claims/{id}/attachments`. */
  listClaimAttachments: {
    request: { path: { id: ClaimId }; query?: { limit?: number; cursor?: string } };
    answer: ClaimAttachmentPage;
  };
  /** Get a file on a claim with a new address: `GET /v1/claims/{id}/attachments/{attachmentId}`. */
  getClaimAttachment: {
    request: { path: { id: ClaimId; attachmentId: AttachmentId } };
    answer: ClaimAttachment;
  };
  /** Issue a certificate of insurance: `POST /v1/coi/generate`. */
  generateCertificate: {
    request: { body: GenerateCertificate };
    answer: IssuedCertificate;
  };
  /** List certificates, newest first: `GET /v1/certificates`. */
  listCertificates: {
    request: { query?: { limit?: number; cursor?: string; policyId?: PolicyId } };
    answer: CertificatePage;
  };
  /** Check whether a certificate is still valid: `GET /v1/coi/{certificateNumber}/verify`. */
  verifyCertificate: {
    request: { path: { certificateNumber: string } };
    answer: CertificateStanding;
  };
  /** Issue the data sheet of an MCS-90 endorsement: `POST /v1/policies/{id}/mcs90`. */
  issueMcs90: {
    request: { path: { id: PolicyId }; body?: IssueMcs90 };
    answer: IssuedMcs90;
  };
  /** Render a PDF from HTML or a template: `POST /v1/documents/render-pdf`. */
  renderPdf: {
    request: { body: RenderPdf };
    answer: Blob | Document;
  };
  /** Print an invoice as it stands: `POST /v1/invoices/{id}/document`. */
  printInvoice: {
    request: { path: { id: InvoiceId } };
    answer: Document;
  };
  /** List documents, newest first: `GET /v1/documents`. */
  listDocuments: {
    request: { query?: { limit?: number; cursor?: string; entityType?: DocumentEntityType; entityId?: string; kind?: string } };
    answer: DocumentPage;
  };
  /** Get a document with a fresh download address: `GET /v1/documents/{id}`. */
  getDocument: {
    request: { path: { id: DocumentId } };
    answer: Document;
  };
  /** Ingest a document: classify it and extract its values: `POST /v1/documents/ingest`. */
  ingestDocument: {
    request: { body: {
  fileName?: string;
  /** The media type of the file. `application/octet-stream` leaves it open. */
  contentType?: string;
  /** The kind of resource that the document belongs to. */
  entityType?: DocumentEntityType;
  /** The id of that resource. Send it together with `entityType`. */
  entityId?: string;
  /** A received document that this one replaces. It belongs to the same resource, which need not be named. */
  supersedes?: DocumentId;
  contentBase64: string;
} | FormData };
    answer: IngestedDocument;
  };
  /** Read the template of a kind of document: `GET /v1/document-templates/{kind}`. */
  getDocumentTemplate: {
    request: { path: { kind: DocumentTemplateKind } };
    answer: DocumentTemplate;
  };
  /** Replace the template of a kind of document: `PUT /v1/document-templates/{kind}`. */
  putDocumentTemplate: {
    request: { path: { kind: DocumentTemplateKind }; body: DocumentTemplateInput };
    answer: DocumentTemplate;
  };
  /** Send a document to be signed: `POST /v1/envelopes`. */
  createEnvelope: {
    request: { body: EnvelopeCreate };
    answer: Envelope;
  };
  /** List envelopes, newest first: `GET /v1/envelopes`. */
  listEnvelopes: {
    request: { query?: { limit?: number; cursor?: string; status?: EnvelopeStatus; documentId?: DocumentId; policyId?: PolicyId; submissionId?: SubmissionId; appointmentId?: AppointmentId } };
    answer: EnvelopePage;
  };
  /** Read an envelope: `GET /v1/envelopes/{id}`. */
  getEnvelope: {
    request: { path: { id: EnvelopeId } };
    answer: Envelope;
  };
  /** Void an envelope: `POST /v1/envelopes/{id}/void`. */
  voidEnvelope: {
    request: { path: { id: EnvelopeId }; body: EnvelopeVoid };
    answer: Envelope;
  };
  /** List the loss funds of the carriers: `GET /v1/loss-funds`. */
  listLossFunds: {
    request: Record<never, never>;
    answer: LossFunds;
  };
  /** Record a deposit of a carrier into its loss fund: `POST /v1/loss-funds/deposits`. */
  depositLossFund: {
    request: { body: DepositLossFund };
    answer: LossFundDeposit;
  };
  /** Total the claims of each producer: `GET /v1/claims/losses`. */
  listLosses: {
    request: { query?: { producerId?: ProducerId; lossFrom?: BusinessDate; lossTo?: BusinessDate } };
    answer: ProducerLossesList;
  };
  /** List invoices: `GET /v1/invoices`. */
  listInvoices: {
    request: { query?: { limit?: number; cursor?: string; sort?: InvoiceSort; expand?: "policy"; status?: InvoiceStatus; policyId?: PolicyId; invoiceNumber?: string; dueFrom?: BusinessDate; dueTo?: BusinessDate; q?: string } };
    answer: InvoicePage;
  };
  /** Read an invoice: `GET /v1/invoices/{id}`. */
  getInvoice: {
    request: { path: { id: InvoiceId }; query?: { expand?: "policy" } };
    answer: InvoiceDetail;
  };
  /** Start collecting an invoice by card: `POST /v1/invoices/{id}/payment-intent`. */
  createPaymentIntent: {
    request: { path: { id: InvoiceId }; body?: Collect };
    answer: PaymentIntent;
  };
  /** Record a payment by check, transfer or cash: `POST /v1/invoices/{id}/pay`. */
  payInvoice: {
    request: { path: { id: InvoiceId }; body: Pay };
    answer: Payment;
  };
  /** Void an invoice that has no payments: `POST /v1/invoices/{id}/void`. */
  voidInvoice: {
    request: { path: { id: InvoiceId }; body: VoidInvoice };
    answer: Invoice;
  };
  /** Write off an invoice that will never be paid: `POST /v1/invoices/{id}/write-off`. */
  writeOffInvoice: {
    request: { path: { id: InvoiceId }; body: WriteOffInvoice };
    answer: Invoice;
  };
  /** Refund a payment, in full or in part: `POST /v1/invoices/{id}/refund`. */
  refundInvoice: {
    request: { path: { id: InvoiceId }; body: RefundInvoice };
    answer: Refund;
  };
  /** Retry the card payment of an invoice after a failed attempt: `POST /v1/invoices/{id}/retry`. */
  retryPayment: {
    request: { path: { id: InvoiceId } };
    answer: PaymentIntent;
  };
  /** Read the autopay of the insured of a policy: `GET /v1/policies/{id}/autopay`. */
  getPolicyAutopay: {
    request: { path: { id: PolicyId } };
    answer: Autopay;
  };
  /** Set up autopay for the insured of a policy: `POST /v1/policies/{id}/autopay`. */
  setUpPolicyAutopay: {
    request: { path: { id: PolicyId }; body: AutopaySetupInput };
    answer: AutopaySetup;
  };
  /** Switch off the autopay of the insured of a policy: `DELETE /v1/policies/{id}/autopay`. */
  deletePolicyAutopay: {
    request: { path: { id: PolicyId } };
    answer: undefined;
  };
  /** Read the statement of account of a policy: `GET /v1/policies/{id}/statement`. */
  readPolicyStatement: {
    request: { path: { id: PolicyId }; query?: { from?: BusinessDate; to?: BusinessDate } };
    answer: PolicyStatement;
    csv: string;
  };
  /** List payments, newest first: `GET /v1/payments`. */
  listPayments: {
    request: { query?: { limit?: number; cursor?: string; q?: string; method?: PaymentMethod; invoiceId?: InvoiceId; policyId?: PolicyId; receivedFrom?: BusinessDate; receivedTo?: BusinessDate } };
    answer: PaymentPage;
  };
  /** Read a payment: `GET /v1/payments/{id}`. */
  getPayment: {
    request: { path: { id: PaymentOrRefundId } };
    answer: Payment;
  };
  /** Reverse a check, transfer or cash payment that was never good: `POST /v1/payments/{id}/reverse`. */
  reversePayment: {
    request: { path: { id: PaymentId }; body: ReversePayment };
    answer: Payment;
  };
  /** List payments with unapplied money, newest first: `GET /v1/unapplied-cash`. */
  listUnappliedCash: {
    request: { query?: { limit?: number; cursor?: string; policyId?: PolicyId; invoiceId?: InvoiceId } };
    answer: UnappliedCashPage;
  };
  /** Apply unapplied money to an invoice: `POST /v1/unapplied-cash/{id}/apply`. */
  applyUnappliedCash: {
    request: { path: { id: PaymentId }; body: ApplyUnappliedCash };
    answer: Payment;
  };
  /** Return unapplied money to the payer: `POST /v1/unapplied-cash/{id}/return`. */
  returnUnappliedCash: {
    request: { path: { id: PaymentId }; body: ReturnUnappliedCash };
    answer: Refund;
  };
  /** List refunds, newest first: `GET /v1/refunds`. */
  listRefunds: {
    request: { query?: { limit?: number; cursor?: string; status?: "pending_approval" | "pending" | "succeeded" | "failed"; policyId?: PolicyId; invoiceId?: InvoiceId } };
    answer: RefundPage;
  };
  /** Read a refund: `GET /v1/refunds/{id}`. */
  getRefund: {
    request: { path: { id: RefundId } };
    answer: Refund;
  };
  /** Approve a refund that somebody else requested: `POST /v1/refunds/{id}/approve`. */
  approveRefund: {
    request: { path: { id: RefundId } };
    answer: Refund;
  };
  /** Reject a refund that somebody else requested: `POST /v1/refunds/{id}/reject`. */
  rejectRefund: {
    request: { path: { id: RefundId }; body: RejectRefund };
    answer: Refund;
  };
  /** List disbursements, newest first: `GET /v1/disbursements`. */
  listDisbursements: {
    request: { query?: { limit?: number; cursor?: string; status?: DisbursementStatus; policyId?: PolicyId; invoiceId?: InvoiceId; refundId?: RefundId } };
    answer: DisbursementPage;
  };
  /** Read a disbursement: `GET /v1/disbursements/{id}`. */
  getDisbursement: {
    request: { path: { id: DisbursementId } };
    answer: Disbursement;
  };
  /** Issue a check or a transfer: `POST /v1/disbursements/{id}/issue`. */
  issueDisbursement: {
    request: { path: { id: DisbursementId }; body?: IssueDisbursement };
    answer: Disbursement;
  };
  /** Record that the bank has paid a disbursement: `POST /v1/disbursements/{id}/clear`. */
  clearDisbursement: {
    request: { path: { id: DisbursementId } };
    answer: Disbursement;
  };
  /** Stop a check or transfer that was issued: `POST /v1/disbursements/{id}/stop`. */
  stopDisbursement: {
    request: { path: { id: DisbursementId }; body: StopDisbursement };
    answer: Disbursement;
  };
  /** Cancel a disbursement that is not to be paid out: `POST /v1/disbursements/{id}/cancel`. */
  cancelDisbursement: {
    request: { path: { id: DisbursementId }; body: CancelDisbursement };
    answer: Disbursement;
  };
  /** Stop the delinquency clock in a state: `POST /v1/billing-holds`. */
  placeBillingHold: {
    request: { body: BillingHoldWrite };
    answer: BillingHold;
  };
  /** List the holds that have not been lifted: `GET /v1/billing-holds`. */
  listBillingHolds: {
    request: { query?: { limit?: number; cursor?: string } };
    answer: BillingHoldPage;
  };
  /** Lift a hold: `DELETE /v1/billing-holds/{id}`. */
  liftBillingHold: {
    request: { path: { id: BillingHoldId } };
    answer: undefined;
  };
  /** Upload a bank statement for the trust account: `POST /v1/bank-statements`. */
  uploadBankStatement: {
    request: { body: {
  fileName?: string;
  contentType?: string;
  /** Default: by the content type, `text/csv` or `application/xml`, or else by the extension of the file name. */
  format?: BankStatementFormat;
  /** For a table: the first day that it covers in full; give it together with `to`. If you leave it out, the statement begins with its first booking and does not claim to be complete. */
  from?: BusinessDate;
  /** For a table: the last day that it covers in full. */
  to?: BusinessDate;
  /** For a table: the balance before the first booking, in dollars. */
  openingBalance?: SignedDollars | string;
  /** For a table: the balance after the last one, in dollars. */
  closingBalance?: SignedDollars | string;
  contentBase64: string;
} | FormData };
    answer: BankStatement;
  };
  /** List bank statements, newest first: `GET /v1/bank-statements`. */
  listBankStatements: {
    request: { query?: { limit?: number; cursor?: string } };
    answer: BankStatementPage;
  };
  /** Read a bank statement: `GET /v1/bank-statements/{id}`. */
  getBankStatement: {
    request: { path: { id: BankStatementId } };
    answer: BankStatement;
  };
  /** Withdraw a statement that should not have been uploaded: `POST /v1/bank-statements/{id}/withdraw`. */
  withdrawBankStatement: {
    request: { path: { id: BankStatementId } };
    answer: BankStatement;
  };
  /** List bank bookings, newest first: `GET /v1/bank-lines`. */
  listBankLines: {
    request: { query?: { limit?: number; cursor?: string; statementId?: BankStatementId; status?: BankMatchStatus } };
    answer: BankLinePage;
  };
  /** Read a bank booking with its match: `GET /v1/bank-lines/{id}`. */
  getBankLine: {
    request: { path: { id: BankLineId } };
    answer: BankLine;
  };
  /** Match a bank booking by hand: `POST /v1/bank-lines/{id}/match`. */
  matchBankLine: {
    request: { path: { id: BankLineId }; body: BankLineMatch };
    answer: BankLine;
  };
  /** Undo the match of a booking: `POST /v1/bank-lines/{id}/unmatch`. */
  unmatchBankLine: {
    request: { path: { id: BankLineId } };
    answer: BankLine;
  };
  /** List the movements of trust cash in the ledger, newest first: `GET /v1/ledger/bank-movements`. */
  listBankMovements: {
    request: { query?: { limit?: number; cursor?: string; status?: BankMatchStatus; from?: BusinessDate; to?: BusinessDate } };
    answer: BankMovementPage;
  };
  /** List the card processor's payouts, newest first: `GET /v1/ledger/card-payouts`. */
  listCardPayouts: {
    request: { query?: { limit?: number; cursor?: string; status?: CardPayoutStatus } };
    answer: CardPayoutPage;
  };
  /** Read a payout of the card processor: `GET /v1/ledger/card-payouts/{id}`. */
  getCardPayout: {
    request: { path: { id: CardPayoutId } };
    answer: CardPayout;
  };
  /** List the balance transactions that a payout settles: `GET /v1/ledger/card-payouts/{id}/transactions`. */
  listCardPayoutTransactions: {
    request: { path: { id: CardPayoutId }; query?: { limit?: number; cursor?: string } };
    answer: CardPayoutTransactionPage;
  };
  /** List the accounts of both ledgers with their balances: `GET /v1/ledger/accounts`. */
  listLedgerAccounts: {
    request: { query?: { asOf?: BusinessDate } };
    answer: LedgerAccounts;
  };
  /** List the entries of the ledgers, newest first: `GET /v1/ledger/entries`. */
  listLedgerEntries: {
    request: { query?: { limit?: number; cursor?: string; account?: LedgerAccountNumber; invoiceId?: InvoiceId; ledger?: LedgerName; from?: BusinessDate; to?: BusinessDate } };
    answer: LedgerEntryPage;
  };
  /** Create a manual journal entry: `POST /v1/ledger/entries`. */
  makeJournal: {
    request: { body: JournalWrite };
    answer: Journal;
  };
  /** Close a month of the ledgers: `POST /v1/ledger/periods/{month}/close`. */
  closeLedgerPeriod: {
    request: { path: { month: Month } };
    answer: LedgerPeriod;
  };
  /** Reopen the last closed month: `POST /v1/ledger/periods/{month}/reopen`. */
  reopenLedgerPeriod: {
    request: { path: { month: Month }; body: ReopenLedgerPeriod };
    answer: LedgerPeriod;
  };
  /** List the months that were closed: `GET /v1/ledger/periods`. */
  listLedgerPeriods: {
    request: { query?: { limit?: number; cursor?: string } };
    answer: LedgerPeriodPage;
  };
  /** List manual journal entries, newest first: `GET /v1/ledger/journals`. */
  listJournals: {
    request: { query?: { limit?: number; cursor?: string; status?: JournalStatus } };
    answer: JournalPage;
  };
  /** Read a journal: `GET /v1/ledger/journals/{id}`. */
  getJournal: {
    request: { path: { id: JournalId } };
    answer: Journal;
  };
  /** Approve and post a journal: `POST /v1/ledger/journals/{id}/approve`. */
  approveJournal: {
    request: { path: { id: JournalId } };
    answer: Journal;
  };
  /** Reject a journal: `POST /v1/ledger/journals/{id}/reject`. */
  rejectJournal: {
    request: { path: { id: JournalId }; body: JournalRejection };
    answer: Journal;
  };
  /** List transfers to operating cash, newest first: `GET /v1/ledger/transfers`. */
  listTransfers: {
    request: { query?: { limit?: number; cursor?: string; status?: RemittanceStatus; paidFrom?: BusinessDate; paidTo?: BusinessDate } };
    answer: RemittancePage;
    csv: string;
  };
  /** Prepare a transfer to operating cash: `POST /v1/ledger/transfers`. */
  prepareTransfer: {
    request: { body: TransferWrite };
    answer: RemittanceDetail;
  };
  /** Read a transfer to operating cash with the invoices that it covers: `GET /v1/ledger/transfers/{id}`. */
  getTransfer: {
    request: { path: { id: TransferId } };
    answer: RemittanceDetail;
    csv: string;
  };
  /** Approve and post a transfer to operating cash: `POST /v1/ledger/transfers/{id}/approve`. */
  approveTransfer: {
    request: { path: { id: TransferId }; body?: RemittanceApproval };
    answer: RemittanceDetail;
  };
  /** Reject a transfer to operating cash: `POST /v1/ledger/transfers/{id}/reject`. */
  rejectTransfer: {
    request: { path: { id: TransferId }; body: RemittanceRejection };
    answer: RemittanceDetail;
  };
  /** List remittances to carriers and states, newest first: `GET /v1/remittances`. */
  listRemittances: {
    request: { query?: { limit?: number; cursor?: string; status?: RemittanceStatus; paidFrom?: BusinessDate; paidTo?: BusinessDate; carrier?: string; state?: State } };
    answer: RemittancePage;
    csv: string;
  };
  /** Prepare a remittance to a carrier or state: `POST /v1/remittances`. */
  prepareRemittance: {
    request: { body: RemittanceWrite };
    answer: RemittanceDetail;
  };
  /** Read a remittance to a carrier or state with the invoices that it covers: `GET /v1/remittances/{id}`. */
  getRemittance: {
    request: { path: { id: RemittanceId } };
    answer: RemittanceDetail;
    csv: string;
  };
  /** Approve and post a remittance to a carrier or state: `POST /v1/remittances/{id}/approve`. */
  approveRemittance: {
    request: { path: { id: RemittanceId }; body?: RemittanceApproval };
    answer: RemittanceDetail;
  };
  /** Reject a remittance to a carrier or state: `POST /v1/remittances/{id}/reject`. */
  rejectRemittance: {
    request: { path: { id: RemittanceId }; body: RemittanceRejection };
    answer: RemittanceDetail;
  };
  /** List reconciliations with their figures and findings, newest first: `GET /v1/trust-reconciliations`. */
  listTrustReconciliations: {
    request: { query?: { limit?: number; cursor?: string } };
    answer: TrustReconciliationPage;
  };
  /** Reconcile the books now: `POST /v1/trust-reconciliations`. */
  startTrustReconciliation: {
    request: Record<never, never>;
    answer: TrustReconciliation;
  };
  /** Read a reconciliation with its figures, checks and findings: `GET /v1/trust-reconciliations/{id}`. */
  getTrustReconciliation: {
    request: { path: { id: TrustReconciliationId } };
    answer: TrustReconciliation;
  };
  /** List commission records, newest first: `GET /v1/commissions`. */
  listCommissions: {
    request: { query?: { limit?: number; cursor?: string; producerId?: ProducerId; policyId?: PolicyId; invoiceId?: InvoiceId; from?: BusinessDate; to?: BusinessDate } };
    answer: CommissionPage;
  };
  /** List payouts of commission, newest first: `GET /v1/commissions/payouts`. */
  listPayouts: {
    request: { query?: { limit?: number; cursor?: string; status?: RemittanceStatus; paidFrom?: BusinessDate; paidTo?: BusinessDate; producerId?: ProducerId } };
    answer: RemittancePage;
    csv: string;
  };
  /** Prepare a payout of commission: `POST /v1/commissions/payouts`. */
  preparePayout: {
    request: { body: PayoutWrite };
    answer: RemittanceDetail;
  };
  /** Read a payout of commission with the invoices that it covers: `GET /v1/commissions/payouts/{id}`. */
  getPayout: {
    request: { path: { id: PayoutId } };
    answer: RemittanceDetail;
    csv: string;
  };
  /** Approve and post a payout of commission: `POST /v1/commissions/payouts/{id}/approve`. */
  approvePayout: {
    request: { path: { id: PayoutId }; body?: RemittanceApproval };
    answer: RemittanceDetail;
  };
  /** Reject a payout of commission: `POST /v1/commissions/payouts/{id}/reject`. */
  rejectPayout: {
    request: { path: { id: PayoutId }; body: RemittanceRejection };
    answer: RemittanceDetail;
  };
  /** Read a producer's commission statement for a month or quarter: `GET /v1/producers/{id}/statements`. */
  readProducerStatement: {
    request: { path: { id: ProducerId }; query?: { period?: string } };
    answer: ProducerStatement;
    csv: string;
  };
  /** Record a producer: `POST /v1/producers`. */
  createProducer: {
    request: { body: ProducerCreate };
    answer: Producer;
  };
  /** List producers: `GET /v1/producers`. */
  listProducers: {
    request: { query?: { limit?: number; cursor?: string; status?: ProducerStatus; parentId?: ProducerId; state?: State; q?: string } };
    answer: ProducerPage;
  };
  /** Read a producer with their licenses: `GET /v1/producers/{id}`. */
  getProducer: {
    request: { path: { id: ProducerId } };
    answer: Producer;
  };
  /** Change a producer: `PATCH /v1/producers/{id}`. */
  changeProducer: {
    request: { path: { id: ProducerId }; body?: ProducerChanges };
    answer: Producer;
  };
  /** Import producers from a table: `POST /v1/producers/import`. */
  importProducers: {
    request: { body: {
  fileName?: string;
  contentType?: string;
  contentBase64: string;
} | FormData | Blob };
    answer: ProducerImport;
  };
  /** Start an identity inquiry at the verifier: `POST /v1/producers/{id}/identity-inquiry`. */
  startIdentityInquiry: {
    request: { path: { id: ProducerId } };
    answer: IdentityInquiry;
  };
  /** List the appointments of a producer: `GET /v1/producers/{id}/appointments`. */
  listAppointments: {
    request: { path: { id: ProducerId }; query?: { limit?: number; cursor?: string; status?: AppointmentStatus; state?: State; lineOfBusiness?: LineOfBusiness } };
    answer: AppointmentPage;
  };
  /** Record an appointment, or the application for one: `POST /v1/producers/{id}/appointments`. */
  createAppointment: {
    request: { path: { id: ProducerId }; body: AppointmentCreate };
    answer: Appointment;
  };
  /** Read an appointment: `GET /v1/producers/{id}/appointments/{apptId}`. */
  getAppointment: {
    request: { path: { id: ProducerId; apptId: AppointmentId } };
    answer: Appointment;
  };
  /** Change the status or the dates of an appointment: `PATCH /v1/producers/{id}/appointments/{apptId}`. */
  changeAppointment: {
    request: { path: { id: ProducerId; apptId: AppointmentId }; body?: AppointmentChanges };
    answer: Appointment;
  };
  /** List the users who act for a producer: `GET /v1/producers/{id}/members`. */
  listProducerMembers: {
    request: { path: { id: ProducerId }; query?: { limit?: number; cursor?: string } };
    answer: ProducerMemberPage;
  };
  /** Read a user who acts for a producer: `GET /v1/producers/{id}/members/{userId}`. */
  getProducerMember: {
    request: { path: { id: ProducerId; userId: UserSubject } };
    answer: ProducerMember;
  };
  /** Let a user act for a producer: `PUT /v1/producers/{id}/members/{userId}`. */
  addProducerMember: {
    request: { path: { id: ProducerId; userId: UserSubject } };
    answer: ProducerMember;
  };
  /** Stop a user from acting for a producer: `DELETE /v1/producers/{id}/members/{userId}`. */
  removeProducerMember: {
    request: { path: { id: ProducerId; userId: UserSubject } };
    answer: undefined;
  };
  /** List a producer's agreed commissions, one for each line: `GET /v1/producers/{id}/commission-terms`. */
  listProducerCommissionTerms: {
    request: { path: { id: ProducerId }; query?: { limit?: number; cursor?: string; asOf?: BusinessDate } };
    answer: ProducerCommissionTermPage;
  };
  /** Set a producer's commission for a line: `PUT /v1/producers/{id}/commission-terms`. */
  putProducerCommissionTerm: {
    request: { path: { id: ProducerId }; body: ProducerCommissionTermWrite };
    answer: ProducerCommissionTerm;
  };
  /** List referrals: `GET /v1/referrals`. */
  listReferrals: {
    request: { query?: { limit?: number; cursor?: string; status?: ReferralStatus; submissionId?: SubmissionId; policyId?: PolicyId; dealRoomId?: DealRoomId; requestedBy?: UserSubject; decidableBy?: "me" } };
    answer: ReferralPage;
  };
  /** Refer a submission or a policy to somebody with more authority: `POST /v1/referrals`. */
  createReferral: {
    request: { body: ReferralCreate };
    answer: ReferralDetail;
  };
  /** Read a referral: its flags, its figures and who may decide on it: `GET /v1/referrals/{id}`. */
  getReferral: {
    request: { path: { id: ReferralId } };
    answer: ReferralDetail;
  };
  /** Approve or reject a referral, or request more information: `POST /v1/referrals/{id}/decision`. */
  decideReferral: {
    request: { path: { id: ReferralId }; body: ReferralDecision };
    answer: ReferralDetail;
  };
  /** Answer the question on a referral: `POST /v1/referrals/{id}/answer`. */
  answerReferral: {
    request: { path: { id: ReferralId }; body: ReferralAnswer };
    answer: ReferralDetail;
  };
  /** Name a deputy for a period: `POST /v1/delegations`. */
  createDelegation: {
    request: { body: DelegationCreate };
    answer: Delegation;
  };
  /** List delegations, newest first: `GET /v1/delegations`. */
  listDelegations: {
    request: { query?: { limit?: number; cursor?: string; fromUserId?: UserSubject; toUserId?: UserSubject } };
    answer: DelegationPage;
  };
  /** End a delegation before its last day: `POST /v1/delegations/{id}/end`. */
  endDelegation: {
    request: { path: { id: DelegationId } };
    answer: Delegation;
  };
  /** Open a deal room for a submission: `POST /v1/deal-rooms`. */
  createDealRoom: {
    request: { body: DealRoomCreate };
    answer: DealRoom;
  };
  /** List deal rooms: `GET /v1/deal-rooms`. */
  listDealRooms: {
    request: { query?: { limit?: number; cursor?: string; status?: DealRoomStatus; submissionId?: SubmissionId } };
    answer: DealRoomPage;
  };
  /** Read a deal room: `GET /v1/deal-rooms/{id}`. */
  getDealRoom: {
    request: { path: { id: DealRoomId } };
    answer: DealRoomDetail;
  };
  /** Close a deal room: `POST /v1/deal-rooms/{id}/close`. */
  closeDealRoom: {
    request: { path: { id: DealRoomId } };
    answer: DealRoom;
  };
  /** Archive a closed deal room: `POST /v1/deal-rooms/{id}/archive`. */
  archiveDealRoom: {
    request: { path: { id: DealRoomId } };
    answer: DealRoom;
  };
  /** Reopen a closed deal room: `POST /v1/deal-rooms/{id}/reopen`. */
  reopenDealRoom: {
    request: { path: { id: DealRoomId } };
    answer: DealRoom;
  };
  /** Add a participant to a deal room: `POST /v1/deal-rooms/{id}/participants`. */
  addDealRoomParticipant: {
    request: { path: { id: DealRoomId }; body: DealRoomParticipantWrite };
    answer: DealRoomParticipant;
  };
  /** Change the role of a participant of a deal room: `PATCH /v1/deal-rooms/{id}/participants/{userId}`. */
  changeDealRoomParticipant: {
    request: { path: { id: DealRoomId; userId: UserSubject }; body: DealRoomParticipantChanges };
    answer: DealRoomParticipant;
  };
  /** Remove a participant from a deal room: `DELETE /v1/deal-rooms/{id}/participants/{userId}`. */
  removeDealRoomParticipant: {
    request: { path: { id: DealRoomId; userId: UserSubject } };
    answer: undefined;
  };
  /** List the messages of a deal room, newest first: `GET /v1/deal-rooms/{id}/messages`. */
  listDealRoomMessages: {
    request: { path: { id: DealRoomId }; query?: { limit?: number; cursor?: string } };
    answer: DealRoomMessagePage;
  };
  /** Post a message in a deal room: `POST /v1/deal-rooms/{id}/messages`. */
  postDealRoomMessage: {
    request: { path: { id: DealRoomId }; body: DealRoomMessageCreate };
    answer: DealRoomMessage;
  };
  /** Record how far you have read in a deal room: `PUT /v1/deal-rooms/{id}/read-marker`. */
  markDealRoomRead: {
    request: { path: { id: DealRoomId }; body: DealRoomReadMarkerWrite };
    answer: DealRoomReadMarker;
  };
  /** Open a WebSocket to a deal room, or get a signed address for one: `GET /v1/deal-rooms/{id}/ws`. */
  openDealRoomSocket: {
    request: { path: { id: DealRoomId }; query?: { after?: MessageId; ticket?: string } };
    answer: DealRoomSocket;
  };
  /** Record a contract: `POST /v1/da-contracts`. */
  createDaContract: {
    request: { body: DaContractCreate };
    answer: DaContract;
  };
  /** List contracts: `GET /v1/da-contracts`. */
  listDaContracts: {
    request: { query?: { limit?: number; cursor?: string; status?: DaContractStatus } };
    answer: DaContractPage;
  };
  /** Read a contract: `GET /v1/da-contracts/{id}`. */
  getDaContract: {
    request: { path: { id: DaContractId } };
    answer: DaContract;
  };
  /** Change a contract: `PATCH /v1/da-contracts/{id}`. */
  changeDaContract: {
    request: { path: { id: DaContractId }; body?: DaContractChanges };
    answer: DaContract;
  };
  /** Read the rate table in force for a line: `GET /v1/rate-tables/{lineOfBusiness}`. */
  getRateTable: {
    request: { path: { lineOfBusiness: LineOfBusiness }; query?: { asOf?: BusinessDate } };
    answer: RateTable;
  };
  /** Add a version of a line's rate table: `PUT /v1/rate-tables/{lineOfBusiness}`. */
  putRateTable: {
    request: { path: { lineOfBusiness: LineOfBusiness }; body: RateTableWrite };
    answer: RateTable;
  };
  /** List the schedules in force, one for each line: `GET /v1/commission-schedules`. */
  listCommissionSchedules: {
    request: { query?: { limit?: number; cursor?: string; lineOfBusiness?: LineOfBusiness; asOf?: BusinessDate } };
    answer: CommissionSchedulePage;
  };
  /** Add a version of a line's commission schedule: `PUT /v1/commission-schedules`. */
  putCommissionSchedule: {
    request: { body: CommissionScheduleWrite };
    answer: CommissionSchedule;
  };
  /** Read premium, losses and counts of the portfolio: `GET /v1/analytics/{orgId}/portfolio`. */
  readPortfolio: {
    request: { path: { orgId: OrganizationReference }; query?: { from?: BusinessDate; to?: BusinessDate; groupBy?: AnalyticsGrouping } };
    answer: Portfolio;
    csv: string;
  };
  /** Print the portfolio on one page: `GET /v1/analytics/{orgId}/report`. */
  printPortfolioReport: {
    request: { path: { orgId: OrganizationReference } };
    answer: Blob;
  };
  /** Total commission by month or quarter: `GET /v1/analytics/{orgId}/commissions`. */
  summarizeCommissions: {
    request: { path: { orgId: OrganizationReference }; query?: { from?: BusinessDate; to?: BusinessDate; period?: AnalyticsPeriod } };
    answer: CommissionSummary;
    csv: string;
  };
  /** Read how much of each delegated-authority contract is used: `GET /v1/analytics/{orgId}/da-utilization`. */
  readDaUtilization: {
    request: { path: { orgId: OrganizationReference }; query?: { year?: number } };
    answer: DaUtilization;
    csv: string;
  };
  /** Read how the losses of each accident year have developed: `GET /v1/analytics/{orgId}/loss-triangle`. */
  readLossTriangle: {
    request: { path: { orgId: OrganizationReference } };
    answer: LossTriangle;
    csv: string;
  };
  /** Read receivables by age: `GET /v1/analytics/{orgId}/receivables`. */
  readReceivables: {
    request: { path: { orgId: OrganizationReference } };
    answer: Receivables;
    csv: string;
  };
  /** Read how many expiring terms were renewed: `GET /v1/analytics/{orgId}/retention`. */
  readRetention: {
    request: { path: { orgId: OrganizationReference }; query?: { from?: BusinessDate; to?: BusinessDate } };
    answer: Retention;
    csv: string;
  };
  /** Report a month to a carrier: `POST /v1/bordereaux`. */
  createBordereau: {
    request: { body: BordereauOrder };
    answer: Bordereau;
  };
  /** List bordereaux, newest first: `GET /v1/bordereaux`. */
  listBordereaux: {
    request: { query?: { limit?: number; cursor?: string; carrier?: string; month?: Month; kind?: BordereauKind } };
    answer: BordereauPage;
  };
  /** Read a bordereau, with fresh addresses to download it: `GET /v1/bordereaux/{id}`. */
  getBordereau: {
    request: { path: { id: BordereauId } };
    answer: Bordereau;
  };
  /** List filings, newest first: `GET /v1/compliance/filings`. */
  listFilings: {
    request: { query?: { limit?: number; cursor?: string; status?: FilingStatus; kind?: string; state?: State; dueFrom?: BusinessDate; dueTo?: BusinessDate; policyId?: PolicyId; producerId?: ProducerId; claimId?: ClaimId } };
    answer: FilingPage;
  };
  /** Read a filing: `GET /v1/compliance/filings/{id}`. */
  getFiling: {
    request: { path: { id: FilingId } };
    answer: Filing;
  };
  /** Record that a filing was made, or correct its reference: `PATCH /v1/compliance/filings/{id}`. */
  markFiled: {
    request: { path: { id: FilingId }; body: FilingChange };
    answer: Filing;
  };
  /** Read the address of the organization's compliance calendar: `GET /v1/compliance/calendar-feed`. */
  getCalendarFeed: {
    request: Record<never, never>;
    answer: CalendarFeed;
  };
  /** Create or replace the address of the compliance calendar: `POST /v1/compliance/calendar-feed`. */
  createCalendarFeed: {
    request: Record<never, never>;
    answer: CalendarFeed;
  };
  /** Revoke the address of the compliance calendar: `DELETE /v1/compliance/calendar-feed`. */
  removeCalendarFeed: {
    request: Record<never, never>;
    answer: undefined;
  };
  /** Read a compliance calendar by its address: `GET /v1/calendars/{token}`. */
  readCalendar: {
    request: { path: { token: string } };
    answer: Blob;
  };
  /** List every flag of the platform with the organization's override, and the organization's own flags: `GET /v1/flags`. */
  listFlags: {
    request: { query?: { limit?: number; cursor?: string } };
    answer: FlagPage;
  };
  /** Set a flag for the organization: `PUT /v1/flags/{key}`. */
  putFlag: {
    request: { path: { key: string }; body: FlagWrite };
    answer: Flag;
  };
  /** Remove an override, so that the default applies: `DELETE /v1/flags/{key}`. */
  deleteFlag: {
    request: { path: { key: string } };
    answer: undefined;
  };
  /** List events, newest first; with `after` oldest first: `GET /v1/events`. */
  listEvents: {
    request: { query?: { limit?: number; cursor?: string; type?: "policy.bound" | "policy.endorsed" | "policy.cancelled" | "policy.renewed" | "policy.reinstated" | "policy.cancellation_scheduled" | "policy.cancellation_withdrawn" | "policy.lapsed" | "policy.expired" | "policy.non_renewed" | "policy.audited" | "policy.payment_plan_changed" | "claim.filed" | "claim.reserved" | "claim.settled" | "claim.closed" | "payment.received" | "payment.failed" | "autopay.enabled" | "autopay.disabled" | "autopay.suspended" | "invoice.paid" | "refund.approval_requested" | "refund.approved" | "refund.rejected" | "disbursement.created" | "disbursement.issued" | "disbursement.cleared" | "disbursement.stopped" | "disbursement.cancelled" | "journal.posted" | "referral.reminder" | "referral.expired" | "da.limit_approaching" | "compliance.deadline_approaching" | "compliance.deadline_missed" | "financial.operation_failed" | "webhook.test" | "claim.opened"; entityId?: PolicyOrPolicyTransactionOrSubmissionOrReferralOrInsuredOrClaimOrInvoiceOrPaymentOrRefundOrDisbursementOrJournalOrLedgerEntryOrDaContractOrFilingOrWebhookSubscriptionId; after?: EventId } };
    answer: EventPage;
  };
  /** Subscribe a URL to events: `POST /v1/webhooks`. */
  createWebhook: {
    request: { body: WebhookCreate };
    answer: CreatedWebhook;
  };
  /** List webhooks, deleted ones too: `GET /v1/webhooks`. */
  listWebhooks: {
    request: { query?: { limit?: number; cursor?: string; status?: WebhookStatus } };
    answer: WebhookPage;
  };
  /** Read a webhook: `GET /v1/webhooks/{id}`. */
  getWebhook: {
    request: { path: { id: WebhookSubscriptionId } };
    answer: Webhook;
  };
  /** Change the URL, the events or the description of a webhook: `PATCH /v1/webhooks/{id}`. */
  changeWebhook: {
    request: { path: { id: WebhookSubscriptionId }; body: WebhookChanges };
    answer: Webhook;
  };
  /** Delete a webhook: `DELETE /v1/webhooks/{id}`. */
  deleteWebhook: {
    request: { path: { id: WebhookSubscriptionId } };
    answer: undefined;
  };
  /** Pause a webhook: `POST /v1/webhooks/{id}/pause`. */
  pauseWebhook: {
    request: { path: { id: WebhookSubscriptionId } };
    answer: Webhook;
  };
  /** Resume a webhook: `POST /v1/webhooks/{id}/resume`. */
  resumeWebhook: {
    request: { path: { id: WebhookSubscriptionId } };
    answer: Webhook;
  };
  /** Replace the secret of a webhook: `POST /v1/webhooks/{id}/rotate-secret`. */
  rotateWebhookSecret: {
    request: { path: { id: WebhookSubscriptionId } };
    answer: CreatedWebhook;
  };
  /** Send a `webhook.test` event to a webhook: `POST /v1/webhooks/{id}/test`. */
  testWebhook: {
    request: { path: { id: WebhookSubscriptionId } };
    answer: WebhookTest;
  };
  /** List the deliveries of a webhook, newest first: `GET /v1/webhooks/{id}/deliveries`. */
  listWebhookDeliveries: {
    request: { path: { id: WebhookSubscriptionId }; query?: { limit?: number; cursor?: string; status?: WebhookDeliveryStatus; eventType?: EventType; eventId?: EventId; from?: SentInstant; to?: SentInstant } };
    answer: WebhookDeliveryPage;
  };
  /** Deliver an event again: `POST /v1/webhooks/{id}/deliveries/{deliveryId}/redeliver`. */
  redeliverWebhookDelivery: {
    request: { path: { id: WebhookSubscriptionId; deliveryId: WebhookDeliveryId } };
    answer: WebhookDelivery;
  };
  /** Receive an event from the card processor: `POST /v1/webhooks/stripe`. */
  receiveStripeEvent: {
    request: { body: Record<string, unknown> };
    answer: InboundReceipt;
  };
  /** Receive an event from the card processor: `POST /v1/webhooks/card-processor`. */
  receiveCardProcessorEvent: {
    request: { body: Record<string, unknown> };
    answer: InboundReceipt;
  };
  /** Receive an event from the identity verifier: `POST /v1/webhooks/persona`. */
  receivePersonaEvent: {
    request: { body: Record<string, unknown> };
    answer: InboundReceipt;
  };
  /** Receive an event from the identity verifier: `POST /v1/webhooks/identity-verifier`. */
  receiveIdentityVerifierEvent: {
    request: { body: Record<string, unknown> };
    answer: InboundReceipt;
  };
  /** Receive an event from the email provider: `POST /v1/webhooks/resend`. */
  receiveResendEvent: {
    request: { body: Record<string, unknown> };
    answer: InboundReceipt;
  };
  /** Receive an event from the email provider: `POST /v1/webhooks/email-provider`. */
  receiveEmailProviderEvent: {
    request: { body: Record<string, unknown> };
    answer: InboundReceipt;
  };
  /** Receive an event from the e-signature provider: `POST /v1/esign/webhook`. */
  receiveSigningEvent: {
    request: { body: Record<string, unknown> };
    answer: InboundReceipt;
  };
  /** Read the overview of the insured: `GET /v1/portal/home`. */
  getPortalHome: {
    request: Record<never, never>;
    answer: PortalHome;
  };
  /** List the insured's policies: `GET /v1/portal/policies`. */
  listPortalPolicies: {
    request: { query?: { limit?: number; cursor?: string; status?: PolicyStatus } };
    answer: PortalPolicyPage;
  };
  /** Read one of the insured's policies: `GET /v1/portal/policies/{id}`. */
  getPortalPolicy: {
    request: { path: { id: PolicyId } };
    answer: PortalPolicy;
  };
  /** Read the statement of account of one of the insured's policies: `GET /v1/portal/policies/{id}/statement`. */
  readPortalStatement: {
    request: { path: { id: PolicyId }; query?: { from?: BusinessDate; to?: BusinessDate } };
    answer: PolicyStatement;
    csv: string;
  };
  /** List the insured's invoices: `GET /v1/portal/invoices`. */
  listPortalInvoices: {
    request: { query?: { limit?: number; cursor?: string; status?: InvoiceStatus; policyId?: PolicyId } };
    answer: PortalInvoicePage;
  };
  /** Read one of the insured's invoices: `GET /v1/portal/invoices/{id}`. */
  getPortalInvoice: {
    request: { path: { id: InvoiceId } };
    answer: PortalInvoice;
  };
  /** Start paying an invoice by card: `POST /v1/portal/invoices/{id}/payment-intent`. */
  createPortalPaymentIntent: {
    request: { path: { id: InvoiceId }; body?: Collect };
    answer: PaymentIntent;
  };
  /** Read the insured's autopay: `GET /v1/portal/autopay`. */
  getPortalAutopay: {
    request: Record<never, never>;
    answer: Autopay;
  };
  /** Set up autopay: `POST /v1/portal/autopay`. */
  setUpPortalAutopay: {
    request: { body: AutopaySetupInput };
    answer: AutopaySetup;
  };
  /** Switch off autopay: `DELETE /v1/portal/autopay`. */
  deletePortalAutopay: {
    request: Record<never, never>;
    answer: undefined;
  };
  /** List the insured's claims: `GET /v1/portal/claims`. */
  listPortalClaims: {
    request: { query?: { limit?: number; cursor?: string; status?: ClaimStatus; policyId?: PolicyId } };
    answer: PortalClaimPage;
  };
  /** Report a loss (first notice of loss): `POST /v1/portal/claims`. */
  filePortalClaim: {
    request: { body: PortalNotice };
    answer: PortalClaim;
  };
  /** Read the status of one of the insured's claims: `GET /v1/portal/claims/{id}`. */
  getPortalClaim: {
    request: { path: { id: ClaimId } };
    answer: PortalClaim;
  };
  /** List the documents of the insured's policies and invoices: `GET /v1/portal/documents`. */
  listPortalDocuments: {
    request: { query?: { limit?: number; cursor?: string; kind?: "declarations" | "endorsement" | "cancellation_notice" | "reinstatement_notice" | "non_renewal_notice" | "binder" | "certificate" | "mcs90" | "invoice" | "receipt" } };
    answer: PortalDocumentPage;
  };
  /** Get an address to download a document: `GET /v1/portal/documents/{id}/download`. */
  downloadPortalDocument: {
    request: { path: { id: DocumentId } };
    answer: PortalDownload;
  };
  /** Get an address to download the insured's own certificate of insurance: `GET /v1/portal/policies/{id}/coi`. */
  downloadPortalCertificate: {
    request: { path: { id: PolicyId } };
    answer: PortalDownload;
  };
  /** Get an address to download the data sheet of the MCS-90 endorsement: `GET /v1/portal/policies/{id}/mcs90`. */
  downloadPortalMcs90: {
    request: { path: { id: PolicyId } };
    answer: PortalDownload;
  };
  /** Get an address to download an invoice as it stands: `GET /v1/portal/invoices/{id}/download`. */
  downloadPortalInvoice: {
    request: { path: { id: InvoiceId } };
    answer: PortalDownload;
  };
  /** Read the insured's contact: `GET /v1/portal/profile`. */
  getPortalProfile: {
    request: Record<never, never>;
    answer: PortalProfile;
  };
  /** Change the insured's phone and address: `PUT /v1/portal/profile`. */
  changePortalProfile: {
    request: { body?: PortalProfileChange };
    answer: PortalProfile;
  };
  /** Read the insured's notification preferences: `GET /v1/portal/push-preferences`. */
  getPushPreferences: {
    request: Record<never, never>;
    answer: PushPreferences;
  };
  /** Change the insured's notification preferences: `PUT /v1/portal/push-preferences`. */
  changePushPreferences: {
    request: { body?: PushPreferencesChange };
    answer: PushPreferences;
  };
  /** Register a device for notifications: `POST /v1/portal/push-tokens`. */
  registerPushToken: {
    request: { body: PushTokenInput };
    answer: PushToken;
  };
  /** List the audit log, newest first: `GET /v1/audit`. */
  listAudit: {
    request: { query?: { limit?: number; cursor?: string; actor?: string; entity?: string; requestId?: RequestId; from?: BusinessDate; to?: BusinessDate } };
    answer: AuditEntryPage;
  };
  /** Read a request and its response: `GET /v1/requests/{requestId}`. */
  getRequest: {
    request: { path: { requestId: RequestId }; query?: { before?: SentInstant } };
    answer: Request;
  };
  /** Read the business date: `GET /v1/test-clock`. */
  readTestClock: {
    request: Record<never, never>;
    answer: TestClock;
  };
  /** Move the business date forward: `POST /v1/test-clock`. */
  advanceTestClock: {
    request: { body: AdvanceClock };
    answer: AdvancedClock;
  };
  /** Create an API key: `POST /v1/api-keys`. */
  createApiKey: {
    request: { body: ApiKeyCreate };
    answer: CreatedApiKey;
  };
  /** List API keys, revoked ones too: `GET /v1/api-keys`. */
  listApiKeys: {
    request: { query?: { limit?: number; cursor?: string } };
    answer: ApiKeyPage;
  };
  /** Revoke an API key: `DELETE /v1/api-keys/{id}`. */
  revokeApiKey: {
    request: { path: { id: ApiKeyId } };
    answer: undefined;
  };
  /** List users: `GET /v1/users`. */
  listUsers: {
    request: { query?: { limit?: number; cursor?: string; role?: UserRole; active?: boolean; status?: UserStatus; q?: string } };
    answer: UserPage;
  };
  /** Invite a user: `POST /v1/users`. */
  inviteUser: {
    request: { body: UserInvitation };
    answer: InvitedUser;
  };
  /** Change a user's role, deactivate or reactivate them: `PATCH /v1/users/{id}`. */
  changeUser: {
    request: { path: { id: UserId }; body?: UserChanges };
    answer: ChangedUser;
  };
  /** Read a user's own authority: `GET /v1/users/{id}/authority`. */
  getUserAuthority: {
    request: { path: { id: UserId } };
    answer: UserAuthority;
  };
  /** Set a user's own authority: `PUT /v1/users/{id}/authority`. */
  setUserAuthority: {
    request: { path: { id: UserId }; body?: UserAuthorityChanges };
    answer: UserAuthority;
  };
  /** Check whether the caller may perform an action: `POST /v1/permissions/check`. */
  checkPermission: {
    request: { body: PermissionCheck };
    answer: PermissionDecision;
  };
  /** Create a tenant that can quote immediately: `POST /v1/organizations`. */
  createOrganization: {
    request: { body: OrganizationCreate };
    answer: Organization;
  };
  /** List the tenants the caller may act in: `GET /v1/organizations`. */
  listOrganizations: {
    request: { query?: { limit?: number; cursor?: string } };
    answer: OrganizationPage;
  };
  /** Read a tenant: `GET /v1/organizations/{id}`. */
  getOrganization: {
    request: { path: { id: OrganizationReference } };
    answer: Organization;
  };
  /** Change a tenant: `PATCH /v1/organizations/{id}`. */
  changeOrganization: {
    request: { path: { id: OrganizationReference }; body?: OrganizationChanges };
    answer: Organization;
  };
  /** Let a platform operator act in a tenant: `PUT /v1/organizations/{id}/operators/{userId}`. */
  addOperator: {
    request: { path: { id: OrganizationReference; userId: UserSubject } };
    answer: Operator;
  };
  /** Stop a platform operator from acting in a tenant: `DELETE /v1/organizations/{id}/operators/{userId}`. */
  removeOperator: {
    request: { path: { id: OrganizationReference; userId: UserSubject } };
    answer: undefined;
  };
  /** Decrypt payloads of workflows, for the Temporal web interface and CLI: `POST /v1/temporal-codec/decode`. */
  decodePayloads: {
    request: { body?: Payloads };
    answer: RecodedPayloads;
  };
  /** Encrypt payloads for workflows, for the Temporal web interface and CLI: `POST /v1/temporal-codec/encode`. */
  encodePayloads: {
    request: { body?: Payloads };
    answer: RecodedPayloads;
  };
  /** Exchange a session for an API token: `POST /auth/session-exchange`. */
  exchangeSession: {
    request: Record<never, never>;
    answer: SessionToken;
  };
  /** Exchange the machine secret for a demo token: `POST /auth/demo`. */
  issueDemoToken: {
    request: { body: DemoTokenRequest };
    answer: DemoToken;
  };
  /** E-mail a one-time code to the address on file for a policy: `POST /auth/policyholder-otp-request`. */
  requestOneTimeCode: {
    request: { body: OneTimeCodeRequest };
    answer: OneTimeCodeSent;
  };
  /** Exchange a one-time code for a policyholder token: `POST /auth/policyholder-token`. */
  redeemOneTimeCode: {
    request: { body: OneTimeCode };
    answer: PolicyholderToken;
  };
  /** Download a file by its address: `GET /v1/downloads/{token}`. */
  download: {
    request: { path: { token: string } };
    answer: Blob;
  };
  /** Check whether the process is alive: `GET /healthz`. */
  readHealth: {
    request: Record<never, never>;
    answer: Health;
  };
  /** Check whether the process can serve requests: `GET /readyz`. */
  readReadiness: {
    request: Record<never, never>;
    answer: Readiness;
  };
  /** Read the metrics for Prometheus: `GET /metrics`. */
  readMetrics: {
    request: Record<never, never>;
    answer: Blob;
  };
  /** Describe this service: `GET /`. */
  readFront: {
    request: Record<never, never>;
    answer: Front | Blob;
  };
  /** List the addresses of the API: `GET /v1`. */
  readApiFront: {
    request: Record<never, never>;
    answer: Front | Blob;
  };
  /** Get the OpenAPI 3.1 document: `GET /openapi.json`. */
  readOpenApi: {
    request: Record<never, never>;
    answer: Record<string, unknown>;
  };
  /** Browse this description: `GET /docs`. */
  readDocs: {
    request: Record<never, never>;
    answer: Blob;
  };
  /** Read a file of the page at /docs: `GET /docs/files/{file}`. */
  readDocsFile: {
    request: { path: { file: "viewer.js" | "start.js" } };
    answer: Blob;
  };
  /** Read the list of guides: `GET /docs/guides`. */
  listGuides: {
    request: Record<never, never>;
    answer: Blob;
  };
  /** Read a guide: `GET /docs/guides/{guide}`. */
  readGuide: {
    request: { path: { guide: "getting-started" | "authentication" | "money-and-idempotency" | "paging" | "errors" | "after-the-answer" | "test-clock" | "webhooks" | "deal-rooms" | "portal" | "changelog" } };
    answer: Blob;
  };
}

/** Where each operation is, whether its Idempotency-Key is honoured, and how long it may need, where that is long. */
export const OPERATIONS = {
  createSubmission: { method: 'POST', path: '/v1/submissions', hasKey: true, timeoutMs: 390000 },
  listSubmissions: { method: 'GET', path: '/v1/submissions', hasKey: false },
  getSubmission: { method: 'GET', path: '/v1/submissions/{id}', hasKey: false },
  correctSubmission: { method: 'PATCH', path: '/v1/submissions/{id}', hasKey: false },
  withdrawSubmission: { method: 'POST', path: '/v1/submissions/{id}/withdraw', hasKey: true },
  declineSubmission: { method: 'POST', path: '/v1/submissions/{id}/decline', hasKey: true },
  quoteSubmission: { method: 'POST', path: '/v1/submissions/{id}/quote', hasKey: true },
  readQuoteReadiness: { method: 'GET', path: '/v1/submissions/{id}/quote-readiness', hasKey: false },
  bindSubmission: { method: 'POST', path: '/v1/submissions/{id}/bind', hasKey: true },
  screenName: { method: 'POST', path: '/v1/sanctions/screenings', hasKey: true },
  clearName: { method: 'POST', path: '/v1/sanctions/clearances', hasKey: true },
  listSanctionsClearances: { method: 'GET', path: '/v1/sanctions/clearances', hasKey: false },
  withdrawSanctionsClearance: { method: 'DELETE', path: '/v1/sanctions/clearances/{id}', hasKey: false },
  listPolicies: { method: 'GET', path: '/v1/policies', hasKey: false },
  getPolicy: { method: 'GET', path: '/v1/policies/{id}', hasKey: false },
  changePolicyContact: { method: 'PATCH', path: '/v1/policies/{id}', hasKey: false },
  getPolicyTimeline: { method: 'GET', path: '/v1/policies/{id}/timeline', hasKey: false },
  endorsePolicy: { method: 'POST', path: '/v1/policies/{id}/endorse', hasKey: true },
  voidEndorsement: { method: 'POST', path: '/v1/policies/{id}/transactions/{transactionId}/void', hasKey: true },
  cancelPolicy: { method: 'POST', path: '/v1/policies/{id}/cancel', hasKey: true },
  reinstatePolicy: { method: 'POST', path: '/v1/policies/{id}/reinstate', hasKey: true },
  renewPolicy: { method: 'POST', path: '/v1/policies/{id}/renew', hasKey: true },
  nonRenewPolicy: { method: 'POST', path: '/v1/policies/{id}/non-renew', hasKey: true },
  withdrawNonRenewal: { method: 'DELETE', path: '/v1/policies/{id}/non-renew', hasKey: false },
  auditPolicy: { method: 'POST', path: '/v1/policies/{id}/audit', hasKey: true },
  changePaymentPlan: { method: 'POST', path: '/v1/policies/{id}/payment-plan', hasKey: true },
  listPolicyNotices: { method: 'GET', path: '/v1/policies/{id}/notices', hasKey: false },
  runRenewalBatch: { method: 'POST', path: '/v1/renewals/batch', hasKey: true, timeoutMs: 150000 },
  getRenewalBatch: { method: 'GET', path: '/v1/renewals/batch/{id}', hasKey: false },
  createClaim: { method: 'POST', path: '/v1/claims', hasKey: true },
  listClaims: { method: 'GET', path: '/v1/claims', hasKey: false },
  getClaim: { method: 'GET', path: '/v1/claims/{id}', hasKey: false },
  getClaimTimeline: { method: 'GET', path: '/v1/claims/{id}/timeline', hasKey: false },
  investigateClaim: { method: 'POST', path: '/v1/claims/{id}/investigate', hasKey: true },
  assignClaim: { method: 'POST', path: '/v1/claims/{id}/assign', hasKey: true },
  reserveClaim: { method: 'POST', path: '/v1/claims/{id}/reserves', hasKey: true },
  denyClaim: { method: 'POST', path: '/v1/claims/{id}/deny', hasKey: true },
  closeClaim: { method: 'POST', path: '/v1/claims/{id}/close', hasKey: true },
  reopenClaim: { method: 'POST', path: '/v1/claims/{id}/reopen', hasKey: true },
  recordStatusLetter: { method: 'POST', path: '/v1/claims/{id}/status-letters', hasKey: true },
  settleClaim: { method: 'POST', path: '/v1/claims/{id}/settle', hasKey: true },
  approveSettlement: { method: 'POST', path: '/v1/claims/{id}/settle/approve', hasKey: true },
  rejectSettlement: { method: 'POST', path: '/v1/claims/{id}/settle/reject', hasKey: true },
  listClaimPayments: { method: 'GET', path: '/v1/claims/{id}/payments', hasKey: false },
  payClaim: { method: 'POST', path: '/v1/claims/{id}/payments', hasKey: true },
  voidClaimPayment: { method: 'POST', path: '/v1/claims/{id}/payments/{paymentId}/void', hasKey: true },
  listClaimRecoveries: { method: 'GET', path: '/v1/claims/{id}/recoveries', hasKey: false },
  recoverClaim: { method: 'POST', path: '/v1/claims/{id}/recoveries', hasKey: true },
  listPayeeHolds: { method: 'GET', path: '/v1/claims/{id}/payee-holds', hasKey: false },
  clearPayeeHold: { method: 'POST', path: '/v1/claims/{id}/payee-holds/{holdId}/clear', hasKey: true },
  attachToClaim: { method: 'POST', path: '/v1/claims/{id}/attachments', hasKey: true, timeoutMs: 330000 },
  listClaimAttachments: { method: 'GET', path: '/v1/claims/{id}/attachments', hasKey: false },
  getClaimAttachment: { method: 'GET', path: '/v1/claims/{id}/attachments/{attachmentId}', hasKey: false },
  generateCertificate: { method: 'POST', path: '/v1/coi/generate', hasKey: true },
  listCertificates: { method: 'GET', path: '/v1/certificates', hasKey: false },
  verifyCertificate: { method: 'GET', path: '/v1/coi/{certificateNumber}/verify', hasKey: false },
  issueMcs90: { method: 'POST', path: '/v1/policies/{id}/mcs90', hasKey: true },
  renderPdf: { method: 'POST', path: '/v1/documents/render-pdf', hasKey: true },
  printInvoice: { method: 'POST', path: '/v1/invoices/{id}/document', hasKey: true },
  listDocuments: { method: 'GET', path: '/v1/documents', hasKey: false },
  getDocument: { method: 'GET', path: '/v1/documents/{id}', hasKey: false },
  ingestDocument: { method: 'POST', path: '/v1/documents/ingest', hasKey: true, timeoutMs: 390000 },
  getDocumentTemplate: { method: 'GET', path: '/v1/document-templates/{kind}', hasKey: false },
  putDocumentTemplate: { method: 'PUT', path: '/v1/document-templates/{kind}', hasKey: false },
  createEnvelope: { method: 'POST', path: '/v1/envelopes', hasKey: true },
  listEnvelopes: { method: 'GET', path: '/v1/envelopes', hasKey: false },
  getEnvelope: { method: 'GET', path: '/v1/envelopes/{id}', hasKey: false },
  voidEnvelope: { method: 'POST', path: '/v1/envelopes/{id}/void', hasKey: true },
  listLossFunds: { method: 'GET', path: '/v1/loss-funds', hasKey: false },
  depositLossFund: { method: 'POST', path: '/v1/loss-funds/deposits', hasKey: true },
  listLosses: { method: 'GET', path: '/v1/claims/losses', hasKey: false },
  listInvoices: { method: 'GET', path: '/v1/invoices', hasKey: false },
  getInvoice: { method: 'GET', path: '/v1/invoices/{id}', hasKey: false },
  createPaymentIntent: { method: 'POST', path: '/v1/invoices/{id}/payment-intent', hasKey: true },
  payInvoice: { method: 'POST', path: '/v1/invoices/{id}/pay', hasKey: true },
  voidInvoice: { method: 'POST', path: '/v1/invoices/{id}/void', hasKey: true },
  writeOffInvoice: { method: 'POST', path: '/v1/invoices/{id}/write-off', hasKey: true },
  refundInvoice: { method: 'POST', path: '/v1/invoices/{id}/refund', hasKey: true },
  retryPayment: { method: 'POST', path: '/v1/invoices/{id}/retry', hasKey: true },
  getPolicyAutopay: { method: 'GET', path: '/v1/policies/{id}/autopay', hasKey: false },
  setUpPolicyAutopay: { method: 'POST', path: '/v1/policies/{id}/autopay', hasKey: true },
  deletePolicyAutopay: { method: 'DELETE', path: '/v1/policies/{id}/autopay', hasKey: false },
  readPolicyStatement: { method: 'GET', path: '/v1/policies/{id}/statement', hasKey: false },
  listPayments: { method: 'GET', path: '/v1/payments', hasKey: false },
  getPayment: { method: 'GET', path: '/v1/payments/{id}', hasKey: false },
  reversePayment: { method: 'POST', path: '/v1/payments/{id}/reverse', hasKey: true },
  listUnappliedCash: { method: 'GET', path: '/v1/unapplied-cash', hasKey: false },
  applyUnappliedCash: { method: 'POST', path: '/v1/unapplied-cash/{id}/apply', hasKey: true },
  returnUnappliedCash: { method: 'POST', path: '/v1/unapplied-cash/{id}/return', hasKey: true },
  listRefunds: { method: 'GET', path: '/v1/refunds', hasKey: false },
  getRefund: { method: 'GET', path: '/v1/refunds/{id}', hasKey: false },
  approveRefund: { method: 'POST', path: '/v1/refunds/{id}/approve', hasKey: true },
  rejectRefund: { method: 'POST', path: '/v1/refunds/{id}/reject', hasKey: true },
  listDisbursements: { method: 'GET', path: '/v1/disbursements', hasKey: false },
  getDisbursement: { method: 'GET', path: '/v1/disbursements/{id}', hasKey: false },
  issueDisbursement: { method: 'POST', path: '/v1/disbursements/{id}/issue', hasKey: true },
  clearDisbursement: { method: 'POST', path: '/v1/disbursements/{id}/clear', hasKey: true },
  stopDisbursement: { method: 'POST', path: '/v1/disbursements/{id}/stop', hasKey: true },
  cancelDisbursement: { method: 'POST', path: '/v1/disbursements/{id}/cancel', hasKey: true },
  placeBillingHold: { method: 'POST', path: '/v1/billing-holds', hasKey: true },
  listBillingHolds: { method: 'GET', path: '/v1/billing-holds', hasKey: false },
  liftBillingHold: { method: 'DELETE', path: '/v1/billing-holds/{id}', hasKey: false },
  uploadBankStatement: { method: 'POST', path: '/v1/bank-statements', hasKey: true, timeoutMs: 360000 },
  listBankStatements: { method: 'GET', path: '/v1/bank-statements', hasKey: false },
  getBankStatement: { method: 'GET', path: '/v1/bank-statements/{id}', hasKey: false },
  withdrawBankStatement: { method: 'POST', path: '/v1/bank-statements/{id}/withdraw', hasKey: true },
  listBankLines: { method: 'GET', path: '/v1/bank-lines', hasKey: false },
  getBankLine: { method: 'GET', path: '/v1/bank-lines/{id}', hasKey: false },
  matchBankLine: { method: 'POST', path: '/v1/bank-lines/{id}/match', hasKey: true },
  unmatchBankLine: { method: 'POST', path: '/v1/bank-lines/{id}/unmatch', hasKey: true },
  listBankMovements: { method: 'GET', path: '/v1/ledger/bank-movements', hasKey: false },
  listCardPayouts: { method: 'GET', path: '/v1/ledger/card-payouts', hasKey: false },
  getCardPayout: { method: 'GET', path: '/v1/ledger/card-payouts/{id}', hasKey: false },
  listCardPayoutTransactions: { method: 'GET', path: '/v1/ledger/card-payouts/{id}/transactions', hasKey: false },
  listLedgerAccounts: { method: 'GET', path: '/v1/ledger/accounts', hasKey: false },
  listLedgerEntries: { method: 'GET', path: '/v1/ledger/entries', hasKey: false },
  makeJournal: { method: 'POST', path: '/v1/ledger/entries', hasKey: true },
  closeLedgerPeriod: { method: 'POST', path: '/v1/ledger/periods/{month}/close', hasKey: true },
  reopenLedgerPeriod: { method: 'POST', path: '/v1/ledger/periods/{month}/reopen', hasKey: true },
  listLedgerPeriods: { method: 'GET', path: '/v1/ledger/periods', hasKey: false },
  listJournals: { method: 'GET', path: '/v1/ledger/journals', hasKey: false },
  getJournal: { method: 'GET', path: '/v1/ledger/journals/{id}', hasKey: false },
  approveJournal: { method: 'POST', path: '/v1/ledger/journals/{id}/approve', hasKey: true },
  rejectJournal: { method: 'POST', path: '/v1/ledger/journals/{id}/reject', hasKey: true },
  listTransfers: { method: 'GET', path: '/v1/ledger/transfers', hasKey: false },
  prepareTransfer: { method: 'POST', path: '/v1/ledger/transfers', hasKey: true },
  getTransfer: { method: 'GET', path: '/v1/ledger/transfers/{id}', hasKey: false },
  approveTransfer: { method: 'POST', path: '/v1/ledger/transfers/{id}/approve', hasKey: true },
  rejectTransfer: { method: 'POST', path: '/v1/ledger/transfers/{id}/reject', hasKey: true },
  listRemittances: { method: 'GET', path: '/v1/remittances', hasKey: false },
  prepareRemittance: { method: 'POST', path: '/v1/remittances', hasKey: true },
  getRemittance: { method: 'GET', path: '/v1/remittances/{id}', hasKey: false },
  approveRemittance: { method: 'POST', path: '/v1/remittances/{id}/approve', hasKey: true },
  rejectRemittance: { method: 'POST', path: '/v1/remittances/{id}/reject', hasKey: true },
  listTrustReconciliations: { method: 'GET', path: '/v1/trust-reconciliations', hasKey: false },
  startTrustReconciliation: { method: 'POST', path: '/v1/trust-reconciliations', hasKey: true },
  getTrustReconciliation: { method: 'GET', path: '/v1/trust-reconciliations/{id}', hasKey: false },
  listCommissions: { method: 'GET', path: '/v1/commissions', hasKey: false },
  listPayouts: { method: 'GET', path: '/v1/commissions/payouts', hasKey: false },
  preparePayout: { method: 'POST', path: '/v1/commissions/payouts', hasKey: true },
  getPayout: { method: 'GET', path: '/v1/commissions/payouts/{id}', hasKey: false },
  approvePayout: { method: 'POST', path: '/v1/commissions/payouts/{id}/approve', hasKey: true },
  rejectPayout: { method: 'POST', path: '/v1/commissions/payouts/{id}/reject', hasKey: true },
  readProducerStatement: { method: 'GET', path: '/v1/producers/{id}/statements', hasKey: false },
  createProducer: { method: 'POST', path: '/v1/producers', hasKey: true },
  listProducers: { method: 'GET', path: '/v1/producers', hasKey: false },
  getProducer: { method: 'GET', path: '/v1/producers/{id}', hasKey: false },
  changeProducer: { method: 'PATCH', path: '/v1/producers/{id}', hasKey: false },
  importProducers: { method: 'POST', path: '/v1/producers/import', hasKey: true, timeoutMs: 510000 },
  startIdentityInquiry: { method: 'POST', path: '/v1/producers/{id}/identity-inquiry', hasKey: true },
  listAppointments: { method: 'GET', path: '/v1/producers/{id}/appointments', hasKey: false },
  createAppointment: { method: 'POST', path: '/v1/producers/{id}/appointments', hasKey: true },
  getAppointment: { method: 'GET', path: '/v1/producers/{id}/appointments/{apptId}', hasKey: false },
  changeAppointment: { method: 'PATCH', path: '/v1/producers/{id}/appointments/{apptId}', hasKey: false },
  listProducerMembers: { method: 'GET', path: '/v1/producers/{id}/members', hasKey: false },
  getProducerMember: { method: 'GET', path: '/v1/producers/{id}/members/{userId}', hasKey: false },
  addProducerMember: { method: 'PUT', path: '/v1/producers/{id}/members/{userId}', hasKey: false },
  removeProducerMember: { method: 'DELETE', path: '/v1/producers/{id}/members/{userId}', hasKey: false },
  listProducerCommissionTerms: { method: 'GET', path: '/v1/producers/{id}/commission-terms', hasKey: false },
  putProducerCommissionTerm: { method: 'PUT', path: '/v1/producers/{id}/commission-terms', hasKey: false },
  listReferrals: { method: 'GET', path: '/v1/referrals', hasKey: false },
  createReferral: { method: 'POST', path: '/v1/referrals', hasKey: true },
  getReferral: { method: 'GET', path: '/v1/referrals/{id}', hasKey: false },
  decideReferral: { method: 'POST', path: '/v1/referrals/{id}/decision', hasKey: true },
  answerReferral: { method: 'POST', path: '/v1/referrals/{id}/answer', hasKey: true },
  createDelegation: { method: 'POST', path: '/v1/delegations', hasKey: true },
  listDelegations: { method: 'GET', path: '/v1/delegations', hasKey: false },
  endDelegation: { method: 'POST', path: '/v1/delegations/{id}/end', hasKey: true },
  createDealRoom: { method: 'POST', path: '/v1/deal-rooms', hasKey: true },
  listDealRooms: { method: 'GET', path: '/v1/deal-rooms', hasKey: false },
  getDealRoom: { method: 'GET', path: '/v1/deal-rooms/{id}', hasKey: false },
  closeDealRoom: { method: 'POST', path: '/v1/deal-rooms/{id}/close', hasKey: true },
  archiveDealRoom: { method: 'POST', path: '/v1/deal-rooms/{id}/archive', hasKey: true },
  reopenDealRoom: { method: 'POST', path: '/v1/deal-rooms/{id}/reopen', hasKey: true },
  addDealRoomParticipant: { method: 'POST', path: '/v1/deal-rooms/{id}/participants', hasKey: true },
  changeDealRoomParticipant: { method: 'PATCH', path: '/v1/deal-rooms/{id}/participants/{userId}', hasKey: false },
  removeDealRoomParticipant: { method: 'DELETE', path: '/v1/deal-rooms/{id}/participants/{userId}', hasKey: false },
  listDealRoomMessages: { method: 'GET', path: '/v1/deal-rooms/{id}/messages', hasKey: false },
  postDealRoomMessage: { method: 'POST', path: '/v1/deal-rooms/{id}/messages', hasKey: true },
  markDealRoomRead: { method: 'PUT', path: '/v1/deal-rooms/{id}/read-marker', hasKey: false },
  openDealRoomSocket: { method: 'GET', path: '/v1/deal-rooms/{id}/ws', hasKey: false },
  createDaContract: { method: 'POST', path: '/v1/da-contracts', hasKey: true },
  listDaContracts: { method: 'GET', path: '/v1/da-contracts', hasKey: false },
  getDaContract: { method: 'GET', path: '/v1/da-contracts/{id}', hasKey: false },
  changeDaContract: { method: 'PATCH', path: '/v1/da-contracts/{id}', hasKey: false },
  getRateTable: { method: 'GET', path: '/v1/rate-tables/{lineOfBusiness}', hasKey: false },
  putRateTable: { method: 'PUT', path: '/v1/rate-tables/{lineOfBusiness}', hasKey: false },
  listCommissionSchedules: { method: 'GET', path: '/v1/commission-schedules', hasKey: false },
  putCommissionSchedule: { method: 'PUT', path: '/v1/commission-schedules', hasKey: false },
  readPortfolio: { method: 'GET', path: '/v1/analytics/{orgId}/portfolio', hasKey: false },
  printPortfolioReport: { method: 'GET', path: '/v1/analytics/{orgId}/report', hasKey: false },
  summarizeCommissions: { method: 'GET', path: '/v1/analytics/{orgId}/commissions', hasKey: false },
  readDaUtilization: { method: 'GET', path: '/v1/analytics/{orgId}/da-utilization', hasKey: false },
  readLossTriangle: { method: 'GET', path: '/v1/analytics/{orgId}/loss-triangle', hasKey: false },
  readReceivables: { method: 'GET', path: '/v1/analytics/{orgId}/receivables', hasKey: false },
  readRetention: { method: 'GET', path: '/v1/analytics/{orgId}/retention', hasKey: false },
  createBordereau: { method: 'POST', path: '/v1/bordereaux', hasKey: true },
  listBordereaux: { method: 'GET', path: '/v1/bordereaux', hasKey: false },
  getBordereau: { method: 'GET', path: '/v1/bordereaux/{id}', hasKey: false },
  listFilings: { method: 'GET', path: '/v1/compliance/filings', hasKey: false },
  getFiling: { method: 'GET', path: '/v1/compliance/filings/{id}', hasKey: false },
  markFiled: { method: 'PATCH', path: '/v1/compliance/filings/{id}', hasKey: false },
  getCalendarFeed: { method: 'GET', path: '/v1/compliance/calendar-feed', hasKey: false },
  createCalendarFeed: { method: 'POST', path: '/v1/compliance/calendar-feed', hasKey: true },
  removeCalendarFeed: { method: 'DELETE', path: '/v1/compliance/calendar-feed', hasKey: false },
  readCalendar: { method: 'GET', path: '/v1/calendars/{token}', hasKey: false },
  listFlags: { method: 'GET', path: '/v1/flags', hasKey: false },
  putFlag: { method: 'PUT', path: '/v1/flags/{key}', hasKey: false },
  deleteFlag: { method: 'DELETE', path: '/v1/flags/{key}', hasKey: false },
  listEvents: { method: 'GET', path: '/v1/events', hasKey: false },
  createWebhook: { method: 'POST', path: '/v1/webhooks', hasKey: true },
  listWebhooks: { method: 'GET', path: '/v1/webhooks', hasKey: false },
  getWebhook: { method: 'GET', path: '/v1/webhooks/{id}', hasKey: false },
  changeWebhook: { method: 'PATCH', path: '/v1/webhooks/{id}', hasKey: false },
  deleteWebhook: { method: 'DELETE', path: '/v1/webhooks/{id}', hasKey: false },
  pauseWebhook: { method: 'POST', path: '/v1/webhooks/{id}/pause', hasKey: true },
  resumeWebhook: { method: 'POST', path: '/v1/webhooks/{id}/resume', hasKey: true },
  rotateWebhookSecret: { method: 'POST', path: '/v1/webhooks/{id}/rotate-secret', hasKey: true },
  testWebhook: { method: 'POST', path: '/v1/webhooks/{id}/test', hasKey: true },
  listWebhookDeliveries: { method: 'GET', path: '/v1/webhooks/{id}/deliveries', hasKey: false },
  redeliverWebhookDelivery: { method: 'POST', path: '/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver', hasKey: true },
  receiveStripeEvent: { method: 'POST', path: '/v1/webhooks/stripe', hasKey: false },
  receiveCardProcessorEvent: { method: 'POST', path: '/v1/webhooks/card-processor', hasKey: false },
  receivePersonaEvent: { method: 'POST', path: '/v1/webhooks/persona', hasKey: false },
  receiveIdentityVerifierEvent: { method: 'POST', path: '/v1/webhooks/identity-verifier', hasKey: false },
  receiveResendEvent: { method: 'POST', path: '/v1/webhooks/resend', hasKey: false },
  receiveEmailProviderEvent: { method: 'POST', path: '/v1/webhooks/email-provider', hasKey: false },
  receiveSigningEvent: { method: 'POST', path: '/v1/esign/webhook', hasKey: false },
  getPortalHome: { method: 'GET', path: '/v1/portal/home', hasKey: false },
  listPortalPolicies: { method: 'GET', path: '/v1/portal/policies', hasKey: false },
  getPortalPolicy: { method: 'GET', path: '/v1/portal/policies/{id}', hasKey: false },
  readPortalStatement: { method: 'GET', path: '/v1/portal/policies/{id}/statement', hasKey: false },
  listPortalInvoices: { method: 'GET', path: '/v1/portal/invoices', hasKey: false },
  getPortalInvoice: { method: 'GET', path: '/v1/portal/invoices/{id}', hasKey: false },
  createPortalPaymentIntent: { method: 'POST', path: '/v1/portal/invoices/{id}/payment-intent', hasKey: true },
  getPortalAutopay: { method: 'GET', path: '/v1/portal/autopay', hasKey: false },
  setUpPortalAutopay: { method: 'POST', path: '/v1/portal/autopay', hasKey: true },
  deletePortalAutopay: { method: 'DELETE', path: '/v1/portal/autopay', hasKey: false },
  listPortalClaims: { method: 'GET', path: '/v1/portal/claims', hasKey: false },
  filePortalClaim: { method: 'POST', path: '/v1/portal/claims', hasKey: true },
  getPortalClaim: { method: 'GET', path: '/v1/portal/claims/{id}', hasKey: false },
  listPortalDocuments: { method: 'GET', path: '/v1/portal/documents', hasKey: false },
  downloadPortalDocument: { method: 'GET', path: '/v1/portal/documents/{id}/download', hasKey: false },
  downloadPortalCertificate: { method: 'GET', path: '/v1/portal/policies/{id}/coi', hasKey: false },
  downloadPortalMcs90: { method: 'GET', path: '/v1/portal/policies/{id}/mcs90', hasKey: false },
  downloadPortalInvoice: { method: 'GET', path: '/v1/portal/invoices/{id}/download', hasKey: false },
  getPortalProfile: { method: 'GET', path: '/v1/portal/profile', hasKey: false },
  changePortalProfile: { method: 'PUT', path: '/v1/portal/profile', hasKey: false },
  getPushPreferences: { method: 'GET', path: '/v1/portal/push-preferences', hasKey: false },
  changePushPreferences: { method: 'PUT', path: '/v1/portal/push-preferences', hasKey: false },
  registerPushToken: { method: 'POST', path: '/v1/portal/push-tokens', hasKey: true },
  listAudit: { method: 'GET', path: '/v1/audit', hasKey: false },
  getRequest: { method: 'GET', path: '/v1/requests/{requestId}', hasKey: false },
  readTestClock: { method: 'GET', path: '/v1/test-clock', hasKey: false },
  advanceTestClock: { method: 'POST', path: '/v1/test-clock', hasKey: true, timeoutMs: 330000 },
  createApiKey: { method: 'POST', path: '/v1/api-keys', hasKey: true },
  listApiKeys: { method: 'GET', path: '/v1/api-keys', hasKey: false },
  revokeApiKey: { method: 'DELETE', path: '/v1/api-keys/{id}', hasKey: false },
  listUsers: { method: 'GET', path: '/v1/users', hasKey: false },
  inviteUser: { method: 'POST', path: '/v1/users', hasKey: true },
  changeUser: { method: 'PATCH', path: '/v1/users/{id}', hasKey: false },
  getUserAuthority: { method: 'GET', path: '/v1/users/{id}/authority', hasKey: false },
  setUserAuthority: { method: 'PUT', path: '/v1/users/{id}/authority', hasKey: false },
  checkPermission: { method: 'POST', path: '/v1/permissions/check', hasKey: false },
  createOrganization: { method: 'POST', path: '/v1/organizations', hasKey: true },
  listOrganizations: { method: 'GET', path: '/v1/organizations', hasKey: false },
  getOrganization: { method: 'GET', path: '/v1/organizations/{id}', hasKey: false },
  changeOrganization: { method: 'PATCH', path: '/v1/organizations/{id}', hasKey: false },
  addOperator: { method: 'PUT', path: '/v1/organizations/{id}/operators/{userId}', hasKey: false },
  removeOperator: { method: 'DELETE', path: '/v1/organizations/{id}/operators/{userId}', hasKey: false },
  decodePayloads: { method: 'POST', path: '/v1/temporal-codec/decode', hasKey: false },
  encodePayloads: { method: 'POST', path: '/v1/temporal-codec/encode', hasKey: false },
  exchangeSession: { method: 'POST', path: '/auth/session-exchange', hasKey: false },
  issueDemoToken: { method: 'POST', path: '/auth/demo', hasKey: false },
  requestOneTimeCode: { method: 'POST', path: '/auth/policyholder-otp-request', hasKey: false },
  redeemOneTimeCode: { method: 'POST', path: '/auth/policyholder-token', hasKey: false },
  download: { method: 'GET', path: '/v1/downloads/{token}', hasKey: false },
  readHealth: { method: 'GET', path: '/healthz', hasKey: false },
  readReadiness: { method: 'GET', path: '/readyz', hasKey: false },
  readMetrics: { method: 'GET', path: '/metrics', hasKey: false },
  readFront: { method: 'GET', path: '/', hasKey: false },
  readApiFront: { method: 'GET', path: '/v1', hasKey: false },
  readOpenApi: { method: 'GET', path: '/openapi.json', hasKey: false },
  readDocs: { method: 'GET', path: '/docs', hasKey: false },
  readDocsFile: { method: 'GET', path: '/docs/files/{file}', hasKey: false },
  listGuides: { method: 'GET', path: '/docs/guides', hasKey: false },
  readGuide: { method: 'GET', path: '/docs/guides/{guide}', hasKey: false },
} as const;

/** Every event that webhooks deliver; its type says what is in its data. */
export type WebhookEvent =
  | Event_autopay_disabled
  | Event_autopay_enabled
  | Event_autopay_suspended
  | Event_claim_closed
  | Event_claim_filed
  | Event_claim_reserved
  | Event_claim_settled
  | Event_compliance_deadline_approaching
  | Event_compliance_deadline_missed
  | Event_da_limit_approaching
  | Event_disbursement_cancelled
  | Event_disbursement_cleared
  | Event_disbursement_created
  | Event_disbursement_issued
  | Event_disbursement_stopped
  | Event_financial_operation_failed
  | Event_invoice_paid
  | Event_journal_posted
  | Event_payment_failed
  | Event_payment_received
  | Event_policy_audited
  | Event_policy_bound
  | Event_policy_cancellation_scheduled
  | Event_policy_cancellation_withdrawn
  | Event_policy_cancelled
  | Event_policy_endorsed
  | Event_policy_expired
  | Event_policy_lapsed
  | Event_policy_non_renewed
  | Event_policy_payment_plan_changed
  | Event_policy_reinstated
  | Event_policy_renewed
  | Event_referral_expired
  | Event_referral_reminder
  | Event_refund_approval_requested
  | Event_refund_approved
  | Event_refund_rejected
  | Event_webhook_test;
