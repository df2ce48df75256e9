export { createChain } from './chain.ts';
export type { AnsweredCall, Call, CallContent, CallSender, ChainOptions, OwnTarget } from './call.ts';
export {
  grantScheme,
  keyScheme,
  type Admission,
  type AdmitClient,
  type CredentialScheme,
  type RateState,
  admissionMaxAgeMs,
} from './admission.ts';
export { errorToBody, hidesCaller, type Answer } from './answer.ts';
export {
  clientProcedures,
  scopesOf,
  type DescribedProcedure,
  type Procedure,
  type ProcedureResult,
} from './procedure.ts';
export { toKeyedRequest, type AnswerStore } from './keyed-request.ts';
export { toRequestContext } from './run-procedure.ts';
