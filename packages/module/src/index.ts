export {
  addressPattern,
  namesAddress,
  tryLater,
  type ErasedPerson,
  type ErasePerson,
} from './erase-person.ts';
export {
  defineModule,
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
