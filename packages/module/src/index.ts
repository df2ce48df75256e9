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
export type { ErasedPerson, ErasePerson } from './erase-person.ts';
