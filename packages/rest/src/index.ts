export { addressKey, createBuckets, type Buckets } from './buckets.ts';
export { createRestHandler, requestIdOf, senderOf, type RestHandler } from './rest-handler.ts';
export { createOpenApiDocument } from './openapi/create-document.ts';
export type { OpenApiDocument, Tag } from './openapi/document.ts';
export type { Samples } from './openapi/sample.ts';
export { listRoutes, type Route } from './route-table.ts';
export { errorToAnswer, sendAnswer, setRateHeaders, weakEtag } from './send-answer.ts';
export { isNestedDeeper, requireShallow } from './json-depth.ts';
export { mayBeLonger, readBody, readBytes, readJson } from './read-body.ts';
