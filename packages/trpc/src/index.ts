export {
  KeyCreatorOutput,
  type KeyCreator,
  type Principal,
  type Scope,
  type Surface,
  type KeyPrincipal,
  type MemberPrincipal,
  type Admission,
  type RateState,
} from './principal.ts';
export {
  AlreadyAnswered,
  createReply,
  type AnswerStore,
  type KeptAnswer,
  type KeyedRequest,
  type Once,
  type Outcome,
  type Reply,
  type RequestContext,
} from './context.ts';
export { mergeRouters, router, type AnyServiceRouter } from './init.ts';
export type { Deprecation, ProcedureMeta } from './meta.ts';
export {
  scopedQuery,
  scopedMutation,
  keyQuery,
  memberQuery,
  memberMutation,
  ownerMutation,
} from './procedures.ts';
export { batchOf, dataOf, pageOf, pageInput, toPage, cursorId } from './paging.ts';
export { id, instant, moment, storable, text, urlText } from './fields.ts';
export { errorOf, issuesOf } from './error-of.ts';
export { logFailure } from './log-failure.ts';
