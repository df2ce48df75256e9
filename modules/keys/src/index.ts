export { keysModule } from './module.ts';
export { ApiKey } from './entities.ts';
export { createGrantAdmission, createKeyAdmission, type RateLimit } from './admit.ts';
export { countRequests, createUsageCounter, type CountRequests, type CredentialUsage } from './usage.ts';
export { createApiKey, revokeAllKeys, revokeApiKey } from './api-keys.ts';
export { endAccessTokens, endAllAccessTokens, findGrantOfToken, issueAccessToken } from './access-token.ts';
