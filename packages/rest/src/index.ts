export { createRestHandler, type RestHandler } from './handler.ts';
export type { AnsweredCall, RestOptions } from './call.ts';
export { createOpenApiDocument } from './openapi.ts';
export { listRoutes, type Route } from './route-table.ts';
export { errorToAnswer } from './answer.ts';
