// The public exports of the package.
export type * from './api.generated.ts';
export {
  BinderyClient,
  type BinderyOptions,
  type CallOptions,
  type Credential,
  type CsvId,
  type ListId,
  type OperationId,
  type PreviewId,
} from './client.ts';
export { BinderyError, type ErrorCode } from './errors.ts';
export { type DeliveryHeaders, WebhookError, webhookEvent } from './webhooks.ts';
