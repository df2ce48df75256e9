export { ApiKey } from './api-key.ts';
export { keyMigrations } from './migrations/index.ts';
export { keysRouter } from './router.ts';
export { createKeyCheck, type KeyCheck } from './check.ts';
export { countRequests, type KeyUsage } from './usage.ts';
export { createApiKey } from './create.ts';
export { revokeApiKey } from './revoke.ts';
export { allScopes, allSurfaces, presets, type PresetId } from './access.ts';
export { keyErrors } from './errors.ts';
