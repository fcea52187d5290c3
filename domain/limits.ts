// The constants of the specification, units in their names. Spec 8, Contract 1–3.

/** How long a caller waits for a command unless configured otherwise. Contract 1. */
export const COMMAND_DEADLINE_MS = 15_000;

// Rate limits, requests a minute. Spec 8.1, Contract 1 "Rate headers".
export const RATE_LIMIT_WINDOW_SECONDS = 60;
export const RATE_LIMIT_SANDBOX_PER_MINUTE = 100;
export const RATE_LIMIT_STANDARD_PER_MINUTE = 1_000;
export const RATE_LIMIT_ENTERPRISE_PER_MINUTE = 10_000;
export const RATE_LIMIT_INGEST_PER_MINUTE = 20;
export const RATE_LIMIT_ANONYMOUS_PER_MINUTE = 120;

// Credentials. Spec 8.2, Contract 2.
export const JWT_LIFETIME_SECONDS = 28_800;
export const DEMO_JWT_LIFETIME_SECONDS = 900;
export const ONE_TIME_CODE_DIGITS = 6;
export const ONE_TIME_CODE_LIFETIME_SECONDS = 600;
export const ONE_TIME_CODE_ATTEMPTS = 5;
export const JWT_SUBJECT_MAX_CHARACTERS = 255;
/** How far another signing host's clock may run ahead of ours. */
export const JWT_CLOCK_SKEW_SECONDS = 5;
export const PASSWORD_MIN_CHARACTERS = 12;
export const PASSWORD_MAX_CHARACTERS = 128;

export const INBOUND_DEDUPLICATION_HOURS = 24;
export const IDENTITY_REPLAY_WINDOW_SECONDS = 600;

// Webhooks. Spec 6.2, 8.2, Contract 3.6.
export const WEBHOOK_URL_MAX_CHARACTERS = 2_000;
export const WEBHOOKS_PER_ORGANIZATION = 50;
export const WEBHOOK_SECRET_BYTES = 32;
/** How long the replaced secret still signs alongside the new one. */
export const WEBHOOK_SECRET_OVERLAP_HOURS = 24;
export const DELIVERY_LOG_DAYS = 30;

/** How long calls and their responses are kept. */
export const REQUEST_LOG_DAYS = 7;

// Deal rooms. Contract 3.7.
export const DEAL_ROOM_MESSAGE_MAX_CHARACTERS = 4_000;
export const DEAL_ROOM_PARTICIPANTS_MAX = 100;
/** How long a signed socket address is valid. */
export const SOCKET_TICKET_LIFETIME_SECONDS = 60;
/** Messages that one caller may post in a minute: ten a second, more than anyone types. */
export const RATE_LIMIT_MESSAGES_PER_MINUTE = 600;

// Requests. Contract 1.
export const JSON_BODY_MAX_BYTES = 1_048_576;
export const FILE_MAX_BYTES = 25 * 1_048_576;
/** How long a file download address is valid. */
export const DOWNLOAD_LIFETIME_SECONDS = 900;
/** Without a credential: a name, a password or a secret. Parsing a body costs more than sending it. */
export const ANONYMOUS_BODY_MAX_BYTES = 16_384;
export const STRING_MAX_CHARACTERS = 200;
export const TEXT_MAX_CHARACTERS = 2_000;
export const PAGE_SIZE_DEFAULT = 25;
export const PAGE_SIZE_MAX = 100;
export const IDEMPOTENCY_KEY_MAX_CHARACTERS = 255;
export const IDEMPOTENCY_RETENTION_HOURS = 24;

// Money. Integers that stay exact as JSON numbers in dollars with two decimals.
export const AMOUNT_MAX_CENTS = 100_000_000_000_000;
/** Maximum for one payment or refund: ten million dollars. Anything more is a typo or not ours. Contract 3.4. */
export const PAYMENT_MAX_CENTS = 1_000_000_000;
/** Maximum returned payment fee: far above what any state lets a creditor charge. */
export const RETURNED_PAYMENT_FEE_MAX_CENTS = 100_000;
/** How far back a receipt may be dated. */
export const RECEIPT_MAX_YEARS_BACK = 1;
/** How far back a manual entry may be dated. */
export const JOURNAL_MAX_YEARS_BACK = 1;

// Insurance. Spec 6.1, 8.2, Contract 3.
export const QUOTE_VALIDITY_DAYS = 30;
export const APPROACHING_UTILIZATION_PERCENT = 85;
/** Advancing through months takes a while. */
export const TEST_CLOCK_DEADLINE_MS = 300_000;
/** A dry run tries every policy that expires soon, at a few milliseconds each. */
export const DRY_RUN_DEADLINE_MS = 120_000;
export const TEST_CLOCK_MAX_DAYS_AHEAD = 800;
export const CLEARANCE_WINDOW_DAYS = 30;
export const EFFECTIVE_DATE_MAX_DAYS_AHEAD = 90;

/** Maximums for a printed document. Contract 3.5. */
export const PDF_MAX_PAGES = 200;
export const PDF_MAX_SECONDS = 8;
/** For a page supplied by a caller, while others wait for theirs. */
export const BROUGHT_PAGE_MAX_SECONDS = 5;
/** Maximum size of the page before printing: a template can expand a little into a lot. */
export const PAGE_MAX_CHARACTERS = 8_000_000;
/** Documents that one organization's callers may wait for at a time, fewer than a worker prints concurrently. */
export const DOCUMENTS_OF_ORGANIZATION_TOGETHER = 2;
/** Files read for one organization at a time in a process, fewer than its threads read concurrently. */
export const FILES_OF_ORGANIZATION_TOGETHER = 1;
