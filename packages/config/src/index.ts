export { areLoopbackHosts, hostToCall, isLoopbackAddress } from './loopback-hosts.ts';
export { readConfig, describeConfig, ConfigError, loadLocalEnvFile } from './read-config.ts';
export {
  databaseOptions,
  defaultPoolSize,
  deliveryQuota,
  environment,
  hasPooler,
  hasSender,
  mailProblem,
  mailSettings,
  publicBaseUrl,
  sessionUrlProblem,
  type Environment,
} from './environment.ts';
export { endProcess } from './end-process.ts';
export { outlivesRetries, retentionProblem } from './retention.ts';
export {
  describeOptions,
  describeUsage,
  readCommandLine,
  readCommandLineOrExit,
  wrapBeside,
  type CommandOption,
  type CommandValues,
} from './command-line.ts';
