export { createRestHandler, type RestHandler } from './handler.ts';
export { createOpenApiDocument } from './openapi/create-document.ts';
export type { OpenApiDocument, Tag } from './openapi/document.ts';
export type { Samples } from './openapi/sample.ts';
export { listRoutes, type Route } from './route-table.ts';
export { errorToAnswer, sendAnswer, setRateHeaders, weakEtag } from './answer.ts';
export { readBody, readBytes, readJson } from './read-body.ts';
export { requestIdOf, senderOf } from './sender.ts';
