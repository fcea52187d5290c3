// How the API documents describe the headers on every response of our servers, and those on a retryable refusal.
// Contract 1 "X-Request-Id", "Rate headers".

const integer = (description: string) => ({ description, schema: { type: 'integer' } });

/** On every response. */
export const COMMON_HEADERS = {
  'X-Request-Id': { description: 'The id of the request.', schema: { type: 'string' } },
  'X-RateLimit-Limit': integer('The number of requests allowed in a minute.'),
  'X-RateLimit-Remaining': integer('The number of requests left in this minute.'),
  'X-RateLimit-Reset': integer('The Unix time, in seconds, at which the minute ends.'),
};

/** On refusals that may be retried later. */
export const RETRY_HEADERS = { 'Retry-After': integer('The number of seconds to wait.') };
