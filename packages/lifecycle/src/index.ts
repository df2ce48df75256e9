export { listenOnHosts, type Listening } from './listen.ts';
export {
  createOperatorCheck,
  operatorRefusals,
  type CheckOperator,
  type OperatorAccess,
} from './operator-access.ts';
export { runProcess, type Running } from './run-process.ts';
export { watchNpm } from './watch-npm.ts';
