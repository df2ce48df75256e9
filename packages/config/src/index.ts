export { areLoopbackHosts, hostToCall, isLoopbackAddress } from './hosts.ts';
export { readConfig, describeConfig, ConfigError } from './read-config.ts';
export { environment, publicBaseUrl, type Environment } from './environment.ts';
export { outlivesRetries, retentionProblem } from './retention.ts';
export { loadLocalEnvFile } from './load-env-file.ts';
