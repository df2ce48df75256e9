export { createClientDocuments, type ClientDocuments, type DocumentOptions } from './client/client-documents.ts';
export { connectorsModule } from './module.ts';
