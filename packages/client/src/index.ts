export { ApiError, isApiError } from './api-error.ts';
export { createClient, type Client, type ClientOptions } from './client.ts';
export { sendRevenueWebhook } from './send-revenue-webhook.ts';
export { verifyWebhook, WebhookError } from './verify-webhook.ts';
export type { ErrorCode } from './generated/operations.ts';
export type * from './generated/types.ts';
