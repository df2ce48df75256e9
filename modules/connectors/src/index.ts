export { protectedResource } from './addresses.ts';
export {
  createClientDocuments,
  type ClientDocuments,
  type DocumentOptions,
} from './client/client-documents.ts';
export { endAllGrants } from './grant/end-grants.ts';
export { countGrantRequests } from './grant/grant.ts';
export { connectorsModule } from './module.ts';
