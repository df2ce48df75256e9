export { createRestHandler, type RestHandler, type RestOptions, type AnsweredCall } from './handler.ts';
export { createOpenApiDocument } from './openapi.ts';
export { listRoutes, type Route } from './route-table.ts';
export { errorToAnswer } from './answer.ts';
