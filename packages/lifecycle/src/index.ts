export {
  connectionLimitsFor,
  createConnections,
  serverOptions,
  type ConnectionLimits,
  type Connections,
} from './connections.ts';
export {
  readDescriptorLimit,
  watchDescriptors,
  type DescriptorWatch,
  type DescriptorWatchOptions,
} from './descriptors.ts';
export { listenOnHosts, type Listening } from './listen-on-hosts.ts';
export {
  createOperatorCheck,
  isFromThisMachine,
  operatorRefusals,
  type CheckOperator,
  type OperatorAccess,
} from './operator-access.ts';
export { createReadinessLog, runProcess, watchNpm, type Running } from './run-process.ts';
export { attributeAnswer, countBuffered } from './unread-answers.ts';
