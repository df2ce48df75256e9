export const revenuePath = '/api/webhooks/revenue';

/** The address that receives the events of a source. `baseUrl` has no trailing slash. */
export const revenueUrl = (baseUrl: string, accountId: string, provider: string): string =>
  `${baseUrl}${revenuePath}/${accountId}/${provider}`;
