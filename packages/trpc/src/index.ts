export {
  type Principal,
  type Scope,
  type Surface,
  type KeyPrincipal,
  type MemberPrincipal,
  type Admission,
  type RateState,
} from './principal.ts';
export { KeyCreatorOutput, type KeyCreator } from './key-creator.ts';
export { createReply, type Reply, type RequestContext } from './context.ts';
export {
  AlreadyAnswered,
  type AnswerStore,
  type KeptAnswer,
  type KeyedRequest,
  type Once,
  type Outcome,
} from './once.ts';
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
export { text, storable, urlText, instant, id } from './text.ts';
export { moment } from './moment.ts';
export { errorOf, issuesOf } from './error-of.ts';
export { logFailure } from './log-failure.ts';
