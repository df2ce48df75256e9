export { addressPattern, namesAddress } from './address-pattern.ts';
export {
  defineModule,
  type ErasedPerson,
  type ErasePerson,
  type HttpDoor,
  type Module,
  type RepeatedWork,
  type ScheduledTask,
  type SealedColumn,
} from './define-module.ts';
export {
  accountOption,
  readId,
  type AccountCommandParts,
  type Command,
  type CommandLineValues,
} from './command.ts';
