export {
  KeyCreatorOutput,
  mayRead,
  SurfaceName,
  type KeyCreator,
  type Principal,
  type ClientPrincipal,
  type MemberPrincipal,
} from './principal.ts';
export {
  createReply,
  type Connection,
  type KeptAnswer,
  type KeyClaims,
  type KeyedRequest,
  type MemberChange,
  type Once,
  type Outcome,
  type Reply,
  type RequestContext,
  type Written,
} from './context.ts';
export { mergeRouters, refusalText, router, type AnyServiceRouter } from './init.ts';
export type { CheckBodyText, Deprecation, ProcedureMeta } from './meta.ts';
export {
  scopedQuery,
  scopedMutation,
  toolQuery,
  keyQuery,
  memberQuery,
  memberMutation,
  memberSubscription,
  ownerMutation,
  ownerQuery,
  requireScopes,
} from './procedures.ts';
export { createBatchedWrite } from './batched-write.ts';
export { writeBatched } from './unit-of-write.ts';
export { batchOf, dataOf, pageOf, toPage, cursorId, cursorPlace } from './paging.ts';
export {
  backwardsText,
  dayOrMoment,
  endsAfterItBegins,
  ErrorIssue,
  forwards,
  id,
  instant,
  isDay,
  moment,
  pageInput,
  recordToOutput,
  sortOrder,
  storable,
  text,
  timezone,
  urlText,
  utcOffsetMinutes,
} from './fields.ts';
export { errorOf, issuesOf, parseInput, refuseInput, logFailure } from './error-of.ts';
