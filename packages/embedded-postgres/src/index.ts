export { processIdentity } from './process-identity.ts';
export { startEmbeddedPostgres } from './start.ts';
export type { EmbeddedPostgres, EmbeddedPostgresOptions } from './start.ts';
