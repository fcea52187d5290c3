"""The shapes of the API. Made from docs/openapi.json by "npm run openapi"."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, Union

ActorId: TypeAlias = "str"
AnalyticsGrouping: TypeAlias = "Literal['line', 'state', 'producer', 'month']"
AnalyticsPeriod: TypeAlias = "Literal['month', 'quarter']"
ApiKeyId: TypeAlias = "str"
AppointmentId: TypeAlias = "str"
AppointmentStatus: TypeAlias = "Literal['pending', 'active', 'suspended', 'terminated', 'expired', 'rejected']"
AttachmentId: TypeAlias = "str"
AuditId: TypeAlias = "str"
AutopaySetupId: TypeAlias = "str"
AutopayStatus: TypeAlias = "Literal['off', 'pending', 'active', 'suspended']"
AutopaySuspensionReason: TypeAlias = "Literal['card_declined', 'authentication_required', 'card_unusable']"
BankLineId: TypeAlias = "str"
BankMatchStatus: TypeAlias = "Literal['matched', 'unmatched']"
BankStatementFormat: TypeAlias = "Literal['csv', 'camt.053']"
BankStatementId: TypeAlias = "str"
BatchId: TypeAlias = "str"
BillingHoldId: TypeAlias = "str"
BordereauId: TypeAlias = "str"
BordereauKind: TypeAlias = "Literal['premium', 'claims', 'risk']"
BusinessDate: TypeAlias = "str"
CardPayoutId: TypeAlias = "str"
CardPayoutLineId: TypeAlias = "str"
CardPayoutStatus: TypeAlias = "Literal['paid', 'failed']"
CertificateId: TypeAlias = "str"
CertificateStatus: TypeAlias = "Literal['valid', 'superseded', 'cancelled', 'expired']"
ChangedPhoneNumber: TypeAlias = "str"
ClaimClock: TypeAlias = "Literal['claim_ack', 'claim_decision']"
ClaimEntryId: TypeAlias = "str"
ClaimId: TypeAlias = "str"
ClaimPaymentId: TypeAlias = "str"
ClaimPaymentKind: TypeAlias = "Literal['indemnity', 'expense']"
ClaimRecoveryId: TypeAlias = "str"
ClaimRecoveryKind: TypeAlias = "Literal['salvage', 'subrogation']"
ClaimSort: TypeAlias = "Literal['-createdAt', 'createdAt', '-lossDate', 'lossDate', '-claimNumber', 'claimNumber']"
ClaimStatus: TypeAlias = "Literal['reported', 'investigating', 'settlement_offered', 'settled', 'denied', 'closed']"
CommissionRecordId: TypeAlias = "str"
CommissionScheduleId: TypeAlias = "str"
CoverageFlag: TypeAlias = "Literal['loss_outside_term', 'policy_pending', 'policy_cancelled', 'policy_lapsed', 'limit_reduced', 'late_report', 'possible_duplicate']"
DaContractId: TypeAlias = "str"
DaContractStatus: TypeAlias = "Literal['draft', 'active', 'suspended', 'expired', 'terminated']"
DealRoomCloseReason: TypeAlias = "Literal['manual', 'bound', 'declined']"
DealRoomId: TypeAlias = "str"
DealRoomMessageVisibility: TypeAlias = "Literal['internal', 'all']"
DealRoomParticipantRole: TypeAlias = "Literal['member', 'observer']"
DealRoomStatus: TypeAlias = "Literal['open', 'closed', 'archived']"
DecimalText: TypeAlias = "str"
DelegationId: TypeAlias = "str"
DisbursementId: TypeAlias = "str"
DisbursementStatus: TypeAlias = "Literal['pending', 'issued', 'cleared', 'stopped', 'cancelled']"
DocumentEntityType: TypeAlias = "Literal['policy', 'claim', 'invoice', 'submission', 'producer', 'bordereau', 'organization']"
DocumentId: TypeAlias = "str"
DocumentTemplateKind: TypeAlias = "Literal['declarations', 'endorsement', 'cancellation_notice', 'reinstatement_notice', 'non_renewal_notice', 'certificate', 'mcs90', 'binder', 'invoice', 'receipt', 'claim_acknowledgement', 'claim_status', 'claim_denial', 'claim_settlement']"
DocumentType: TypeAlias = "Literal['acord_125', 'acord_126', 'acord_25', 'loss_run', 'declaration_page', 'invoice', 'claim_form', 'police_report', 'medical_record', 'financial_statement', 'driver_list', 'inspection_report', 'contract', 'other']"
Dollars: TypeAlias = "float"
EmailAddress: TypeAlias = "str"
EntryDollars: TypeAlias = "float"
EnvelopeId: TypeAlias = "str"
EnvelopeStatus: TypeAlias = "Literal['created', 'sent', 'viewed', 'completed', 'declined', 'voided', 'expired']"
Error: TypeAlias = "Union[Error_malformed_json, Error_validation_failed, Error_unauthenticated, Error_forbidden, Error_not_found, Error_method_not_allowed, Error_already_exists, Error_idempotency_key_reused, Error_idempotency_in_progress, Error_replayed, Error_precondition_failed, Error_payload_too_large, Error_unsupported_media_type, Error_invalid_state_transition, Error_delegated_authority_exceeded, Error_quote_expired, Error_not_ready, Error_notice_period_not_met, Error_outside_policy_term, Error_reserve_too_low, Error_limit_exhausted, Error_amount_exceeds_balance, Error_invoice_has_payments, Error_refund_exceeds_paid, Error_no_failed_payment, Error_subscription_inactive, Error_deal_room_closed, Error_document_not_applicable, Error_unreadable_document, Error_not_settled, Error_payment_declined, Error_rate_limited, Error_internal_error, Error_service_unavailable]"
Event: TypeAlias = "Union[Event_autopay_disabled, Event_autopay_enabled, Event_autopay_suspended, Event_claim_closed, Event_claim_filed, Event_claim_reserved, Event_claim_settled, Event_compliance_deadline_approaching, Event_compliance_deadline_missed, Event_da_limit_approaching, Event_disbursement_cancelled, Event_disbursement_cleared, Event_disbursement_created, Event_disbursement_issued, Event_disbursement_stopped, Event_financial_operation_failed, Event_invoice_paid, Event_journal_posted, Event_payment_failed, Event_payment_received, Event_policy_audited, Event_policy_bound, Event_policy_cancellation_scheduled, Event_policy_cancellation_withdrawn, Event_policy_cancelled, Event_policy_endorsed, Event_policy_expired, Event_policy_lapsed, Event_policy_non_renewed, Event_policy_payment_plan_changed, Event_policy_reinstated, Event_policy_renewed, Event_referral_expired, Event_referral_reminder, Event_refund_approval_requested, Event_refund_approved, Event_refund_rejected, Event_webhook_test]"
EventId: TypeAlias = "str"
EventType: TypeAlias = "Literal['policy.bound', 'policy.endorsed', 'policy.cancelled', 'policy.renewed', 'policy.reinstated', 'policy.cancellation_scheduled', 'policy.cancellation_withdrawn', 'policy.lapsed', 'policy.expired', 'policy.non_renewed', 'policy.audited', 'policy.payment_plan_changed', 'claim.filed', 'claim.reserved', 'claim.settled', 'claim.closed', 'payment.received', 'payment.failed', 'autopay.enabled', 'autopay.disabled', 'autopay.suspended', 'invoice.paid', 'refund.approval_requested', 'refund.approved', 'refund.rejected', 'disbursement.created', 'disbursement.issued', 'disbursement.cleared', 'disbursement.stopped', 'disbursement.cancelled', 'journal.posted', 'referral.reminder', 'referral.expired', 'da.limit_approaching', 'compliance.deadline_approaching', 'compliance.deadline_missed', 'financial.operation_failed', 'webhook.test']"
ExternalId: TypeAlias = "str"
FilingId: TypeAlias = "str"
FilingStatus: TypeAlias = "Literal['open', 'overdue', 'filed', 'withdrawn']"
InstallmentPlan: TypeAlias = "Literal['PAY_IN_FULL', 'SEMI_ANNUAL_2', 'QUARTERLY_4', 'MONTHLY_10', 'MONTHLY_12']"
Instant: TypeAlias = "str"
InsuredId: TypeAlias = "str"
InvoiceId: TypeAlias = "str"
InvoiceSort: TypeAlias = "Literal['-createdAt', 'createdAt', '-dueDate', 'dueDate', '-invoiceNumber', 'invoiceNumber']"
InvoiceStatus: TypeAlias = "Literal['open', 'partially_paid', 'paid', 'past_due', 'void', 'refunded', 'partially_refunded', 'uncollectible']"
JobStatus: TypeAlias = "Literal['running', 'completed', 'failed']"
JournalId: TypeAlias = "str"
JournalStatus: TypeAlias = "Literal['pending_approval', 'posted', 'rejected']"
LedgerAccountNumber: TypeAlias = "Literal[1010, 1020, 1030, 1040, 1100, 1110, 1120, 1130, 1200, 2010, 2020, 2030, 2040, 2050, 2060, 2070, 2080, 2090, 2110, 4010, 4020, 5010, 5020]"
LedgerEntryId: TypeAlias = "str"
LedgerLineId: TypeAlias = "str"
LedgerName: TypeAlias = "Literal['general', 'fiduciary']"
LedgerPeriodId: TypeAlias = "str"
LicenseStatus: TypeAlias = "Literal['active', 'expired', 'suspended']"
LineOfBusiness: TypeAlias = "Literal['GL', 'CA', 'MTC', 'CP', 'BOP', 'PL', 'CYBER', 'UMB', 'WC']"
LossFundDepositId: TypeAlias = "str"
MessageId: TypeAlias = "str"
Month: TypeAlias = "str"
NaicsCode: TypeAlias = "str"
OrganizationId: TypeAlias = "str"
OrganizationReference: TypeAlias = "str"
PayeeHoldId: TypeAlias = "str"
PayeeHoldStep: TypeAlias = "Literal['offer', 'approval', 'payment', 'payout']"
PaymentDollars: TypeAlias = "float"
PaymentId: TypeAlias = "str"
PaymentKind: TypeAlias = "Literal['card', 'manual', 'refund']"
PaymentMethod: TypeAlias = "Literal['card', 'check', 'ach', 'wire', 'cash', 'kept_refund']"
PaymentOrClaimPaymentId: TypeAlias = "str"
PaymentOrRefundId: TypeAlias = "str"
PaymentOrRefundOrClaimPaymentId: TypeAlias = "str"
PaymentStatus: TypeAlias = "Literal['pending_approval', 'pending', 'succeeded', 'failed', 'disputed', 'reversed']"
PayoutId: TypeAlias = "str"
PayoutOrRemittanceOrTransferId: TypeAlias = "str"
PhoneNumber: TypeAlias = "str"
PolicyId: TypeAlias = "str"
PolicyOrPolicyTransactionOrSubmissionOrReferralOrInsuredOrClaimOrInvoiceOrPaymentOrRefundOrDisbursementOrJournalOrLedgerEntryOrDaContractOrFilingOrWebhookSubscriptionId: TypeAlias = "str"
PolicySort: TypeAlias = "Literal['-createdAt', 'createdAt', '-effectiveDate', 'effectiveDate', '-expirationDate', 'expirationDate', '-policyNumber', 'policyNumber']"
PolicyStanding: TypeAlias = "Literal['pending', 'active', 'pending_cancellation', 'cancelled', 'lapsed', 'expired', 'renewed', 'delinquent', 'non_renewed']"
PolicyStatus: TypeAlias = "Literal['pending', 'active', 'pending_cancellation', 'cancelled', 'lapsed', 'expired', 'renewed']"
PolicyTransactionId: TypeAlias = "str"
PolicyTransactionStatus: TypeAlias = "Literal['scheduled', 'issued', 'reversed']"
PolicyTransactionType: TypeAlias = "Literal['new_business', 'endorsement', 'cancellation', 'reinstatement', 'renewal', 'non_renewal', 'non_renewal_withdrawal', 'audit', 'payment_plan']"
PositiveDollars: TypeAlias = "float"
ProducerId: TypeAlias = "str"
ProducerStatus: TypeAlias = "Literal['pending', 'active', 'suspended', 'terminated']"
ProducerTermId: TypeAlias = "str"
PushPlatform: TypeAlias = "Literal['ios', 'android', 'web']"
PushTokenId: TypeAlias = "str"
QuoteId: TypeAlias = "str"
QuoteStatus: TypeAlias = "Literal['quoted', 'referred', 'accepted', 'superseded', 'expired']"
RateTableId: TypeAlias = "str"
RecordId: TypeAlias = "str"
ReferralId: TypeAlias = "str"
ReferralStatus: TypeAlias = "Literal['pending', 'info_requested', 'approved', 'rejected', 'withdrawn', 'expired']"
RefundId: TypeAlias = "str"
RemittanceId: TypeAlias = "str"
RemittanceKind: TypeAlias = "Literal['commission', 'carrier', 'tax', 'stamping', 'transfer']"
RemittanceOrPayoutOrTransferId: TypeAlias = "str"
RemittanceStatus: TypeAlias = "Literal['pending_approval', 'paid', 'rejected']"
RequestId: TypeAlias = "str"
ReturnedPaymentFee: TypeAlias = "float"
Role: TypeAlias = "Literal['superadmin', 'org_admin', 'platform_operator', 'finance_analyst', 'compliance_officer', 'underwriter', 'producer', 'claims_adjuster', 'claims_supervisor', 'billing_admin', 'auditor', 'policyholder']"
SanctionsClearanceId: TypeAlias = "str"
Scope: TypeAlias = "Literal['submissions:read', 'submissions:write', 'policies:read', 'policies:write', 'claims:read', 'claims:write', 'invoices:read', 'invoices:write', 'documents:read', 'documents:write', 'webhooks:read', 'webhooks:write', 'producers:read', 'producers:write', 'deal-rooms:read', 'deal-rooms:write', 'referrals:read', 'referrals:write', 'flags:read', 'flags:write', 'analytics:read', 'analytics:write', 'events:read', 'events:write', 'renewals:read', 'renewals:write', 'coi:generate', 'documents:ingest', '*']"
SentInstant: TypeAlias = "str"
SentMailId: TypeAlias = "str"
SettlementId: TypeAlias = "str"
SignedDollars: TypeAlias = "float"
State: TypeAlias = "Literal['AL', 'AK', 'AZ', 'AR', 'CA', 'CO', 'CT', 'DE', 'DC', 'FL', 'GA', 'HI', 'ID', 'IL', 'IN', 'IA', 'KS', 'KY', 'LA', 'ME', 'MD', 'MA', 'MI', 'MN', 'MS', 'MO', 'MT', 'NE', 'NV', 'NH', 'NJ', 'NM', 'NY', 'NC', 'ND', 'OH', 'OK', 'OR', 'PA', 'RI', 'SC', 'SD', 'TN', 'TX', 'UT', 'VT', 'VA', 'WA', 'WV', 'WI', 'WY']"
StateFactors: TypeAlias = "dict[str, Any]"
SubmissionId: TypeAlias = "str"
SubmissionSort: TypeAlias = "Literal['-createdAt', 'createdAt', '-effectiveDate', 'effectiveDate']"
SubmissionStatus: TypeAlias = "Literal['received', 'incomplete', 'triaged', 'quoted', 'referred', 'bound', 'declined', 'withdrawn', 'expired', 'not_taken']"
SubscribableEvent: TypeAlias = "Literal['policy.bound', 'policy.endorsed', 'policy.cancelled', 'policy.renewed', 'policy.reinstated', 'policy.cancellation_scheduled', 'policy.cancellation_withdrawn', 'policy.lapsed', 'policy.expired', 'policy.non_renewed', 'policy.audited', 'policy.payment_plan_changed', 'claim.filed', 'claim.reserved', 'claim.settled', 'claim.closed', 'payment.received', 'payment.failed', 'autopay.enabled', 'autopay.disabled', 'autopay.suspended', 'invoice.paid', 'refund.approval_requested', 'refund.approved', 'refund.rejected', 'disbursement.created', 'disbursement.issued', 'disbursement.cleared', 'disbursement.stopped', 'disbursement.cancelled', 'journal.posted', 'referral.reminder', 'referral.expired', 'da.limit_approaching', 'compliance.deadline_approaching', 'compliance.deadline_missed', 'financial.operation_failed', 'webhook.test', 'claim.opened', '*']"
Tier: TypeAlias = "Literal['standard', 'enterprise']"
TotalDollars: TypeAlias = "float"
TransferId: TypeAlias = "str"
TrustReconciliationId: TypeAlias = "str"
UserId: TypeAlias = "str"
UserOrigin: TypeAlias = "Literal['seeded', 'invited', 'domain', 'self_registered']"
UserRole: TypeAlias = "Literal['superadmin', 'org_admin', 'platform_operator', 'finance_analyst', 'compliance_officer', 'underwriter', 'producer', 'claims_adjuster', 'claims_supervisor', 'billing_admin', 'auditor']"
UserStatus: TypeAlias = "Literal['invited', 'active', 'deactivated']"
UserSubject: TypeAlias = "str"
ValidationRule: TypeAlias = "Literal['required', 'type', 'format', 'min', 'max', 'enum', 'unknown_field', 'unknown_reference', 'no_change']"
WebhookDeliveryId: TypeAlias = "str"
WebhookDeliveryStatus: TypeAlias = "Literal['pending', 'sending', 'delivered', 'failed', 'unknown']"
WebhookStatus: TypeAlias = "Literal['active', 'paused', 'deleted']"
WebhookSubscriptionId: TypeAlias = "str"
WebhookEvent: TypeAlias = "Union[Event_autopay_disabled, Event_autopay_enabled, Event_autopay_suspended, Event_claim_closed, Event_claim_filed, Event_claim_reserved, Event_claim_settled, Event_compliance_deadline_approaching, Event_compliance_deadline_missed, Event_da_limit_approaching, Event_disbursement_cancelled, Event_disbursement_cleared, Event_disbursement_created, Event_disbursement_issued, Event_disbursement_stopped, Event_financial_operation_failed, Event_invoice_paid, Event_journal_posted, Event_payment_failed, Event_payment_received, Event_policy_audited, Event_policy_bound, Event_policy_cancellation_scheduled, Event_policy_cancellation_withdrawn, Event_policy_cancelled, Event_policy_endorsed, Event_policy_expired, Event_policy_lapsed, Event_policy_non_renewed, Event_policy_payment_plan_changed, Event_policy_reinstated, Event_policy_renewed, Event_referral_expired, Event_referral_reminder, Event_refund_approval_requested, Event_refund_approved, Event_refund_rejected, Event_webhook_test]"


class AccidentYear(TypedDict):
    accidentYear: int
    developments: list[LossDevelopment]


class ActorReference(TypedDict):
    kind: str
    id: ActorId
    role: str


class AdditionalInsured(TypedDict):
    """Another party that the policy covers"""

    name: str


class Address(TypedDict):
    line1: str
    line2: Union[str, None]
    city: str
    state: str
    postalCode: str


class AddressInput(TypedDict):
    line1: str
    line2: NotRequired[Union[str, None]]
    city: str
    state: State
    postalCode: str


class AdvanceClock(TypedDict):
    advanceTo: BusinessDate


class AdvancedClock(TypedDict):
    date: BusinessDate


class AgedBalance(TypedDict):
    bucket: Literal['current', '1-30', '31-60', '61-90', 'over_90']
    count: int
    balance: SignedDollars


class AmountDue(TypedDict):
    amount: TotalDollars
    dueDate: BusinessDate
    days: int


class AnsweredCall(TypedDict):
    """What was called, and how it was answered"""

    at: Instant
    method: str
    route: str
    status: int
    error: Union[str, None]
    durationMs: int
    caller: dict[str, Any]


class ApiKey(TypedDict):
    id: ApiKeyId
    orgId: OrganizationId
    name: str
    scopes: list[str]
    displayPrefix: str
    expiresAt: Union[Instant, None]
    revokedAt: Union[Instant, None]
    lastUsedAt: Union[Instant, None]
    createdBy: ActorId
    creatorActive: bool
    createdAt: Instant
    updatedAt: Instant
    version: int


class ApiKeyCreate(TypedDict):
    name: str
    scopes: list[Scope]
    expiresAt: NotRequired[Union[SentInstant, None]]


class ApiKeyPage(TypedDict):
    data: list[ApiKey]
    nextCursor: Union[str, None]


class ApplyUnappliedCash(TypedDict):
    invoiceId: InvoiceId
    amount: NotRequired[PaymentDollars]


class Appointment(TypedDict):
    id: AppointmentId
    orgId: OrganizationId
    producerId: ProducerId
    state: str
    lineOfBusiness: str
    carrier: str
    status: AppointmentStatus
    effectiveDate: Union[BusinessDate, None]
    expirationDate: Union[BusinessDate, None]
    surplusLines: bool
    forCause: Union[bool, None]
    version: int
    createdAt: Instant
    updatedAt: Instant
    warning: NotRequired[str]


class AppointmentChanges(TypedDict):
    status: NotRequired[AppointmentStatus]
    effectiveDate: NotRequired[BusinessDate]
    expirationDate: NotRequired[Union[BusinessDate, None]]
    forCause: NotRequired[bool]


class AppointmentCreate(TypedDict):
    state: State
    lineOfBusiness: LineOfBusiness
    carrier: str
    status: NotRequired[Literal['pending', 'active']]
    effectiveDate: NotRequired[BusinessDate]
    expirationDate: NotRequired[BusinessDate]
    surplusLines: NotRequired[bool]


class AppointmentPage(TypedDict):
    data: list[Appointment]
    nextCursor: Union[str, None]


class AssignClaim(TypedDict):
    adjusterId: UserSubject


class AuditEntry(TypedDict):
    id: AuditId
    orgId: OrganizationId
    at: Instant
    actor: dict[str, Any]
    action: str
    entity: dict[str, Any]
    requestId: Union[RequestId, None]
    changes: list[dict[str, Any]]
    sealed: bool
    seal: NotRequired[dict[str, Any]]


class AuditEntryPage(TypedDict):
    data: list[AuditEntry]
    nextCursor: Union[str, None]


class Autopay(TypedDict):
    insuredId: InsuredId
    orgId: OrganizationId
    status: AutopayStatus
    suspendedReason: Union[AutopaySuspensionReason, None]
    card: Union[dict[str, Any], None]
    consent: Union[dict[str, Any], None]
    terms: dict[str, Any]
    retryAfterDays: list[int]
    updatedAt: Union[Instant, None]


class AutopaySetup(TypedDict):
    id: AutopaySetupId
    insuredId: InsuredId
    setupIntentId: ExternalId
    clientSecret: str
    status: str


class AutopaySetupInput(TypedDict):
    termsVersion: Literal['2026-11']


class BankLine(TypedDict):
    """A bank booking on the trust account"""

    id: BankLineId
    orgId: OrganizationId
    statementId: BankStatementId
    bookedOn: BusinessDate
    amount: SignedDollars
    reference: str
    description: str
    matched: bool
    matchedBy: Union[Literal['reference', 'amount', 'person'], None]
    matchedByUser: Union[str, None]
    matchedAt: Union[Instant, None]
    movements: list[BankMovement]
    version: int
    createdAt: Instant
    updatedAt: Instant


class BankLineMatch(TypedDict):
    movementIds: list[LedgerLineId]


class BankLinePage(TypedDict):
    data: list[BankLine]
    nextCursor: Union[str, None]


class BankMovement(TypedDict):
    """A movement of account 1010 in the ledger"""

    id: LedgerLineId
    entryId: LedgerEntryId
    entryType: str
    sourceType: str
    sourceId: RecordId
    description: str
    date: BusinessDate
    amount: SignedDollars
    references: list[str]
    bankLineId: Union[BankLineId, None]


class BankMovementPage(TypedDict):
    data: list[BankMovement]
    nextCursor: Union[str, None]


BankStatement = TypedDict(
  "BankStatement",
  {
    "id": "BankStatementId",
    "orgId": "OrganizationId",
    "format": "BankStatementFormat",
    "number": "Union[str, None]",
    "account": "Union[str, None]",
    "from": "BusinessDate",
    "to": "BusinessDate",
    "wholeUntil": "Union[BusinessDate, None]",
    "openingBalance": "Union[SignedDollars, None]",
    "closingBalance": "Union[SignedDollars, None]",
    "lineCount": "int",
    "newLineCount": "int",
    "matchedCount": "int",
    "unmatchedCount": "int",
    "unmatchedAmount": "SignedDollars",
    "fileName": "Union[str, None]",
    "uploadedBy": "ActorId",
    "withdrawnBy": "Union[ActorId, None]",
    "withdrawnAt": "Union[Instant, None]",
    "createdAt": "Instant",
    "updatedAt": "Instant",
  },
)


class BankStatementPage(TypedDict):
    data: list[BankStatement]
    nextCursor: Union[str, None]


BillingHold = TypedDict(
  "BillingHold",
  {
    "id": "BillingHoldId",
    "orgId": "OrganizationId",
    "state": "str",
    "from": "BusinessDate",
    "to": "BusinessDate",
    "createdAt": "Instant",
    "updatedAt": "Instant",
    "version": "int",
  },
)


class BillingHoldPage(TypedDict):
    data: list[BillingHold]
    nextCursor: Union[str, None]


BillingHoldWrite = TypedDict(
  "BillingHoldWrite",
  {
    "state": "State",
    "from": "BusinessDate",
    "to": "BusinessDate",
  },
)


class Bind(TypedDict):
    installmentPlan: InstallmentPlan
    quoteId: NotRequired[QuoteId]


class Bordereau(TypedDict):
    id: BordereauId
    orgId: OrganizationId
    carrier: str
    month: Month
    kind: BordereauKind
    version: int
    status: JobStatus
    through: BusinessDate
    rowCount: Union[int, None]
    totals: Union[dict[str, Any], None]
    differences: Union[BordereauDifferences, None]
    downloadUrls: Union[dict[str, Any], None]
    expiresAt: Union[Instant, None]
    files: list[BordereauFile]
    failure: Union[str, None]
    createdBy: ActorId
    completedAt: Union[Instant, None]
    createdAt: Instant
    updatedAt: Instant


class BordereauDifference(TypedDict):
    change: Literal['added', 'removed', 'changed']
    policyNumber: str
    reference: str
    columns: list[dict[str, Any]]


class BordereauDifferences(TypedDict):
    previousId: BordereauId
    previousVersion: int
    added: int
    removed: int
    changed: int
    rows: list[BordereauDifference]


class BordereauFile(TypedDict):
    format: Literal['csv', 'json', 'xlsx', 'differences']
    documentId: DocumentId
    fileName: str
    contentType: str
    size: int
    sha256: str


class BordereauOrder(TypedDict):
    carrier: str
    month: Month
    kind: BordereauKind


class BordereauPage(TypedDict):
    data: list[Bordereau]
    nextCursor: Union[str, None]


class BoundPolicy(TypedDict):
    policyId: PolicyId
    policyNumber: str
    status: PolicyStatus
    submissionId: SubmissionId
    quoteId: QuoteId
    effectiveDate: BusinessDate
    expirationDate: BusinessDate
    grossPremium: TotalDollars
    totalDue: TotalDollars
    installmentPlan: InstallmentPlan
    invoices: list[InvoiceReference]


class CalendarFeed(TypedDict):
    url: str
    createdBy: ActorId
    createdAt: Instant


class Cancel(TypedDict):
    effectiveDate: BusinessDate
    reason: Literal['non_payment', 'insured_request', 'underwriting', 'misrepresentation', 'fraud', 'increase_in_hazard', 'loss_of_reinsurance', 'rewrite', 'flat_not_taken', 'sold_out_of_business']
    source: NotRequired[Literal['insured', 'carrier']]
    method: NotRequired[Literal['pro_rata', 'short_rate', 'flat']]


class CancelDisbursement(TypedDict):
    reason: str


class Cancellation(TypedDict):
    effectiveDate: BusinessDate
    reason: str
    method: str
    source: str


class CardPayout(TypedDict):
    """The organization's part of a payout of the card processor"""

    id: CardPayoutId
    orgId: OrganizationId
    processorPayoutId: ExternalId
    status: CardPayoutStatus
    gross: SignedDollars
    fees: SignedDollars
    net: SignedDollars
    payoutAmount: Union[SignedDollars, None]
    arrivesOn: BusinessDate
    trace: Union[str, None]
    transactionCount: int
    recordedOn: BusinessDate
    failedOn: Union[BusinessDate, None]
    version: int
    createdAt: Instant
    updatedAt: Instant


class CardPayoutPage(TypedDict):
    data: list[CardPayout]
    nextCursor: Union[str, None]


class CardPayoutTransaction(TypedDict):
    """A balance transaction that a payout settles"""

    id: CardPayoutLineId
    transactionId: ExternalId
    type: str
    sourceId: Union[ExternalId, None]
    paymentIntentId: Union[ExternalId, None]
    amount: SignedDollars
    fee: SignedDollars
    net: SignedDollars
    occurredAt: Instant


class CardPayoutTransactionPage(TypedDict):
    data: list[CardPayoutTransaction]
    nextCursor: Union[str, None]


class Certificate(TypedDict):
    id: CertificateId
    orgId: OrganizationId
    certificateNumber: str
    status: CertificateStatus
    policyId: PolicyId
    documentId: DocumentId
    holder: dict[str, Any]
    supersedes: Union[CertificateId, None]
    supersededBy: Union[CertificateId, None]
    createdBy: ActorId
    createdAt: Instant
    updatedAt: Instant


class CertificatePage(TypedDict):
    data: list[Certificate]
    nextCursor: Union[str, None]


class CertificateStanding(TypedDict):
    certificateNumber: str
    status: CertificateStatus


class ChangeFigures(TypedDict):
    """What a change of a policy leads to, in dollars"""

    limit: Union[SignedDollars, None]
    premium: Union[SignedDollars, None]
    premiumChange: Union[SignedDollars, None]


class ChangedInvoice(TypedDict):
    """An invoice that a transaction creates or changes"""

    id: Union[InvoiceId, None]
    invoiceNumber: Union[str, None]
    dueDate: BusinessDate
    total: TotalDollars
    change: SignedDollars


class ChangedUser(TypedDict):
    id: UserId
    orgId: OrganizationId
    email: str
    name: str
    role: UserRole
    active: bool
    status: UserStatus
    origin: UserOrigin
    emailVerified: bool
    producerIds: list[ProducerId]
    version: int
    createdAt: Instant
    updatedAt: Instant
    apiKeys: NotRequired[list[dict[str, Any]]]


class Claim(TypedDict):
    """A claim; protected fields are absent for callers who may not see them"""

    id: ClaimId
    orgId: OrganizationId
    claimNumber: str
    status: ClaimStatus
    policyId: PolicyId
    policyNumber: str
    insuredName: str
    producerId: Union[ProducerId, None]
    state: str
    lineOfBusiness: str
    lossDate: BusinessDate
    reportedDate: BusinessDate
    adjusterId: Union[UserSubject, None]
    coverage: LossCoverage
    coverageFlags: list[CoverageFlag]
    duplicateOf: Union[str, None]
    estimatedAmount: Union[Dollars, None]
    reserves: ClaimAmounts
    paid: ClaimAmounts
    recovered: Dollars
    incurred: SignedDollars
    settlement: Union[ClaimSettlement, None]
    denial: Union[ClaimDenial, None]
    outcome: Union[str, None]
    acknowledgeBy: BusinessDate
    acknowledgedOn: Union[BusinessDate, None]
    decisionBy: BusinessDate
    decidedOn: Union[BusinessDate, None]
    statusLetterBy: Union[BusinessDate, None]
    statusLetterSentOn: Union[BusinessDate, None]
    missedDeadlines: list[ClaimClock]
    containsPhi: bool
    redacted: bool
    closedAt: Union[Instant, None]
    createdBy: ActorId
    version: int
    createdAt: Instant
    updatedAt: Instant
    description: NotRequired[str]
    cause: NotRequired[Union[str, None]]
    reportedBy: NotRequired[Union[str, None]]
    lossLocation: NotRequired[Union[str, None]]
    claimant: NotRequired[Union[Claimant, None]]
    heldPayees: list[HeldPayee]


class ClaimAmounts(TypedDict):
    indemnity: Dollars
    expense: Dollars
    total: TotalDollars


class ClaimAttachment(TypedDict):
    """A file on a claim"""

    id: AttachmentId
    orgId: OrganizationId
    claimId: ClaimId
    fileName: str
    contentType: str
    size: int
    sha256: str
    kind: str
    description: Union[str, None]
    containsPhi: bool
    duplicateOf: Union[str, None]
    uploadedBy: ActorId
    downloadUrl: str
    expiresAt: Instant
    createdAt: Instant
    updatedAt: Instant


class ClaimAttachmentPage(TypedDict):
    data: list[ClaimAttachment]
    nextCursor: Union[str, None]


class ClaimCreate(TypedDict):
    """A first notice of loss"""

    policyId: NotRequired[PolicyId]
    policyNumber: NotRequired[str]
    lossDate: BusinessDate
    description: str
    cause: NotRequired[str]
    reportedBy: NotRequired[str]
    lossLocation: NotRequired[str]
    claimant: NotRequired[ClaimantInput]
    estimatedAmount: NotRequired[Dollars]
    containsPhi: NotRequired[bool]


class ClaimDenial(TypedDict):
    reason: NotRequired[str]
    policyProvision: NotRequired[Union[str, None]]
    date: BusinessDate


class ClaimPayment(TypedDict):
    """A payment on a claim. `pending` waits for the loss fund of the carrier"""

    id: ClaimPaymentId
    orgId: OrganizationId
    claimId: ClaimId
    kind: ClaimPaymentKind
    amount: Dollars
    carrier: str
    payee: NotRequired[str]
    reference: NotRequired[Union[str, None]]
    status: Literal['pending', 'paid', 'void']
    paidOn: Union[BusinessDate, None]
    voidedOn: Union[BusinessDate, None]
    createdAt: Instant
    updatedAt: Instant
    version: int


class ClaimPaymentPage(TypedDict):
    data: list[ClaimPayment]
    nextCursor: Union[str, None]


class ClaimRecovery(TypedDict):
    """Money recovered on a claim"""

    id: ClaimRecoveryId
    orgId: OrganizationId
    claimId: ClaimId
    kind: ClaimRecoveryKind
    amount: Dollars
    carrier: str
    reference: NotRequired[Union[str, None]]
    receivedOn: BusinessDate
    createdAt: Instant


class ClaimRecoveryPage(TypedDict):
    data: list[ClaimRecovery]
    nextCursor: Union[str, None]


class ClaimReserves(TypedDict):
    """The expected total cost, including what is already paid. It replaces the current reserves"""

    indemnity: Dollars
    expense: Dollars
    reason: str


class ClaimSettlement(TypedDict):
    id: SettlementId
    status: Literal['offered', 'approved', 'rejected']
    amount: Dollars
    deductible: Dollars
    payable: Dollars
    payee: NotRequired[str]
    notes: NotRequired[Union[str, None]]
    blockers: list[str]
    offeredBy: ActorId
    decidedBy: Union[ActorId, None]
    date: BusinessDate


class ClaimSummary(TypedDict):
    """A claim without the details of the loss"""

    id: ClaimId
    orgId: OrganizationId
    claimNumber: str
    status: ClaimStatus
    policyId: PolicyId
    policyNumber: str
    insuredName: str
    producerId: Union[ProducerId, None]
    state: str
    lineOfBusiness: str
    lossDate: BusinessDate
    reportedDate: BusinessDate
    adjusterId: Union[UserSubject, None]
    coverage: LossCoverage
    coverageFlags: list[CoverageFlag]
    duplicateOf: Union[str, None]
    estimatedAmount: Union[Dollars, None]
    reserves: ClaimAmounts
    paid: ClaimAmounts
    recovered: Dollars
    incurred: SignedDollars
    settlement: Union[ClaimSettlement, None]
    denial: Union[ClaimDenial, None]
    outcome: Union[str, None]
    acknowledgeBy: BusinessDate
    acknowledgedOn: Union[BusinessDate, None]
    decisionBy: BusinessDate
    decidedOn: Union[BusinessDate, None]
    statusLetterBy: Union[BusinessDate, None]
    statusLetterSentOn: Union[BusinessDate, None]
    missedDeadlines: list[ClaimClock]
    containsPhi: bool
    redacted: bool
    closedAt: Union[Instant, None]
    createdBy: ActorId
    version: int
    createdAt: Instant
    updatedAt: Instant


class ClaimSummaryPage(TypedDict):
    data: list[ClaimSummary]
    nextCursor: Union[str, None]


class ClaimTimelineEntry(TypedDict):
    id: ClaimEntryId
    claimId: ClaimId
    action: str
    date: BusinessDate
    at: Instant
    actor: dict[str, Any]
    changes: dict[str, Any]
    note: NotRequired[Union[str, None]]


class ClaimTimelineEntryPage(TypedDict):
    data: list[ClaimTimelineEntry]
    nextCursor: Union[str, None]


class Claimant(TypedDict):
    name: str
    email: Union[str, None]
    phone: Union[str, None]
    address: NotRequired[Address]


class ClaimantInput(TypedDict):
    name: str
    email: NotRequired[EmailAddress]
    phone: NotRequired[PhoneNumber]
    address: NotRequired[AddressInput]


class ClassRate(TypedDict):
    naicsPrefix: str
    rate: DecimalText
    appetite: Literal['preferred', 'standard', 'refer', 'prohibited']


class ClearPayeeHold(TypedDict):
    reason: str


class Clearance(TypedDict):
    duplicateOf: Union[str, None]
    sanctionsMatches: Union[list[SanctionsMatch], None]


class CloseClaim(TypedDict):
    outcome: NotRequired[str]
    notes: NotRequired[str]


class Collect(TypedDict):
    amount: NotRequired[PaymentDollars]


class Commission(TypedDict):
    """How the premium of a paid invoice was shared. The three shares sum to the gross premium. In a reversal all amounts are negative"""

    id: CommissionRecordId
    orgId: OrganizationId
    type: Literal['earned', 'reversal']
    reversesId: Union[CommissionRecordId, None]
    policyId: PolicyId
    invoiceId: InvoiceId
    producerId: ProducerId
    grossPremium: SignedDollars
    agentCommission: SignedDollars
    mgaCommission: SignedDollars
    carrierNet: SignedDollars
    tier: int
    rates: CommissionShares
    recordedOn: BusinessDate
    createdAt: Instant
    updatedAt: Instant


class CommissionOfPeriod(TypedDict):
    period: str
    grossPremium: SignedDollars
    agentCommission: SignedDollars
    mgaCommission: SignedDollars
    carrierNet: SignedDollars
    count: int


class CommissionPage(TypedDict):
    data: list[Commission]
    nextCursor: Union[str, None]


class CommissionRates(TypedDict):
    tiers: list[CommissionTier]
    mgaRate: str


class CommissionSchedule(TypedDict):
    """How the premium of a line of business is shared, starting on a date"""

    id: CommissionScheduleId
    orgId: OrganizationId
    lineOfBusiness: str
    effectiveFrom: BusinessDate
    schedule: CommissionRates
    createdBy: ActorId
    createdAt: Instant
    updatedAt: Instant


class CommissionSchedulePage(TypedDict):
    data: list[CommissionSchedule]
    nextCursor: Union[str, None]


class CommissionScheduleWrite(TypedDict):
    lineOfBusiness: LineOfBusiness
    effectiveFrom: NotRequired[BusinessDate]
    schedule: CommissionRates


class CommissionShares(TypedDict):
    agentRate: str
    mgaRate: str


CommissionSummary = TypedDict(
  "CommissionSummary",
  {
    "orgId": "OrganizationId",
    "from": "BusinessDate",
    "to": "BusinessDate",
    "period": "AnalyticsPeriod",
    "data": "list[CommissionOfPeriod]",
  },
)


class CommissionTier(TypedDict):
    tier: int
    max: Union[Dollars, None]
    agentRate: str


class CompletedStep(TypedDict):
    """A step that an operator skipped and that this journal completes"""

    paymentId: PaymentOrRefundId
    step: str


class ContractUtilization(TypedDict):
    contractId: DaContractId
    carrier: str
    year: int
    limit: SignedDollars
    used: SignedDollars
    utilization: Union[float, None]
    status: str


class CreatedApiKey(TypedDict):
    key: NotRequired[str]
    id: ApiKeyId
    orgId: OrganizationId
    name: str
    scopes: list[str]
    displayPrefix: str
    expiresAt: Union[Instant, None]
    revokedAt: Union[Instant, None]
    lastUsedAt: Union[Instant, None]
    createdBy: ActorId
    creatorActive: bool
    createdAt: Instant
    updatedAt: Instant
    version: int


class CreatedWebhook(TypedDict):
    """A webhook with a new secret. After a rotation, the previous secret also signs for 24 hours"""

    secret: NotRequired[str]
    id: WebhookSubscriptionId
    orgId: OrganizationId
    url: str
    events: list[str]
    description: Union[str, None]
    active: bool
    status: WebhookStatus
    previousSecretExpiresAt: Union[Instant, None]
    version: int
    createdAt: Instant
    updatedAt: Instant


class DaContract(TypedDict):
    """The authority that a carrier delegates to the organization: what it may bind on its own"""

    id: DaContractId
    orgId: OrganizationId
    carrier: str
    carrierNaicCode: Union[str, None]
    year: Union[int, None]
    status: DaContractStatus
    maxPolicyLimit: Dollars
    maxPremium: Dollars
    maxAnnualRevenue: Dollars
    maxAnnualPremiumVolume: Dollars
    linesOfBusiness: list[str]
    states: list[str]
    prohibitedNaics: list[str]
    referNaics: list[str]
    version: int
    createdAt: Instant
    updatedAt: Instant


class DaContractChanges(TypedDict):
    carrier: NotRequired[str]
    maxPolicyLimit: NotRequired[Dollars]
    maxPremium: NotRequired[Dollars]
    maxAnnualRevenue: NotRequired[Dollars]
    maxAnnualPremiumVolume: NotRequired[Dollars]
    linesOfBusiness: NotRequired[list[LineOfBusiness]]
    states: NotRequired[list[State]]
    year: NotRequired[Union[int, None]]
    status: NotRequired[DaContractStatus]
    carrierNaicCode: NotRequired[Union[str, None]]
    prohibitedNaics: NotRequired[list[NaicsCode]]
    referNaics: NotRequired[list[NaicsCode]]


class DaContractCreate(TypedDict):
    """A new contract. By default it covers every year, is active and excludes no class"""

    carrier: str
    maxPolicyLimit: Dollars
    maxPremium: Dollars
    maxAnnualRevenue: Dollars
    maxAnnualPremiumVolume: Dollars
    linesOfBusiness: list[LineOfBusiness]
    states: list[State]
    year: NotRequired[Union[int, None]]
    status: NotRequired[DaContractStatus]
    carrierNaicCode: NotRequired[Union[str, None]]
    prohibitedNaics: NotRequired[list[NaicsCode]]
    referNaics: NotRequired[list[NaicsCode]]


class DaContractPage(TypedDict):
    data: list[DaContract]
    nextCursor: Union[str, None]


class DaFlag(TypedDict):
    """A point where a risk reaches or exceeds the delegated authority"""

    code: str
    severity: Literal['block', 'refer', 'info']
    message: str
    limit: Union[float, str, None]
    actual: Union[float, str, None]
    referralId: Union[ReferralId, None]
    clearedBy: Union[ActorId, None]
    clearedAt: Union[Instant, None]


class DaUtilization(TypedDict):
    data: list[ContractUtilization]


class DealRoom(TypedDict):
    id: DealRoomId
    orgId: OrganizationId
    submissionId: SubmissionId
    name: str
    status: DealRoomStatus
    closeReason: Union[DealRoomCloseReason, None]
    closedAt: Union[Instant, None]
    closedBy: Union[ActorId, None]
    createdBy: ActorId
    participants: list[DealRoomParticipant]
    version: int
    createdAt: Instant
    updatedAt: Instant


class DealRoomCreate(TypedDict):
    submissionId: SubmissionId
    name: NotRequired[str]
    participants: list[DealRoomParticipantWrite]


class DealRoomDetail(TypedDict):
    id: DealRoomId
    orgId: OrganizationId
    submissionId: SubmissionId
    name: str
    status: DealRoomStatus
    closeReason: Union[DealRoomCloseReason, None]
    closedAt: Union[Instant, None]
    closedBy: Union[ActorId, None]
    createdBy: ActorId
    participants: list[DealRoomParticipant]
    version: int
    createdAt: Instant
    updatedAt: Instant
    readMarker: Union[dict[str, Any], None]


class DealRoomMessage(TypedDict):
    id: MessageId
    orgId: OrganizationId
    dealRoomId: DealRoomId
    authorId: UserSubject
    authorKind: Literal['user', 'api_key', 'machine']
    authorRole: Role
    body: str
    visibility: DealRoomMessageVisibility
    mentions: list[str]
    documentIds: list[DocumentId]
    createdAt: Instant
    updatedAt: Instant


class DealRoomMessageCreate(TypedDict):
    body: str
    visibility: NotRequired[DealRoomMessageVisibility]
    mentions: NotRequired[list[UserSubject]]
    documentIds: NotRequired[list[DocumentId]]


class DealRoomMessagePage(TypedDict):
    data: list[DealRoomMessage]
    nextCursor: Union[str, None]


class DealRoomPage(TypedDict):
    data: list[DealRoom]
    nextCursor: Union[str, None]


class DealRoomParticipant(TypedDict):
    userId: UserSubject
    role: DealRoomParticipantRole
    addedBy: ActorId
    addedAt: Instant


class DealRoomParticipantChanges(TypedDict):
    role: DealRoomParticipantRole


class DealRoomParticipantWrite(TypedDict):
    userId: UserSubject
    role: NotRequired[DealRoomParticipantRole]


class DealRoomReadMarker(TypedDict):
    lastReadMessageId: Union[MessageId, None]
    unreadCount: int


class DealRoomReadMarkerWrite(TypedDict):
    messageId: MessageId


class DealRoomSocket(TypedDict):
    """A signed address. It opens one socket, until it expires"""

    wsUrl: str
    expiresAt: Instant


class Decline(TypedDict):
    reason: str


Delegation = TypedDict(
  "Delegation",
  {
    "id": "DelegationId",
    "orgId": "OrganizationId",
    "fromUserId": "UserSubject",
    "toUserId": "UserSubject",
    "from": "BusinessDate",
    "to": "BusinessDate",
    "status": "Literal['planned', 'active', 'ended']",
    "endedAt": "Union[Instant, None]",
    "endedBy": "Union[ActorId, None]",
    "version": "int",
    "createdAt": "Instant",
    "updatedAt": "Instant",
  },
)


DelegationCreate = TypedDict(
  "DelegationCreate",
  {
    "toUserId": "UserSubject",
    "from": "BusinessDate",
    "to": "BusinessDate",
  },
)


class DelegationPage(TypedDict):
    data: list[Delegation]
    nextCursor: Union[str, None]


class DemoToken(TypedDict):
    token: str
    expiresAt: Instant
    orgId: OrganizationId


class DemoTokenRequest(TypedDict):
    secret: str


class DenyClaim(TypedDict):
    reason: str
    policyProvision: NotRequired[str]


class DepositLossFund(TypedDict):
    carrier: str
    amount: PositiveDollars
    reference: str


class Disbursement(TypedDict):
    """Money owed to the insured that leaves the trust by check or transfer"""

    id: DisbursementId
    orgId: OrganizationId
    refundId: RefundId
    invoiceId: Union[InvoiceId, None]
    policyId: Union[PolicyId, None]
    payee: Union[str, None]
    cause: Literal['refund', 'card_refund_failed']
    processorRefundId: Union[ExternalId, None]
    amount: Dollars
    cancelledAmount: Dollars
    status: DisbursementStatus
    owedOn: BusinessDate
    method: Union[Literal['check', 'transfer'], None]
    checkNumber: Union[str, None]
    reference: Union[str, None]
    issuedOn: Union[BusinessDate, None]
    clearedOn: Union[BusinessDate, None]
    stoppedOn: Union[BusinessDate, None]
    stopReason: Union[str, None]
    cancelledOn: Union[BusinessDate, None]
    cancelReason: Union[str, None]
    version: int
    createdAt: Instant
    updatedAt: Instant


class DisbursementPage(TypedDict):
    data: list[Disbursement]
    nextCursor: Union[str, None]


class Dispute(TypedDict):
    id: ExternalId
    status: str
    outcome: Literal['open', 'won', 'lost']
    amount: TotalDollars
    reason: Union[str, None]
    openedAt: Instant
    closedAt: Union[Instant, None]


class Document(TypedDict):
    """A document that was made or received. It is never changed or removed"""

    id: DocumentId
    orgId: OrganizationId
    kind: str
    fileName: str
    contentType: str
    size: int
    sha256: str
    entityType: Union[DocumentEntityType, None]
    entityId: Union[RecordId, None]
    version: int
    supersedes: Union[DocumentId, None]
    supersededBy: Union[DocumentId, None]
    templateVersion: Union[str, None]
    createdBy: ActorId
    downloadUrl: str
    expiresAt: Instant
    createdAt: Instant
    updatedAt: Instant


class DocumentPage(TypedDict):
    data: list[Document]
    nextCursor: Union[str, None]


class DocumentTemplate(TypedDict):
    kind: str
    templateVersion: str
    isDefault: bool
    html: Union[str, None]
    documentId: Union[DocumentId, None]
    fields: Union[dict[str, Any], None]
    names: list[str]


class DocumentTemplateInput(TypedDict):
    html: NotRequired[str]
    documentId: NotRequired[DocumentId]
    fields: NotRequired[dict[str, Any]]


class Endorse(TypedDict):
    effectiveDate: BusinessDate
    changes: TermChanges
    reason: NotRequired[str]
    applyToRenewal: NotRequired[bool]


class Endorsement(TypedDict):
    id: PolicyTransactionId
    orgId: OrganizationId
    policyId: PolicyId
    reverses: Union[PolicyTransactionId, None]
    documentId: Union[DocumentId, None]
    type: PolicyTransactionType
    status: PolicyTransactionStatus
    effectiveDate: BusinessDate
    issuedAt: Instant
    reason: Union[str, None]
    changes: dict[str, Any]
    premiumChange: SignedDollars
    feeChange: SignedDollars
    taxChange: SignedDollars
    totalChange: SignedDollars
    grossPremiumAfter: TotalDollars
    invoices: list[ChangedInvoice]
    credits: list[TransactionCredit]
    reapplied: list[dict[str, Any]]
    daFlags: list[DaFlag]
    triage: NotRequired[Triage]
    actor: ActorReference
    before: Union[dict[str, Any], None]
    after: Union[dict[str, Any], None]
    createdAt: Instant
    updatedAt: Instant
    renewalPolicyId: Union[PolicyId, None]
    renewalCarriesChange: Union[bool, None]
    renewalTransaction: Union[PolicyTransaction, None]


class EndorsementPreview(TypedDict):
    """The endorsement as it would be issued now. Nothing is written"""

    id: None
    documentId: None
    orgId: OrganizationId
    policyId: PolicyId
    reverses: Union[PolicyTransactionId, None]
    type: PolicyTransactionType
    status: PolicyTransactionStatus
    effectiveDate: BusinessDate
    reason: Union[str, None]
    changes: dict[str, Any]
    premiumChange: SignedDollars
    feeChange: SignedDollars
    taxChange: SignedDollars
    totalChange: SignedDollars
    grossPremiumAfter: TotalDollars
    invoices: list[ChangedInvoice]
    credits: list[TransactionCredit]
    reapplied: list[dict[str, Any]]
    daFlags: list[DaFlag]
    triage: NotRequired[Triage]
    actor: ActorReference
    before: Union[dict[str, Any], None]
    after: Union[dict[str, Any], None]
    issuedAt: None
    preview: Literal[True]
    renewalPolicyId: Union[PolicyId, None]
    renewalCarriesChange: Union[bool, None]
    renewalTransaction: Union[PolicyTransactionPreview, None]


class Envelope(TypedDict):
    """A document sent to the e-signature provider for signature"""

    id: EnvelopeId
    orgId: OrganizationId
    documentId: DocumentId
    signers: list[dict[str, Any]]
    policyId: Union[PolicyId, None]
    submissionId: Union[SubmissionId, None]
    appointmentId: Union[AppointmentId, None]
    status: EnvelopeStatus
    externalId: Union[ExternalId, None]
    expiresOn: BusinessDate
    sentAt: Union[Instant, None]
    remindedAt: Union[Instant, None]
    completedAt: Union[Instant, None]
    voidReason: Union[str, None]
    signedDocumentId: Union[DocumentId, None]
    createdBy: ActorId
    version: int
    createdAt: Instant
    updatedAt: Instant


class EnvelopeCreate(TypedDict):
    """A document to be signed. It may name the policy, submission or other resource that it is about"""

    documentId: DocumentId
    signers: list[dict[str, Any]]
    policyId: NotRequired[PolicyId]
    submissionId: NotRequired[SubmissionId]
    appointmentId: NotRequired[AppointmentId]


class EnvelopePage(TypedDict):
    data: list[Envelope]
    nextCursor: Union[str, None]


class EnvelopeVoid(TypedDict):
    reason: str


class Error_already_exists(TypedDict):
    """Returned with status 409"""

    error: Literal['already_exists']
    message: str
    details: dict[str, Any]
    requestId: RequestId


class Error_amount_exceeds_balance(TypedDict):
    """Returned with status 422"""

    error: Literal['amount_exceeds_balance']
    message: str
    details: dict[str, Any]
    requestId: RequestId


class Error_deal_room_closed(TypedDict):
    """Returned with status 422"""

    error: Literal['deal_room_closed']
    message: str
    details: dict[str, Any]
    requestId: RequestId


class Error_delegated_authority_exceeded(TypedDict):
    """Returned with status 422"""

    error: Literal['delegated_authority_exceeded']
    message: str
    details: dict[str, Any]
    requestId: RequestId


class Error_document_not_applicable(TypedDict):
    """Returned with status 422"""

    error: Literal['document_not_applicable']
    message: str
    details: dict[str, Any]
    requestId: RequestId


class Error_forbidden(TypedDict):
    """Returned with status 403"""

    error: Literal['forbidden']
    message: str
    details: dict[str, Any]
    requestId: RequestId


class Error_idempotency_in_progress(TypedDict):
    """Returned with status 409"""

    error: Literal['idempotency_in_progress']
    message: str
    details: dict[str, Any]
    requestId: RequestId


class Error_idempotency_key_reused(TypedDict):
    """Returned with status 409"""

    error: Literal['idempotency_key_reused']
    message: str
    details: dict[str, Any]
    requestId: RequestId


class Error_internal_error(TypedDict):
    """Returned with status 500"""

    error: Literal['internal_error']
    message: str
    details: dict[str, Any]
    requestId: RequestId


class Error_invalid_state_transition(TypedDict):
    """Returned with status 422"""

    error: Literal['invalid_state_transition']
    message: str
    details: dict[str, Any]
    requestId: RequestId


class Error_invoice_has_payments(TypedDict):
    """Returned with status 422"""

    error: Literal['invoice_has_payments']
    message: str
    details: dict[str, Any]
    requestId: RequestId


class Error_limit_exhausted(TypedDict):
    """Returned with status 422"""

    error: Literal['limit_exhausted']
    message: str
    details: dict[str, Any]
    requestId: RequestId


class Error_malformed_json(TypedDict):
    """Returned with status 400"""

    error: Literal['malformed_json']
    message: str
    details: dict[str, Any]
    requestId: RequestId


class Error_method_not_allowed(TypedDict):
    """Returned with status 405"""

    error: Literal['method_not_allowed']
    message: str
    details: dict[str, Any]
    requestId: RequestId


class Error_no_failed_payment(TypedDict):
    """Returned with status 422"""

    error: Literal['no_failed_payment']
    message: str
    details: dict[str, Any]
    requestId: RequestId


class Error_not_found(TypedDict):
    """Returned with status 404"""

    error: Literal['not_found']
    message: str
    details: dict[str, Any]
    requestId: RequestId


class Error_not_ready(TypedDict):
    """Returned with status 422"""

    error: Literal['not_ready']
    message: str
    details: dict[str, Any]
    requestId: RequestId


class Error_not_settled(TypedDict):
    """Returned with status 422"""

    error: Literal['not_settled']
    message: str
    details: dict[str, Any]
    requestId: RequestId


class Error_notice_period_not_met(TypedDict):
    """Returned with status 422"""

    error: Literal['notice_period_not_met']
    message: str
    details: dict[str, Any]
    requestId: RequestId


class Error_outside_policy_term(TypedDict):
    """Returned with status 422"""

    error: Literal['outside_policy_term']
    message: str
    details: dict[str, Any]
    requestId: RequestId


class Error_payload_too_large(TypedDict):
    """Returned with status 413"""

    error: Literal['payload_too_large']
    message: str
    details: dict[str, Any]
    requestId: RequestId


class Error_payment_declined(TypedDict):
    """Returned with status 422"""

    error: Literal['payment_declined']
    message: str
    details: dict[str, Any]
    requestId: RequestId


class Error_precondition_failed(TypedDict):
    """Returned with status 412"""

    error: Literal['precondition_failed']
    message: str
    details: dict[str, Any]
    requestId: RequestId


class Error_quote_expired(TypedDict):
    """Returned with status 422"""

    error: Literal['quote_expired']
    message: str
    details: dict[str, Any]
    requestId: RequestId


class Error_rate_limited(TypedDict):
    """Returned with status 429"""

    error: Literal['rate_limited']
    message: str
    details: dict[str, Any]
    requestId: RequestId


class Error_refund_exceeds_paid(TypedDict):
    """Returned with status 422"""

    error: Literal['refund_exceeds_paid']
    message: str
    details: dict[str, Any]
    requestId: RequestId


class Error_replayed(TypedDict):
    """Returned with status 409"""

    error: Literal['replayed']
    message: str
    details: dict[str, Any]
    requestId: RequestId


class Error_reserve_too_low(TypedDict):
    """Returned with status 422"""

    error: Literal['reserve_too_low']
    message: str
    details: dict[str, Any]
    requestId: RequestId


class Error_service_unavailable(TypedDict):
    """Returned with status 503"""

    error: Literal['service_unavailable']
    message: str
    details: dict[str, Any]
    requestId: RequestId


class Error_subscription_inactive(TypedDict):
    """Returned with status 422"""

    error: Literal['subscription_inactive']
    message: str
    details: dict[str, Any]
    requestId: RequestId


class Error_unauthenticated(TypedDict):
    """Returned with status 401"""

    error: Literal['unauthenticated']
    message: str
    details: dict[str, Any]
    requestId: RequestId


class Error_unreadable_document(TypedDict):
    """Returned with status 422"""

    error: Literal['unreadable_document']
    message: str
    details: dict[str, Any]
    requestId: RequestId


class Error_unsupported_media_type(TypedDict):
    """Returned with status 415"""

    error: Literal['unsupported_media_type']
    message: str
    details: dict[str, Any]
    requestId: RequestId


class Error_validation_failed(TypedDict):
    """Returned with status 400"""

    error: Literal['validation_failed']
    message: str
    details: dict[str, Any]
    requestId: RequestId


class EventPage(TypedDict):
    data: list[Event]
    nextCursor: Union[str, None]


class Event_autopay_disabled(TypedDict):
    """Autopay was switched off"""

    id: EventId
    type: Literal['autopay.disabled']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_autopay_enabled(TypedDict):
    """An insured has given a card for autopay"""

    id: EventId
    type: Literal['autopay.enabled']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_autopay_suspended(TypedDict):
    """A bill could not be charged to the card, and autopay was suspended: the insured must act"""

    id: EventId
    type: Literal['autopay.suspended']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_claim_closed(TypedDict):
    """A claim was closed"""

    id: EventId
    type: Literal['claim.closed']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_claim_filed(TypedDict):
    """A first notice of loss was received. You can also subscribe to it as `claim.opened`"""

    id: EventId
    type: Literal['claim.filed']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_claim_reserved(TypedDict):
    """Reserves were set or updated"""

    id: EventId
    type: Literal['claim.reserved']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_claim_settled(TypedDict):
    """A settlement was approved"""

    id: EventId
    type: Literal['claim.settled']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_compliance_deadline_approaching(TypedDict):
    """A filing is due or a license expires in 30, 7 or 1 days, or a statutory claim deadline is near"""

    id: EventId
    type: Literal['compliance.deadline_approaching']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_compliance_deadline_missed(TypedDict):
    """A filing was not made, or a statutory claim deadline was not met, by its due date"""

    id: EventId
    type: Literal['compliance.deadline_missed']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_da_limit_approaching(TypedDict):
    """More than 85 percent of a delegated-authority contract has been used"""

    id: EventId
    type: Literal['da.limit_approaching']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_disbursement_cancelled(TypedDict):
    """Money is no longer owed"""

    id: EventId
    type: Literal['disbursement.cancelled']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_disbursement_cleared(TypedDict):
    """A check was cashed"""

    id: EventId
    type: Literal['disbursement.cleared']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_disbursement_created(TypedDict):
    """Money is owed by check"""

    id: EventId
    type: Literal['disbursement.created']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_disbursement_issued(TypedDict):
    """A check was issued"""

    id: EventId
    type: Literal['disbursement.issued']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_disbursement_stopped(TypedDict):
    """A check was stopped"""

    id: EventId
    type: Literal['disbursement.stopped']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_financial_operation_failed(TypedDict):
    """An operation on money failed, its records disagree, or a notice to an insured was not sent or delivered. Someone must review it"""

    id: EventId
    type: Literal['financial.operation_failed']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_invoice_paid(TypedDict):
    """An invoice was paid in full"""

    id: EventId
    type: Literal['invoice.paid']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_journal_posted(TypedDict):
    """A manual journal entry was posted"""

    id: EventId
    type: Literal['journal.posted']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_payment_failed(TypedDict):
    """A payment attempt failed, or a payment was reversed"""

    id: EventId
    type: Literal['payment.failed']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_payment_received(TypedDict):
    """A premium payment was processed"""

    id: EventId
    type: Literal['payment.received']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_policy_audited(TypedDict):
    """A premium audit was completed"""

    id: EventId
    type: Literal['policy.audited']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_policy_bound(TypedDict):
    """A new policy was bound"""

    id: EventId
    type: Literal['policy.bound']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_policy_cancellation_scheduled(TypedDict):
    """A cancellation will take effect on a later day"""

    id: EventId
    type: Literal['policy.cancellation_scheduled']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_policy_cancellation_withdrawn(TypedDict):
    """A scheduled cancellation will not take effect"""

    id: EventId
    type: Literal['policy.cancellation_withdrawn']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_policy_cancelled(TypedDict):
    """A policy was cancelled"""

    id: EventId
    type: Literal['policy.cancelled']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_policy_endorsed(TypedDict):
    """A mid-term endorsement was applied"""

    id: EventId
    type: Literal['policy.endorsed']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_policy_expired(TypedDict):
    """The term has ended and was not renewed"""

    id: EventId
    type: Literal['policy.expired']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_policy_lapsed(TypedDict):
    """A policy was cancelled for non-payment; `policy.cancelled` says so too"""

    id: EventId
    type: Literal['policy.lapsed']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_policy_non_renewed(TypedDict):
    """Notice of non-renewal was given"""

    id: EventId
    type: Literal['policy.non_renewed']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_policy_payment_plan_changed(TypedDict):
    """Premium that was not yet due was billed again under another payment plan"""

    id: EventId
    type: Literal['policy.payment_plan_changed']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_policy_reinstated(TypedDict):
    """A cancelled policy was reinstated"""

    id: EventId
    type: Literal['policy.reinstated']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_policy_renewed(TypedDict):
    """A renewal policy was created"""

    id: EventId
    type: Literal['policy.renewed']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_referral_expired(TypedDict):
    """A referral has ended without a decision"""

    id: EventId
    type: Literal['referral.expired']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_referral_reminder(TypedDict):
    """A referral has waited 3, 7 or 12 days for its decision"""

    id: EventId
    type: Literal['referral.reminder']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_refund_approval_requested(TypedDict):
    """A refund waits for approval"""

    id: EventId
    type: Literal['refund.approval_requested']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_refund_approved(TypedDict):
    """A refund was approved"""

    id: EventId
    type: Literal['refund.approved']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_refund_rejected(TypedDict):
    """A refund was rejected"""

    id: EventId
    type: Literal['refund.rejected']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Event_webhook_test(TypedDict):
    """Someone tested a webhook"""

    id: EventId
    type: Literal['webhook.test']
    orgId: OrganizationId
    timestamp: Instant
    data: dict[str, Any]


class Fee(TypedDict):
    code: str
    amount: SignedDollars


class Filing(TypedDict):
    id: FilingId
    orgId: OrganizationId
    kind: str
    state: Union[str, None]
    dueDate: BusinessDate
    daysLeft: int
    status: FilingStatus
    policyId: Union[PolicyId, None]
    transactionId: Union[PolicyTransactionId, None]
    producerId: Union[ProducerId, None]
    appointmentId: Union[AppointmentId, None]
    claimId: Union[ClaimId, None]
    carrier: Union[str, None]
    contractId: Union[DaContractId, None]
    period: Union[str, None]
    reference: Union[str, None]
    filedOn: Union[BusinessDate, None]
    filedBy: Union[ActorId, None]
    version: int
    createdAt: Instant
    updatedAt: Instant


class FilingChange(TypedDict):
    status: Literal['filed']
    reference: str


class FilingPage(TypedDict):
    data: list[Filing]
    nextCursor: Union[str, None]


class Flag(TypedDict):
    key: str
    description: str
    type: Literal['boolean', 'number', 'string', 'json']
    defaultValue: Any
    override: Any
    value: Any


class FlagPage(TypedDict):
    data: list[Flag]
    nextCursor: Union[str, None]


class FlagWrite(TypedDict):
    value: Any


class Front(TypedDict):
    name: str
    version: str
    description: str
    links: dict[str, Any]


class GenerateCertificate(TypedDict):
    policyId: PolicyId
    holder: dict[str, Any]
    notifyHolder: NotRequired[bool]
    description: NotRequired[str]
    additionalInsured: NotRequired[bool]
    waiverOfSubrogation: NotRequired[bool]


class Health(TypedDict):
    status: Literal['ok']


class HeldPayee(TypedDict):
    id: PayeeHoldId
    code: str
    step: PayeeHoldStep
    payee: NotRequired[str]
    heldOn: BusinessDate
    clearableBy: list[Role]


class IdentityInquiry(TypedDict):
    producerId: ProducerId
    inquiryId: ExternalId
    url: Union[str, None]


class InboundReceipt(TypedDict):
    received: NotRequired[Literal[True]]
    deduplicated: NotRequired[Literal[True]]


class IngestedDocument(TypedDict):
    id: DocumentId
    classification: dict[str, Any]
    extracted: dict[str, Any]
    needsReview: bool
    readFrom: Literal['form', 'text', 'name']


class InstallmentOption(TypedDict):
    plan: InstallmentPlan
    schedule: list[dict[str, Any]]


class InsuredContact(TypedDict):
    """`undeliverable`: the organization's e-mail to this address bounced or drew a complaint, so no more is sent. PATCH the policy with a new address, or with the same one once it accepts mail again"""

    email: Union[str, None]
    phone: Union[str, None]
    undeliverable: bool


class InvestigateClaim(TypedDict):
    adjusterId: NotRequired[UserSubject]
    notes: NotRequired[str]


class InvitedUser(TypedDict):
    id: UserId
    orgId: OrganizationId
    email: str
    name: str
    role: UserRole
    active: bool
    status: UserStatus
    origin: UserOrigin
    emailVerified: bool
    producerIds: list[ProducerId]
    version: int
    createdAt: Instant
    updatedAt: Instant
    invitationSent: bool


class Invoice(TypedDict):
    id: InvoiceId
    orgId: OrganizationId
    invoiceNumber: str
    policyId: PolicyId
    insuredName: str
    status: InvoiceStatus
    installmentNumber: int
    installmentCount: int
    issueDate: BusinessDate
    dueDate: BusinessDate
    lines: list[InvoiceLine]
    total: TotalDollars
    paidAmount: TotalDollars
    refundedAmount: TotalDollars
    balance: TotalDollars
    disputed: bool
    payments: list[Payment]
    lastPaymentError: Union[PaymentError, None]
    reissueOf: Union[str, None]
    restOf: Union[str, None]
    reissuedAs: Union[str, None]
    version: int
    createdAt: Instant
    updatedAt: Instant


class InvoiceDetail(TypedDict):
    id: InvoiceId
    orgId: OrganizationId
    invoiceNumber: str
    policyId: PolicyId
    insuredName: str
    status: InvoiceStatus
    installmentNumber: int
    installmentCount: int
    issueDate: BusinessDate
    dueDate: BusinessDate
    lines: list[InvoiceLine]
    total: TotalDollars
    paidAmount: TotalDollars
    refundedAmount: TotalDollars
    balance: TotalDollars
    disputed: bool
    payments: list[Payment]
    lastPaymentError: Union[PaymentError, None]
    reissueOf: Union[str, None]
    restOf: Union[str, None]
    reissuedAs: Union[str, None]
    version: int
    createdAt: Instant
    updatedAt: Instant
    policy: NotRequired[Union[Policy, None]]


class InvoiceLine(TypedDict):
    kind: Literal['premium', 'fee', 'tax', 'credit']
    code: str
    description: str
    amount: SignedDollars


class InvoicePage(TypedDict):
    data: list[InvoiceDetail]
    nextCursor: Union[str, None]


class InvoiceReference(TypedDict):
    id: InvoiceId
    invoiceNumber: str
    dueDate: BusinessDate
    total: TotalDollars


class IssueDisbursement(TypedDict):
    checkNumber: NotRequired[str]
    reference: NotRequired[str]
    issuedOn: NotRequired[BusinessDate]


class IssueMcs90(TypedDict):
    cargo: NotRequired[Literal['non_hazardous', 'oil', 'hazardous', 'bulk_hazardous']]


class IssuedCertificate(TypedDict):
    id: CertificateId
    certificateNumber: str
    supersedes: Union[CertificateId, None]
    documentId: DocumentId
    downloadUrl: str
    expiresAt: Instant


class IssuedMcs90(TypedDict):
    documentId: DocumentId
    downloadUrl: str
    expiresAt: Instant


class Journal(TypedDict):
    """A manual ledger entry. It is posted once someone else has approved it"""

    id: JournalId
    orgId: OrganizationId
    status: JournalStatus
    ledger: LedgerName
    date: BusinessDate
    description: str
    lines: list[LedgerLine]
    policyId: Union[PolicyId, None]
    invoiceId: Union[InvoiceId, None]
    completesStep: Union[CompletedStep, None]
    madeBy: ActorId
    decidedBy: Union[ActorId, None]
    decidedAt: Union[Instant, None]
    reason: Union[str, None]
    entryId: Union[LedgerEntryId, None]
    createdAt: Instant
    updatedAt: Instant


class JournalLine(TypedDict):
    """A line has either a debit or a credit, in dollars above zero"""

    account: LedgerAccountNumber
    debit: NotRequired[EntryDollars]
    credit: NotRequired[EntryDollars]


class JournalPage(TypedDict):
    data: list[Journal]
    nextCursor: Union[str, None]


class JournalRejection(TypedDict):
    reason: str


class JournalWrite(TypedDict):
    ledger: LedgerName
    date: NotRequired[BusinessDate]
    description: str
    lines: list[JournalLine]
    policyId: NotRequired[PolicyId]
    invoiceId: NotRequired[InvoiceId]
    completesStep: NotRequired[CompletedStep]


class LedgerAccount(TypedDict):
    account: int
    name: str
    kind: Literal['asset', 'liability', 'revenue', 'expense']
    fiduciary: bool
    balance: SignedDollars


class LedgerAccounts(TypedDict):
    data: list[LedgerAccount]
    nextCursor: None


class LedgerEntry(TypedDict):
    id: LedgerEntryId
    orgId: OrganizationId
    ledger: LedgerName
    entryType: str
    date: BusinessDate
    originalDate: Union[BusinessDate, None]
    description: str
    sourceType: str
    sourceId: RecordId
    reversesEntryId: Union[LedgerEntryId, None]
    policyId: Union[PolicyId, None]
    invoiceId: Union[InvoiceId, None]
    lines: list[LedgerLine]
    createdAt: Instant
    updatedAt: Instant


class LedgerEntryPage(TypedDict):
    data: list[LedgerEntry]
    nextCursor: Union[str, None]


class LedgerLine(TypedDict):
    account: int
    debit: TotalDollars
    credit: TotalDollars


class LedgerPeriod(TypedDict):
    id: LedgerPeriodId
    orgId: OrganizationId
    month: Month
    lastDay: BusinessDate
    status: Literal['closed', 'reopened']
    balances: Union[list[LedgerPeriodBalance], None]
    closedBy: ActorId
    closedAt: Instant
    reopenedBy: Union[ActorId, None]
    reopenedAt: Union[Instant, None]
    reopenReason: Union[str, None]
    version: int
    createdAt: Instant
    updatedAt: Instant


class LedgerPeriodBalance(TypedDict):
    account: LedgerAccountNumber
    balance: SignedDollars


class LedgerPeriodPage(TypedDict):
    data: list[LedgerPeriod]
    nextCursor: Union[str, None]


class LicenseInput(TypedDict):
    state: State
    number: str
    lines: NotRequired[list[LineOfBusiness]]
    status: NotRequired[LicenseStatus]
    expirationDate: BusinessDate


class ListedSubmission(TypedDict):
    id: SubmissionId
    orgId: OrganizationId
    status: SubmissionStatus
    insuredName: Union[str, None]
    naicsCode: Union[str, None]
    annualRevenue: Union[Dollars, None]
    requestedLimit: Union[Dollars, None]
    effectiveDate: Union[BusinessDate, None]
    state: Union[str, None]
    lineOfBusiness: Union[str, None]
    producerId: Union[ProducerId, None]
    insuredEmail: Union[str, None]
    insuredPhone: Union[str, None]
    insuredAddress: Union[Address, None]
    deductible: Union[Dollars, None]
    lossesLast5Years: Union[int, None]
    yearsInBusiness: Union[int, None]
    usdotNumber: Union[str, None]
    description: Union[str, None]
    missingFields: list[str]
    triage: Union[Triage, None]
    clearance: Union[Clearance, None]
    quoteId: Union[QuoteId, None]
    policyId: Union[PolicyId, None]
    declineReason: Union[str, None]
    expiresOn: Union[BusinessDate, None]
    createdBy: ActorId
    version: int
    createdAt: Instant
    updatedAt: Instant
    quote: NotRequired[Union[Quote, None]]


class LossCoverage(TypedDict):
    """The policy on the day of the loss; null outside of its term"""

    status: Union[PolicyStatus, None]
    limit: Union[Dollars, None]
    aggregateLimit: Union[Dollars, None]
    deductible: Union[Dollars, None]


class LossDevelopment(TypedDict):
    months: int
    isOpen: bool
    incurred: SignedDollars
    paid: SignedDollars


class LossFund(TypedDict):
    carrier: str
    balance: TotalDollars
    requested: TotalDollars


class LossFundDeposit(TypedDict):
    id: LossFundDepositId
    orgId: OrganizationId
    carrier: str
    amount: Dollars
    reference: str
    depositedOn: BusinessDate
    balance: TotalDollars
    createdAt: Instant


class LossFunds(TypedDict):
    data: list[LossFund]
    nextCursor: None


class LossTriangle(TypedDict):
    orgId: OrganizationId
    asOf: BusinessDate
    data: list[AccidentYear]


class NextPayment(TypedDict):
    invoiceId: InvoiceId
    invoiceNumber: str
    policyId: PolicyId
    dueDate: BusinessDate
    amount: Dollars


class NonRenew(TypedDict):
    """The notice must be given as many days before expiration as the state requires"""

    reason: str


class NonRenewal(TypedDict):
    """The notice that the policy will not be renewed"""

    reason: str
    noticeDate: BusinessDate


class NonRenewedPolicy(TypedDict):
    id: PolicyId
    orgId: OrganizationId
    policyNumber: str
    status: PolicyStatus
    statuses: list[PolicyStanding]
    submissionId: Union[SubmissionId, None]
    quoteId: Union[QuoteId, None]
    producerId: Union[ProducerId, None]
    insuredId: InsuredId
    insuredName: str
    insuredEmail: Union[str, None]
    insuredPhone: Union[str, None]
    contact: InsuredContact
    insuredAddress: Union[Address, None]
    contactAddress: Union[Address, None]
    naicsCode: str
    state: str
    lineOfBusiness: str
    limit: Dollars
    aggregateLimit: Dollars
    deductible: Dollars
    annualRevenue: Dollars
    effectiveDate: BusinessDate
    expirationDate: BusinessDate
    grossPremium: TotalDollars
    fees: list[Fee]
    taxes: list[Tax]
    totalDue: TotalDollars
    unbilledAmount: TotalDollars
    claims: dict[str, Any]
    installmentPlan: InstallmentPlan
    additionalInsureds: list[AdditionalInsured]
    conditions: list[str]
    usdotNumber: Union[str, None]
    renewalOf: Union[str, None]
    renewalPolicyId: Union[PolicyId, None]
    cancellation: Union[Cancellation, None]
    nonRenewal: Union[NonRenewal, None]
    scheduledChanges: list[ScheduledChange]
    boundAt: Instant
    version: int
    createdAt: Instant
    updatedAt: Instant
    preview: NotRequired[Literal[True]]


class OneTimeCode(TypedDict):
    policyNumber: str
    otp: str


class OneTimeCodeRequest(TypedDict):
    policyNumber: str


class OneTimeCodeSent(TypedDict):
    sent: Literal[True]
    expiresInSeconds: int


class Operator(TypedDict):
    orgId: OrganizationId
    userId: UserSubject


class Organization(TypedDict):
    id: OrganizationId
    uuid: str
    name: str
    tier: Tier
    emailDomains: list[str]
    paymentInstructions: list[str]
    version: int
    createdAt: Instant
    updatedAt: Instant


class OrganizationChanges(TypedDict):
    name: NotRequired[str]
    tier: NotRequired[Tier]
    emailDomains: NotRequired[list[str]]
    paymentInstructions: NotRequired[list[str]]


class OrganizationCreate(TypedDict):
    name: str
    tier: NotRequired[Tier]


class OrganizationPage(TypedDict):
    data: list[Organization]
    nextCursor: Union[str, None]


class Pay(TypedDict):
    amount: PaymentDollars
    method: Literal['check', 'ach', 'wire', 'cash']
    reference: str
    receivedDate: NotRequired[BusinessDate]
    unapplied: NotRequired[bool]


class PayClaim(TypedDict):
    kind: ClaimPaymentKind
    amount: PaymentDollars
    payee: str
    reference: NotRequired[str]


class PayeeHold(TypedDict):
    """A payee whose name is on a sanctions list. Nothing is paid to them"""

    id: PayeeHoldId
    orgId: OrganizationId
    claimId: ClaimId
    status: Literal['held', 'cleared']
    step: PayeeHoldStep
    payee: str
    matches: list[SanctionsMatch]
    heldOn: BusinessDate
    clearableBy: list[Role]
    clearedBy: Union[ActorId, None]
    clearedOn: Union[BusinessDate, None]
    createdAt: Instant
    updatedAt: Instant


class PayeeHoldPage(TypedDict):
    data: list[PayeeHold]
    nextCursor: Union[str, None]


class Payloads(TypedDict):
    """Temporal payloads, as its web interface and CLI send them to a codec server"""

    payloads: NotRequired[list[dict[str, Any]]]


class Payment(TypedDict):
    id: PaymentOrRefundId
    orgId: OrganizationId
    invoiceId: Union[InvoiceId, None]
    kind: PaymentKind
    amount: SignedDollars
    reference: str
    method: PaymentMethod
    status: PaymentStatus
    receivedDate: BusinessDate
    receivedAt: Instant
    createdAt: Instant
    updatedAt: Instant
    version: int
    unappliedAmount: NotRequired[TotalDollars]
    appliedFrom: NotRequired[PaymentId]
    requiresManualReview: NotRequired[bool]
    chargeback: NotRequired[bool]
    reversal: NotRequired[bool]
    reverses: NotRequired[Union[PaymentId, None]]
    coveredAmount: NotRequired[TotalDollars]
    dispute: NotRequired[Dispute]
    reason: NotRequired[Union[str, None]]


class PaymentError(TypedDict):
    code: Union[str, None]
    message: str
    at: Instant


class PaymentIntent(TypedDict):
    paymentIntentId: ExternalId
    clientSecret: NotRequired[str]
    amount: SignedDollars
    currency: Literal['usd']
    status: str


class PaymentPage(TypedDict):
    data: list[Payment]
    nextCursor: Union[str, None]


class PaymentPlan(TypedDict):
    installmentPlan: InstallmentPlan
    reason: NotRequired[str]


class PayoutWrite(TypedDict):
    producerId: ProducerId
    through: BusinessDate


class PermissionCheck(TypedDict):
    action: Literal['submission:create', 'submission:read', 'submission:update', 'submission:quote', 'submission:bind', 'submission:withdraw', 'submission:decline', 'policy:read', 'policy:update', 'policy:endorse', 'policy:cancel', 'policy:reinstate', 'policy:renew', 'policy:non_renew', 'policy:audit', 'policy:change_payment_plan', 'policy:issue_mcs90', 'renewal:run', 'renewal:read', 'billing_hold:manage', 'billing_hold:read', 'claim:create', 'claim:read', 'claim:read_phi', 'claim:investigate', 'claim:assign', 'claim:reserve', 'claim:settle', 'claim:approve', 'claim:pay', 'claim:deny', 'claim:close', 'claim:reopen', 'claim:attach', 'invoice:read', 'invoice:collect', 'invoice:print', 'invoice:record_payment', 'invoice:void', 'invoice:write_off', 'invoice:refund', 'refund:read', 'refund:approve', 'disbursement:read', 'disbursement:manage', 'loss_fund:read', 'loss_fund:deposit', 'ledger:read', 'journal:create', 'journal:decide', 'ledger:reconcile', 'ledger:close', 'ledger:reopen', 'commission:read', 'commission_statement:read', 'remittance:read', 'remittance:prepare', 'remittance:decide', 'document:read', 'unfiled_document:read', 'document_template:read', 'document_template:write', 'document:ingest', 'document:render', 'coi:generate', 'envelope:read', 'envelope:create', 'envelope:void', 'webhook:read', 'webhook:manage', 'event:read', 'producer:create', 'producer:read', 'producer:update', 'producer_member:read', 'producer_member:manage', 'appointment:create', 'appointment:read', 'appointment:update', 'filing:read', 'filing:update', 'sanctions:read', 'sanctions:clear', 'deal_room:create', 'deal_room:read', 'deal_room:post', 'deal_room:mark_read', 'deal_room:manage', 'deal_room:close', 'referral:create', 'referral:read', 'referral:decide', 'delegation:create', 'delegation:read', 'delegation:end', 'flag:read', 'flag:write', 'flag:control', 'analytics:read', 'receivables:read', 'bordereau:read', 'bordereau:create', 'audit:read', 'user:read', 'user:invite', 'user:update', 'authority:read', 'authority:write', 'api_key:read', 'api_key:manage', 'organization:create', 'organization:read', 'organization:update', 'organization:operate', 'da_contract:read', 'da_contract:create', 'da_contract:tighten', 'da_contract:update', 'rate_table:read', 'rate_table:write', 'commission_schedule:read', 'commission_schedule:write', 'commission_terms:read', 'commission_terms:write', 'permission:read', 'payload:decode', 'payload:encode', 'test_clock:read', 'test_clock:advance', 'portal:use']
    resource: NotRequired[Union[str, None]]


class PermissionDecision(TypedDict):
    action: str
    resource: Union[str, None]
    allowed: bool
    denial: Union[dict[str, Any], None]


class Policy(TypedDict):
    id: PolicyId
    orgId: OrganizationId
    policyNumber: str
    status: PolicyStatus
    statuses: list[PolicyStanding]
    submissionId: Union[SubmissionId, None]
    quoteId: Union[QuoteId, None]
    producerId: Union[ProducerId, None]
    insuredId: InsuredId
    insuredName: str
    insuredEmail: Union[str, None]
    insuredPhone: Union[str, None]
    contact: InsuredContact
    insuredAddress: Union[Address, None]
    contactAddress: Union[Address, None]
    naicsCode: str
    state: str
    lineOfBusiness: str
    limit: Dollars
    aggregateLimit: Dollars
    deductible: Dollars
    annualRevenue: Dollars
    effectiveDate: BusinessDate
    expirationDate: BusinessDate
    grossPremium: TotalDollars
    fees: list[Fee]
    taxes: list[Tax]
    totalDue: TotalDollars
    unbilledAmount: TotalDollars
    claims: dict[str, Any]
    installmentPlan: InstallmentPlan
    additionalInsureds: list[AdditionalInsured]
    conditions: list[str]
    usdotNumber: Union[str, None]
    renewalOf: Union[str, None]
    renewalPolicyId: Union[PolicyId, None]
    cancellation: Union[Cancellation, None]
    nonRenewal: Union[NonRenewal, None]
    scheduledChanges: list[ScheduledChange]
    boundAt: Instant
    version: int
    createdAt: Instant
    updatedAt: Instant


class PolicyContact(TypedDict):
    """The contact on file"""

    insuredEmail: NotRequired[EmailAddress]
    insuredPhone: NotRequired[ChangedPhoneNumber]


class PolicyDetail(TypedDict):
    id: PolicyId
    orgId: OrganizationId
    policyNumber: str
    status: PolicyStatus
    statuses: list[PolicyStanding]
    submissionId: Union[SubmissionId, None]
    quoteId: Union[QuoteId, None]
    producerId: Union[ProducerId, None]
    insuredId: InsuredId
    insuredName: str
    insuredEmail: Union[str, None]
    insuredPhone: Union[str, None]
    contact: InsuredContact
    insuredAddress: Union[Address, None]
    contactAddress: Union[Address, None]
    naicsCode: str
    state: str
    lineOfBusiness: str
    limit: Dollars
    aggregateLimit: Dollars
    deductible: Dollars
    annualRevenue: Dollars
    effectiveDate: BusinessDate
    expirationDate: BusinessDate
    grossPremium: TotalDollars
    fees: list[Fee]
    taxes: list[Tax]
    totalDue: TotalDollars
    unbilledAmount: TotalDollars
    claims: dict[str, Any]
    installmentPlan: InstallmentPlan
    additionalInsureds: list[AdditionalInsured]
    conditions: list[str]
    usdotNumber: Union[str, None]
    renewalOf: Union[str, None]
    renewalPolicyId: Union[PolicyId, None]
    cancellation: Union[Cancellation, None]
    nonRenewal: Union[NonRenewal, None]
    scheduledChanges: list[ScheduledChange]
    boundAt: Instant
    version: int
    createdAt: Instant
    updatedAt: Instant
    invoices: NotRequired[Union[list[Invoice], None]]


class PolicyNotice(TypedDict):
    id: SentMailId
    policyId: PolicyId
    messageId: ExternalId
    kind: str
    on: BusinessDate
    outcome: Literal['sent', 'no_address', 'undeliverable']
    sentAt: Union[Instant, None]
    deliveredAt: Union[Instant, None]
    openedAt: Union[Instant, None]
    bouncedAt: Union[Instant, None]
    failedAt: Union[Instant, None]
    complainedAt: Union[Instant, None]


class PolicyNoticePage(TypedDict):
    data: list[PolicyNotice]
    nextCursor: Union[str, None]


class PolicyPage(TypedDict):
    data: list[Policy]
    nextCursor: Union[str, None]


PolicyStatement = TypedDict(
  "PolicyStatement",
  {
    "policyId": "PolicyId",
    "policyNumber": "str",
    "insuredName": "str",
    "from": "BusinessDate",
    "to": "BusinessDate",
    "openingBalance": "SignedDollars",
    "lines": "list[StatementLine]",
    "due": "StatementDue",
    "paymentInstructions": "NotRequired[list[str]]",
    "closingBalance": "SignedDollars",
  },
)


class PolicyTransaction(TypedDict):
    id: PolicyTransactionId
    orgId: OrganizationId
    policyId: PolicyId
    reverses: Union[PolicyTransactionId, None]
    documentId: Union[DocumentId, None]
    type: PolicyTransactionType
    status: PolicyTransactionStatus
    effectiveDate: BusinessDate
    issuedAt: Instant
    reason: Union[str, None]
    changes: dict[str, Any]
    premiumChange: SignedDollars
    feeChange: SignedDollars
    taxChange: SignedDollars
    totalChange: SignedDollars
    grossPremiumAfter: TotalDollars
    invoices: list[ChangedInvoice]
    credits: list[TransactionCredit]
    reapplied: list[dict[str, Any]]
    daFlags: list[DaFlag]
    triage: NotRequired[Triage]
    actor: ActorReference
    before: Union[dict[str, Any], None]
    after: Union[dict[str, Any], None]
    createdAt: Instant
    updatedAt: Instant


class PolicyTransactionPage(TypedDict):
    data: list[PolicyTransaction]
    nextCursor: Union[str, None]


class PolicyTransactionPreview(TypedDict):
    """The transaction as it would be issued now. Nothing is written"""

    id: None
    documentId: None
    orgId: OrganizationId
    policyId: PolicyId
    reverses: Union[PolicyTransactionId, None]
    type: PolicyTransactionType
    status: PolicyTransactionStatus
    effectiveDate: BusinessDate
    reason: Union[str, None]
    changes: dict[str, Any]
    premiumChange: SignedDollars
    feeChange: SignedDollars
    taxChange: SignedDollars
    totalChange: SignedDollars
    grossPremiumAfter: TotalDollars
    invoices: list[ChangedInvoice]
    credits: list[TransactionCredit]
    reapplied: list[dict[str, Any]]
    daFlags: list[DaFlag]
    triage: NotRequired[Triage]
    actor: ActorReference
    before: Union[dict[str, Any], None]
    after: Union[dict[str, Any], None]
    issuedAt: None
    preview: Literal[True]


class PolicyholderToken(TypedDict):
    token: str
    role: Literal['policyholder']
    orgId: OrganizationId
    sub: str
    policyNumber: str
    insuredName: str


class PortalClaim(TypedDict):
    """The status of a claim, without its texts, amounts and reserves"""

    id: ClaimId
    orgId: OrganizationId
    claimNumber: str
    status: ClaimStatus
    policyId: PolicyId
    policyNumber: str
    insuredName: str
    state: str
    lineOfBusiness: str
    lossDate: BusinessDate
    reportedDate: BusinessDate
    acknowledgedOn: Union[BusinessDate, None]
    decidedOn: Union[BusinessDate, None]
    closedAt: Union[Instant, None]
    version: int
    createdAt: Instant
    updatedAt: Instant
    deductible: Union[Dollars, None]


class PortalClaimPage(TypedDict):
    data: list[PortalClaim]
    nextCursor: Union[str, None]


class PortalDocument(TypedDict):
    id: DocumentId
    orgId: OrganizationId
    kind: str
    fileName: str
    contentType: str
    size: int
    sha256: str
    entityType: Union[DocumentEntityType, None]
    entityId: Union[RecordId, None]
    version: int
    supersedes: Union[DocumentId, None]
    supersededBy: Union[DocumentId, None]
    downloadUrl: str
    expiresAt: Instant
    createdAt: Instant
    updatedAt: Instant


class PortalDocumentPage(TypedDict):
    data: list[PortalDocument]
    nextCursor: Union[str, None]


class PortalDownload(TypedDict):
    url: str
    expiresAt: Instant


class PortalHome(TypedDict):
    policies: list[PortalPolicy]
    openInvoices: list[PortalInvoice]
    nextPayment: Union[NextPayment, None]
    openClaims: list[PortalClaim]
    documents: list[PortalDocument]


class PortalInvoice(TypedDict):
    """An invoice as the insured sees it"""

    id: InvoiceId
    orgId: OrganizationId
    invoiceNumber: str
    policyId: PolicyId
    insuredName: str
    status: InvoiceStatus
    installmentNumber: int
    installmentCount: int
    issueDate: BusinessDate
    dueDate: BusinessDate
    lines: list[InvoiceLine]
    total: TotalDollars
    paidAmount: TotalDollars
    refundedAmount: TotalDollars
    balance: TotalDollars
    disputed: bool
    payments: list[PortalPayment]
    lastPaymentError: Union[PaymentError, None]
    reissueOf: Union[str, None]
    restOf: Union[str, None]
    reissuedAs: Union[str, None]
    version: int
    createdAt: Instant
    updatedAt: Instant


class PortalInvoicePage(TypedDict):
    data: list[PortalInvoice]
    nextCursor: Union[str, None]


class PortalNotice(TypedDict):
    """A first notice of loss by the insured"""

    policyId: NotRequired[PolicyId]
    lossDate: BusinessDate
    description: str
    cause: NotRequired[str]
    lossLocation: NotRequired[str]
    claimant: NotRequired[ClaimantInput]
    estimatedAmount: NotRequired[Dollars]
    containsPhi: NotRequired[bool]


class PortalPayment(TypedDict):
    id: PaymentOrRefundId
    kind: PaymentKind
    amount: SignedDollars
    reference: str
    method: PaymentMethod
    status: PaymentStatus
    receivedDate: BusinessDate
    receivedAt: Instant


class PortalPolicy(TypedDict):
    """A policy as its insured sees it"""

    id: PolicyId
    orgId: OrganizationId
    policyNumber: str
    status: PolicyStatus
    statuses: list[PolicyStanding]
    insuredId: InsuredId
    insuredName: str
    insuredEmail: Union[str, None]
    insuredPhone: Union[str, None]
    contact: InsuredContact
    insuredAddress: Union[Address, None]
    contactAddress: Union[Address, None]
    naicsCode: str
    state: str
    lineOfBusiness: str
    limit: Dollars
    aggregateLimit: Dollars
    deductible: Dollars
    annualRevenue: Dollars
    effectiveDate: BusinessDate
    expirationDate: BusinessDate
    grossPremium: TotalDollars
    fees: list[Fee]
    taxes: list[Tax]
    totalDue: TotalDollars
    unbilledAmount: TotalDollars
    installmentPlan: InstallmentPlan
    additionalInsureds: list[AdditionalInsured]
    conditions: list[str]
    usdotNumber: Union[str, None]
    renewalOf: Union[str, None]
    renewalPolicyId: Union[PolicyId, None]
    cancellation: Union[Cancellation, None]
    nonRenewal: Union[NonRenewal, None]
    scheduledChanges: list[ScheduledChange]
    boundAt: Instant
    version: int
    createdAt: Instant
    updatedAt: Instant
    openClaims: int


class PortalPolicyPage(TypedDict):
    data: list[PortalPolicy]
    nextCursor: Union[str, None]


class PortalProfile(TypedDict):
    insuredId: InsuredId
    orgId: OrganizationId
    policyId: PolicyId
    policyNumber: str
    name: str
    email: Union[str, None]
    phone: Union[str, None]
    address: Union[Address, None]
    version: int
    createdAt: Instant
    updatedAt: Instant


class PortalProfileChange(TypedDict):
    """Fields that you leave out stay as they are"""

    phone: NotRequired[ChangedPhoneNumber]
    address: NotRequired[AddressInput]


Portfolio = TypedDict(
  "Portfolio",
  {
    "orgId": "OrganizationId",
    "from": "BusinessDate",
    "to": "BusinessDate",
    "grossWrittenPremium": "SignedDollars",
    "inForcePremium": "SignedDollars",
    "earnedPremium": "SignedDollars",
    "unearnedPremium": "SignedDollars",
    "incurredLosses": "SignedDollars",
    "paidLosses": "SignedDollars",
    "lossRatio": "Union[float, None]",
    "paidLossRatio": "Union[float, None]",
    "bindingCount": "int",
    "quoteCount": "int",
    "hitRatio": "Union[float, None]",
    "policyCount": "int",
    "groupBy": "NotRequired[AnalyticsGrouping]",
    "groups": "NotRequired[list[PortfolioGroup]]",
  },
)


class PortfolioGroup(TypedDict):
    key: Union[str, None]
    grossWrittenPremium: SignedDollars
    inForcePremium: SignedDollars
    earnedPremium: SignedDollars
    unearnedPremium: SignedDollars
    incurredLosses: SignedDollars
    paidLosses: SignedDollars
    lossRatio: Union[float, None]
    paidLossRatio: Union[float, None]
    bindingCount: int
    quoteCount: int
    hitRatio: Union[float, None]
    policyCount: int


class PremiumAudit(TypedDict):
    actualRevenue: Dollars
    reason: NotRequired[str]


class Producer(TypedDict):
    id: ProducerId
    orgId: OrganizationId
    parentId: Union[ProducerId, None]
    name: str
    email: Union[str, None]
    phone: Union[str, None]
    npn: Union[str, None]
    status: ProducerStatus
    licenses: list[dict[str, Any]]
    address: Union[Address, None]
    identity: Union[dict[str, Any], None]
    version: int
    createdAt: Instant
    updatedAt: Instant


class ProducerChanges(TypedDict):
    name: NotRequired[str]
    email: NotRequired[Union[EmailAddress, None]]
    phone: NotRequired[Union[ChangedPhoneNumber, None]]
    address: NotRequired[Union[AddressInput, None]]
    licenses: NotRequired[list[LicenseInput]]
    parentId: NotRequired[Union[ProducerId, None]]
    status: NotRequired[ProducerStatus]


class ProducerCommissionTerm(TypedDict):
    id: ProducerTermId
    orgId: OrganizationId
    producerId: ProducerId
    lineOfBusiness: str
    effectiveFrom: BusinessDate
    agentRate: Union[str, None]
    createdBy: ActorId
    createdAt: Instant
    updatedAt: Instant


class ProducerCommissionTermPage(TypedDict):
    data: list[ProducerCommissionTerm]
    nextCursor: Union[str, None]


class ProducerCommissionTermWrite(TypedDict):
    lineOfBusiness: LineOfBusiness
    agentRate: Union[str, None]
    effectiveFrom: NotRequired[BusinessDate]


class ProducerCreate(TypedDict):
    """A new producer is `pending` until their identity has been verified"""

    name: str
    npn: NotRequired[str]
    licenses: NotRequired[list[LicenseInput]]
    parentId: NotRequired[ProducerId]
    email: NotRequired[EmailAddress]
    phone: NotRequired[PhoneNumber]
    address: NotRequired[AddressInput]


class ProducerImport(TypedDict):
    created: int
    updated: int
    unchanged: int
    failed: int
    errors: list[dict[str, Any]]


class ProducerLosses(TypedDict):
    producerId: Union[ProducerId, None]
    claims: int
    open: int
    paid: Dollars
    outstanding: Dollars
    recovered: Dollars
    incurred: SignedDollars


class ProducerLossesList(TypedDict):
    data: list[ProducerLosses]
    nextCursor: None


class ProducerMember(TypedDict):
    producerId: ProducerId
    userId: UserSubject
    email: Union[str, None]
    name: Union[str, None]
    status: Union[UserStatus, None]


class ProducerMemberPage(TypedDict):
    data: list[ProducerMember]
    nextCursor: Union[str, None]


class ProducerPage(TypedDict):
    data: list[Producer]
    nextCursor: Union[str, None]


ProducerStatement = TypedDict(
  "ProducerStatement",
  {
    "producerId": "ProducerId",
    "producerName": "str",
    "period": "str",
    "from": "BusinessDate",
    "to": "BusinessDate",
    "openingBalance": "SignedDollars",
    "earned": "Dollars",
    "reversed": "Dollars",
    "paid": "Dollars",
    "balance": "SignedDollars",
    "payable": "SignedDollars",
    "chargeback": "Dollars",
    "recordCount": "int",
    "records": "list[Commission]",
    "isComplete": "bool",
    "payouts": "list[StatementPayout]",
  },
)


class PushPreferences(TypedDict):
    paymentDue: bool
    paymentFailed: bool
    claimMoved: bool
    documentReady: bool


class PushPreferencesChange(TypedDict):
    """Fields that you leave out stay as they are"""

    paymentDue: NotRequired[bool]
    paymentFailed: NotRequired[bool]
    claimMoved: NotRequired[bool]
    documentReady: NotRequired[bool]


class PushToken(TypedDict):
    id: PushTokenId
    orgId: OrganizationId
    token: str
    platform: PushPlatform
    createdAt: Instant
    updatedAt: Instant


class PushTokenInput(TypedDict):
    token: str
    platform: PushPlatform


class Quote(TypedDict):
    id: QuoteId
    orgId: OrganizationId
    submissionId: SubmissionId
    version: int
    status: QuoteStatus
    grossPremium: TotalDollars
    fees: list[Fee]
    taxes: list[Tax]
    totalDue: TotalDollars
    bindable: bool
    daFlags: list[DaFlag]
    conditions: list[str]
    ratingWorksheet: list[RatingStep]
    installmentOptions: list[InstallmentOption]
    issuedOn: BusinessDate
    expiresOn: BusinessDate
    expiresAt: Instant
    createdAt: Instant
    updatedAt: Instant


class QuotePreview(TypedDict):
    """The quote as it would be issued now. Nothing is written"""

    id: None
    orgId: OrganizationId
    submissionId: SubmissionId
    version: int
    status: QuoteStatus
    grossPremium: TotalDollars
    fees: list[Fee]
    taxes: list[Tax]
    totalDue: TotalDollars
    bindable: bool
    daFlags: list[DaFlag]
    conditions: list[str]
    ratingWorksheet: list[RatingStep]
    installmentOptions: list[InstallmentOption]
    issuedOn: BusinessDate
    expiresOn: BusinessDate
    expiresAt: Instant
    preview: Literal[True]


class QuoteReadiness(TypedDict):
    triageScore: Union[int, None]
    band: Union[str, None]
    factors: list[dict[str, Any]]
    bindingReadiness: dict[str, Any]


class RateTable(TypedDict):
    """The rates of a line of business, starting on a date"""

    id: RateTableId
    orgId: OrganizationId
    lineOfBusiness: str
    effectiveFrom: BusinessDate
    table: Rates
    createdBy: ActorId
    createdAt: Instant
    updatedAt: Instant


class RateTableWrite(TypedDict):
    effectiveFrom: NotRequired[BusinessDate]
    table: Rates


class Rates(TypedDict):
    """The factors from which a premium is computed"""

    base: dict[str, Any]
    stateFactors: StateFactors
    defaultStateFactor: DecimalText
    limitFactors: list[dict[str, Any]]
    deductibleFactors: list[dict[str, Any]]
    lossFactors: dict[str, Any]
    minimumPremium: Dollars
    policyFee: Dollars


class RatingStep(TypedDict):
    """A step of the rating: its factor, and the premium after it"""

    step: str
    factor: float
    amount: TotalDollars


class Readiness(TypedDict):
    database: bool
    temporal: bool


class Receivables(TypedDict):
    orgId: OrganizationId
    asOf: BusinessDate
    total: SignedDollars
    data: list[AgedBalance]


class RecodedPayloads(TypedDict):
    """The same payloads in the same order, decrypted or encrypted"""

    payloads: list[dict[str, Any]]


class ReconciliationCheck(TypedDict):
    name: str
    status: Literal['passed', 'failed', 'skipped']
    found: int
    reason: Union[str, None]


class ReconciliationFinding(TypedDict):
    check: str
    entityType: str
    entityId: RecordId
    part: str
    unit: Literal['dollars', 'count']
    expected: float
    actual: float
    detail: str


class RecordStatusLetter(TypedDict):
    sentOn: NotRequired[BusinessDate]
    notes: NotRequired[str]


class RecoverClaim(TypedDict):
    kind: ClaimRecoveryKind
    amount: PaymentDollars
    reference: NotRequired[str]


class Referral(TypedDict):
    """A request for a decision by a person with more authority"""

    id: ReferralId
    orgId: OrganizationId
    submissionId: Union[SubmissionId, None]
    policyId: Union[PolicyId, None]
    quoteId: Union[QuoteId, None]
    dealRoomId: Union[DealRoomId, None]
    reason: str
    status: ReferralStatus
    daFlags: list[DaFlag]
    figures: dict[str, Any]
    request: Union[ReferredChange, None]
    requestedBy: ActorId
    requesters: list[str]
    expiresOn: BusinessDate
    decidedBy: Union[ActorId, None]
    decidedFor: Union[str, None]
    decidedAt: Union[Instant, None]
    notes: Union[str, None]
    conditions: list[str]
    remarks: list[ReferralRemark]
    transactionId: Union[PolicyTransactionId, None]
    version: int
    createdAt: Instant
    updatedAt: Instant


class ReferralAnswer(TypedDict):
    answer: str


class ReferralCreate(TypedDict):
    submissionId: NotRequired[SubmissionId]
    policyId: NotRequired[PolicyId]
    dealRoomId: NotRequired[DealRoomId]
    reason: str


class ReferralDecision(TypedDict):
    decision: Literal['approve', 'reject', 'request_info']
    notes: NotRequired[str]
    conditions: NotRequired[Union[str, list[str]]]


class ReferralDetail(TypedDict):
    id: ReferralId
    orgId: OrganizationId
    submissionId: Union[SubmissionId, None]
    policyId: Union[PolicyId, None]
    quoteId: Union[QuoteId, None]
    dealRoomId: Union[DealRoomId, None]
    reason: str
    status: ReferralStatus
    daFlags: list[DaFlag]
    figures: dict[str, Any]
    request: Union[ReferredChange, None]
    requestedBy: ActorId
    requesters: list[str]
    expiresOn: BusinessDate
    decidedBy: Union[ActorId, None]
    decidedFor: Union[str, None]
    decidedAt: Union[Instant, None]
    notes: Union[str, None]
    conditions: list[str]
    remarks: list[ReferralRemark]
    transactionId: Union[PolicyTransactionId, None]
    version: int
    createdAt: Instant
    updatedAt: Instant
    mayDecide: bool
    deciders: list[dict[str, Any]]


class ReferralPage(TypedDict):
    data: list[Referral]
    nextCursor: Union[str, None]


class ReferralRemark(TypedDict):
    kind: Literal['question', 'answer']
    by: str
    at: Instant
    text: str


class ReferredChange(TypedDict):
    """The change of the policy that an approval carries out, with the figures when it was refused"""

    kind: Literal['endorse', 'renew']
    effectiveDate: Union[BusinessDate, None]
    changes: dict[str, Any]
    limit: Dollars
    premium: SignedDollars
    premiumChange: SignedDollars


class Refund(TypedDict):
    id: PaymentOrRefundId
    orgId: OrganizationId
    invoiceId: Union[InvoiceId, None]
    kind: PaymentKind
    amount: SignedDollars
    reference: str
    method: PaymentMethod
    status: PaymentStatus
    receivedDate: BusinessDate
    receivedAt: Instant
    createdAt: Instant
    updatedAt: Instant
    version: int
    unappliedAmount: NotRequired[TotalDollars]
    appliedFrom: NotRequired[PaymentId]
    requiresManualReview: bool
    chargeback: NotRequired[bool]
    reversal: NotRequired[bool]
    reverses: NotRequired[Union[PaymentId, None]]
    coveredAmount: NotRequired[TotalDollars]
    dispute: NotRequired[Dispute]
    reason: NotRequired[Union[str, None]]
    policyId: Union[PolicyId, None]
    parts: list[RefundPart]
    approval: Union[RefundApproval, None]


class RefundApproval(TypedDict):
    """The decision on a refund that needs approval: one above 1,000 dollars when the flag `refund_approval` is on; a smaller one that exceeds this amount together with the refunds on the same policy in the last 30 days that nobody approved; and any to an insured whose name resembles an entry of the sanctions list and is not cleared"""

    status: Literal['pending', 'approved', 'rejected']
    requestedBy: ActorId
    decidedBy: Union[ActorId, None]
    decidedAt: Union[Instant, None]
    reason: Union[str, None]


class RefundInvoice(TypedDict):
    amount: NotRequired[PaymentDollars]
    reason: str


class RefundPage(TypedDict):
    data: list[Refund]
    nextCursor: Union[str, None]


class RefundPart(TypedDict):
    """One part of a refund. A card part that failed stays in the list, followed by the check that replaces it. All parts that did not fail sum to the refund"""

    method: PaymentMethod
    amount: SignedDollars
    reference: str
    status: Literal['pending_approval', 'pending', 'succeeded', 'failed', 'issued', 'cleared', 'stopped', 'cancelled']
    disbursementId: Union[DisbursementId, None]


class Reinstate(TypedDict):
    effectiveDate: NotRequired[BusinessDate]
    reason: NotRequired[str]


class RejectRefund(TypedDict):
    reason: str


class RejectSettlement(TypedDict):
    reason: NotRequired[str]


class Remittance(TypedDict):
    """Money that leaves the trust for its owner"""

    id: PayoutOrRemittanceOrTransferId
    orgId: OrganizationId
    kind: RemittanceKind
    producerId: Union[ProducerId, None]
    carrier: Union[str, None]
    state: Union[str, None]
    filingId: Union[FilingId, None]
    through: BusinessDate
    amount: Dollars
    netted: Dollars
    status: RemittanceStatus
    preparedBy: ActorId
    decidedBy: Union[ActorId, None]
    decidedAt: Union[Instant, None]
    reason: Union[str, None]
    paidOn: Union[BusinessDate, None]
    reference: Union[str, None]
    version: int
    createdAt: Instant
    updatedAt: Instant


class RemittanceApproval(TypedDict):
    reference: NotRequired[str]


class RemittanceDetail(TypedDict):
    """A remittance with the invoices that it covers"""

    id: PayoutOrRemittanceOrTransferId
    orgId: OrganizationId
    kind: RemittanceKind
    producerId: Union[ProducerId, None]
    carrier: Union[str, None]
    state: Union[str, None]
    filingId: Union[FilingId, None]
    through: BusinessDate
    amount: Dollars
    netted: Dollars
    status: RemittanceStatus
    preparedBy: ActorId
    decidedBy: Union[ActorId, None]
    decidedAt: Union[Instant, None]
    reason: Union[str, None]
    paidOn: Union[BusinessDate, None]
    reference: Union[str, None]
    version: int
    createdAt: Instant
    updatedAt: Instant
    trustCash: Union[SignedDollars, None]
    invoices: list[RemittedInvoice]


class RemittancePage(TypedDict):
    data: list[Remittance]
    nextCursor: Union[str, None]


class RemittanceRejection(TypedDict):
    reason: str


class RemittanceWrite(TypedDict):
    kind: NotRequired[Literal['carrier', 'tax', 'stamping']]
    carrier: NotRequired[str]
    state: NotRequired[State]
    through: BusinessDate
    filingId: NotRequired[FilingId]


class RemittedInvoice(TypedDict):
    """The amount that it covers on one invoice; negative for a return"""

    invoiceId: InvoiceId
    invoiceNumber: str
    policyId: PolicyId
    account: int
    amount: SignedDollars


class RenderPdf(TypedDict):
    html: NotRequired[str]
    templateId: NotRequired[str]
    data: NotRequired[dict[str, Any]]
    fileName: NotRequired[str]


class Renew(TypedDict):
    effectiveDate: NotRequired[BusinessDate]
    changes: NotRequired[TermChanges]


class Renewal(TypedDict):
    id: PolicyTransactionId
    orgId: OrganizationId
    policyId: PolicyId
    reverses: Union[PolicyTransactionId, None]
    documentId: Union[DocumentId, None]
    type: PolicyTransactionType
    status: PolicyTransactionStatus
    effectiveDate: BusinessDate
    issuedAt: Instant
    reason: Union[str, None]
    changes: dict[str, Any]
    premiumChange: SignedDollars
    feeChange: SignedDollars
    taxChange: SignedDollars
    totalChange: SignedDollars
    grossPremiumAfter: TotalDollars
    invoices: list[ChangedInvoice]
    credits: list[TransactionCredit]
    reapplied: list[dict[str, Any]]
    daFlags: list[DaFlag]
    triage: NotRequired[Triage]
    actor: ActorReference
    before: Union[dict[str, Any], None]
    after: Union[dict[str, Any], None]
    createdAt: Instant
    updatedAt: Instant
    renewalPolicyId: PolicyId
    policyNumber: str


class RenewalBatch(TypedDict):
    batchId: Union[BatchId, None]
    workflowId: Union[str, None]
    status: JobStatus
    dryRun: bool
    matched: int
    renewed: int
    referred: int
    failed: int
    items: list[RenewalBatchItem]
    nextCursor: Union[str, None]


class RenewalBatchItem(TypedDict):
    policyId: PolicyId
    outcome: Literal['renewed', 'referred', 'failed']
    renewalPolicyId: NotRequired[PolicyId]
    error: NotRequired[dict[str, Any]]


class RenewalBatchRun(TypedDict):
    expiringWithinDays: int
    dryRun: NotRequired[bool]


class RenewalPreview(TypedDict):
    """The next term as it would be bound now. Nothing is written"""

    id: None
    documentId: None
    orgId: OrganizationId
    policyId: None
    reverses: Union[PolicyTransactionId, None]
    type: PolicyTransactionType
    status: PolicyTransactionStatus
    effectiveDate: BusinessDate
    reason: Union[str, None]
    changes: dict[str, Any]
    premiumChange: SignedDollars
    feeChange: SignedDollars
    taxChange: SignedDollars
    totalChange: SignedDollars
    grossPremiumAfter: TotalDollars
    invoices: list[ChangedInvoice]
    credits: list[TransactionCredit]
    reapplied: list[dict[str, Any]]
    daFlags: list[DaFlag]
    triage: NotRequired[Triage]
    actor: ActorReference
    before: Union[dict[str, Any], None]
    after: Union[dict[str, Any], None]
    issuedAt: None
    preview: Literal[True]
    renewalPolicyId: None
    policyNumber: None


class ReopenClaim(TypedDict):
    reason: str


class ReopenLedgerPeriod(TypedDict):
    reason: str


class Request(TypedDict):
    at: Instant
    method: str
    route: str
    status: int
    error: Union[str, None]
    durationMs: int
    caller: dict[str, Any]
    requestId: RequestId
    orgId: OrganizationId
    earlier: list[AnsweredCall]


Retention = TypedDict(
  "Retention",
  {
    "orgId": "OrganizationId",
    "from": "BusinessDate",
    "to": "BusinessDate",
    "expiringCount": "int",
    "renewedCount": "int",
    "retention": "Union[float, None]",
    "expiringPremium": "SignedDollars",
    "retainedPremium": "SignedDollars",
    "premiumRetention": "Union[float, None]",
    "renewalPremium": "SignedDollars",
  },
)


class ReturnUnappliedCash(TypedDict):
    amount: NotRequired[PaymentDollars]
    reason: str


class ReversePayment(TypedDict):
    reason: Literal['nsf', 'stopped', 'error']
    fee: NotRequired[ReturnedPaymentFee]


class SanctionsClearance(TypedDict):
    """A name that resembles parties of the sanctions list and was found to be somebody else"""

    id: SanctionsClearanceId
    orgId: OrganizationId
    name: str
    matches: list[SanctionsMatch]
    reason: str
    clearedBy: ActorId
    withdrawnAt: Union[Instant, None]
    withdrawnBy: Union[ActorId, None]
    version: int
    createdAt: Instant
    updatedAt: Instant


class SanctionsClearanceCreate(TypedDict):
    name: str
    entryIds: list[ExternalId]
    reason: str


class SanctionsClearancePage(TypedDict):
    data: list[SanctionsClearance]
    nextCursor: Union[str, None]


class SanctionsMatch(TypedDict):
    entryId: ExternalId
    name: str
    program: str
    score: int


class ScheduledChange(TypedDict):
    transactionId: PolicyTransactionId
    effectiveDate: BusinessDate
    changes: dict[str, Any]


class ScreenedMatch(TypedDict):
    entryId: ExternalId
    name: str
    program: str
    score: int
    isCleared: bool


class ScreenedMatches(TypedDict):
    data: list[ScreenedMatch]


class Screening(TypedDict):
    name: str


class SessionToken(TypedDict):
    token: str
    expiresAt: Instant


class SettleClaim(TypedDict):
    amount: PositiveDollars
    payee: str
    notes: NotRequired[str]
    approve: NotRequired[bool]


class StartedRenewalBatch(TypedDict):
    batchId: BatchId
    workflowId: str
    matched: int


class StatementDue(TypedDict):
    """The amount due today, whatever period the statement covers, before unapplied cash"""

    asOf: BusinessDate
    pastDue: Union[AmountDue, None]
    dueNext: Union[AmountDue, None]
    refundDue: Dollars
    refundPending: Dollars


class StatementLine(TypedDict):
    date: BusinessDate
    kind: Literal['invoice', 'additional_premium', 'return_premium', 'void', 'restored', 'write_off', 'recovery', 'credit', 'payment', 'refund', 'refund_returned', 'refund_withdrawn', 'chargeback', 'reversal', 'transfer']
    reference: str
    invoiceId: Union[InvoiceId, None]
    paymentId: Union[PaymentOrRefundId, None]
    transactionId: Union[PolicyTransactionId, None]
    dueDate: Union[BusinessDate, None]
    amount: SignedDollars
    balance: SignedDollars
    owed: Union[Dollars, None]
    daysPastDue: Union[int, None]
    description: str


class StatementPayout(TypedDict):
    id: PayoutId
    paidOn: BusinessDate
    amount: Dollars


class StopDisbursement(TypedDict):
    reason: str


class SubmissionChanges(TypedDict):
    """The facts to complete or correct"""

    insuredName: NotRequired[str]
    naicsCode: NotRequired[NaicsCode]
    annualRevenue: NotRequired[PositiveDollars]
    requestedLimit: NotRequired[PositiveDollars]
    effectiveDate: NotRequired[BusinessDate]
    state: NotRequired[State]
    lineOfBusiness: NotRequired[LineOfBusiness]
    producerId: NotRequired[ProducerId]
    insuredEmail: NotRequired[EmailAddress]
    insuredPhone: NotRequired[ChangedPhoneNumber]
    insuredAddress: NotRequired[AddressInput]
    deductible: NotRequired[Dollars]
    lossesLast5Years: NotRequired[int]
    yearsInBusiness: NotRequired[int]
    usdotNumber: NotRequired[str]
    description: NotRequired[str]


class SubmissionCreate(TypedDict):
    """A risk that seeks coverage"""

    insuredName: str
    naicsCode: NaicsCode
    annualRevenue: PositiveDollars
    requestedLimit: PositiveDollars
    effectiveDate: BusinessDate
    state: State
    lineOfBusiness: LineOfBusiness
    producerId: NotRequired[ProducerId]
    insuredEmail: NotRequired[EmailAddress]
    insuredPhone: NotRequired[PhoneNumber]
    insuredAddress: NotRequired[AddressInput]
    deductible: NotRequired[Dollars]
    lossesLast5Years: NotRequired[int]
    yearsInBusiness: NotRequired[int]
    usdotNumber: NotRequired[str]
    description: NotRequired[str]


class SubmissionDetail(TypedDict):
    id: SubmissionId
    orgId: OrganizationId
    status: SubmissionStatus
    insuredName: Union[str, None]
    naicsCode: Union[str, None]
    annualRevenue: Union[Dollars, None]
    requestedLimit: Union[Dollars, None]
    effectiveDate: Union[BusinessDate, None]
    state: Union[str, None]
    lineOfBusiness: Union[str, None]
    producerId: Union[ProducerId, None]
    insuredEmail: Union[str, None]
    insuredPhone: Union[str, None]
    insuredAddress: Union[Address, None]
    deductible: Union[Dollars, None]
    lossesLast5Years: Union[int, None]
    yearsInBusiness: Union[int, None]
    usdotNumber: Union[str, None]
    description: Union[str, None]
    missingFields: list[str]
    triage: Union[Triage, None]
    clearance: Union[Clearance, None]
    quoteId: Union[QuoteId, None]
    policyId: Union[PolicyId, None]
    declineReason: Union[str, None]
    expiresOn: Union[BusinessDate, None]
    createdBy: ActorId
    version: int
    createdAt: Instant
    updatedAt: Instant
    intake: Union[SubmissionIntake, None]
    quote: Union[Quote, None]
    referralIds: list[ReferralId]


class SubmissionIntake(TypedDict):
    """The values read from the form that was submitted"""

    documentId: DocumentId
    source: Literal['form', 'text']
    values: list[dict[str, Any]]
    additionalLines: list[str]
    unread: list[dict[str, Any]]
    assumed: list[str]


class SubmissionPage(TypedDict):
    data: list[ListedSubmission]
    nextCursor: Union[str, None]


class Tax(TypedDict):
    code: str
    rate: float
    amount: SignedDollars


class TermChanges(TypedDict):
    """The terms to change. Terms that you leave out stay as they are"""

    requestedLimit: NotRequired[PositiveDollars]
    annualRevenue: NotRequired[PositiveDollars]
    deductible: NotRequired[Dollars]
    insuredName: NotRequired[str]
    insuredAddress: NotRequired[AddressInput]
    additionalInsureds: NotRequired[list[dict[str, Any]]]


class TestClock(TypedDict):
    date: BusinessDate
    realDate: BusinessDate


class TransactionCredit(TypedDict):
    """The amount that a transaction takes off an invoice"""

    invoiceId: InvoiceId
    kind: Literal['reduced', 'refunded']
    amount: SignedDollars
    parts: Union[dict[str, Any], None]


class TransferWrite(TypedDict):
    through: BusinessDate


class Triage(TypedDict):
    """How well the risk fits the appetite, and why"""

    score: int
    band: str
    factors: list[TriageFactor]


class TriageFactor(TypedDict):
    code: str
    points: float
    max: float
    reason: str


class TrustFigures(TypedDict):
    trustAssets: SignedDollars
    trustLiabilities: SignedDollars
    trustRatio: Union[float, None]
    trustCash: SignedDollars
    cardClearing: SignedDollars
    cashReceived: SignedDollars
    cardReceived: SignedDollars
    swept: SignedDollars
    bankBalance: Union[SignedDollars, None]
    bankUnmatched: Union[SignedDollars, None]
    ledgerUnmatched: Union[SignedDollars, None]
    depositsInTransit: Union[SignedDollars, None]
    outstandingChecks: Union[SignedDollars, None]
    bankDifference: Union[SignedDollars, None]
    unapplied: SignedDollars
    unshared: SignedDollars
    returnsPayable: SignedDollars
    owedByCheck: SignedDollars
    outstanding: SignedDollars
    liabilities: list[dict[str, Any]]


class TrustReconciliation(TypedDict):
    id: TrustReconciliationId
    orgId: OrganizationId
    date: BusinessDate
    status: Literal['running', 'completed']
    clean: Union[bool, None]
    figures: Union[TrustFigures, None]
    checks: list[ReconciliationCheck]
    findings: list[ReconciliationFinding]
    finishedAt: Union[Instant, None]
    createdAt: Instant
    updatedAt: Instant


class TrustReconciliationPage(TypedDict):
    data: list[TrustReconciliation]
    nextCursor: Union[str, None]


class UnappliedCash(TypedDict):
    id: PaymentId
    paymentId: PaymentId
    invoiceId: Union[InvoiceId, None]
    policyId: Union[PolicyId, None]
    method: PaymentMethod
    reference: str
    amount: SignedDollars
    unappliedAmount: TotalDollars
    receivedDate: BusinessDate
    receivedAt: Instant


class UnappliedCashPage(TypedDict):
    data: list[UnappliedCash]
    nextCursor: Union[str, None]


class User(TypedDict):
    id: UserId
    orgId: OrganizationId
    email: str
    name: str
    role: UserRole
    active: bool
    status: UserStatus
    origin: UserOrigin
    emailVerified: bool
    producerIds: list[ProducerId]
    version: int
    createdAt: Instant
    updatedAt: Instant


class UserAuthority(TypedDict):
    userId: UserSubject
    maxLimit: Dollars
    maxPremium: Dollars
    linesOfBusiness: Union[list[LineOfBusiness], None]
    maxReserve: Union[Dollars, None]
    maxSettlement: Union[Dollars, None]
    inherited: bool


class UserAuthorityChanges(TypedDict):
    maxLimit: NotRequired[PositiveDollars]
    maxPremium: NotRequired[PositiveDollars]
    linesOfBusiness: NotRequired[Union[list[LineOfBusiness], None]]
    maxReserve: NotRequired[Union[Dollars, None]]
    maxSettlement: NotRequired[Union[Dollars, None]]


class UserChanges(TypedDict):
    role: NotRequired[UserRole]
    active: NotRequired[bool]


class UserInvitation(TypedDict):
    email: EmailAddress
    role: UserRole
    name: NotRequired[str]
    producerId: NotRequired[ProducerId]


class UserPage(TypedDict):
    data: list[User]
    nextCursor: Union[str, None]


class VoidClaimPayment(TypedDict):
    reason: str


class VoidEndorsement(TypedDict):
    reason: str


class VoidInvoice(TypedDict):
    reason: str
    reissue: NotRequired[bool]
    amount: NotRequired[PaymentDollars]


class Webhook(TypedDict):
    id: WebhookSubscriptionId
    orgId: OrganizationId
    url: str
    events: list[str]
    description: Union[str, None]
    active: bool
    status: WebhookStatus
    previousSecretExpiresAt: Union[Instant, None]
    version: int
    createdAt: Instant
    updatedAt: Instant


class WebhookChanges(TypedDict):
    url: NotRequired[str]
    events: NotRequired[list[SubscribableEvent]]
    description: NotRequired[Union[str, None]]


class WebhookCreate(TypedDict):
    url: str
    events: list[SubscribableEvent]
    description: NotRequired[Union[str, None]]


class WebhookDelivery(TypedDict):
    id: WebhookDeliveryId
    uuid: str
    orgId: OrganizationId
    webhookId: WebhookSubscriptionId
    eventId: EventId
    eventType: EventType
    status: WebhookDeliveryStatus
    statusCode: Union[int, None]
    latencyMs: Union[int, None]
    response: Union[str, None]
    error: Union[str, None]
    redeliveryOf: Union[str, None]
    attemptedAt: Union[Instant, None]
    createdAt: Instant
    updatedAt: Instant


class WebhookDeliveryPage(TypedDict):
    data: list[WebhookDelivery]
    nextCursor: Union[str, None]


class WebhookPage(TypedDict):
    data: list[Webhook]
    nextCursor: Union[str, None]


class WebhookTest(TypedDict):
    delivered: bool
    statusCode: Union[int, None]
    latencyMs: Union[int, None]
    deliveryId: WebhookDeliveryId
    error: NotRequired[str]


class Withdraw(TypedDict):
    reason: NotRequired[str]


class WriteOffInvoice(TypedDict):
    reason: str
