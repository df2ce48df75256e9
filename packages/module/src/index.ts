export { defineModule, type Module, type PartsByUse } from './define-module.ts';
export {
  accountOption,
  readId,
  type AccountCommandParts,
  type Command,
  type CommandLineValues,
} from './command.ts';
export type { HttpDoor, ModuleJobs, RepeatedWork, ScheduledTask } from './work.ts';
