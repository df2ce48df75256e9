import type { EntitySchema } from '@mikro-orm/postgresql';
import type { MigrationEntry, PartitionedTable } from '@service/database';
import type { ErrorCatalogue } from '@service/errors';
import type { Command } from './command.ts';
import type { HttpDoor, ModuleJobs, RepeatedWork } from './work.ts';

/** The parts that functions of modules get, by the use of the functions. The composition has one record for each. */
export interface PartsByUse {
  subscribers: object;
  api: unknown;
  worker: unknown;
  admin: unknown;
}

/** A module as the processes see it. A function gets the parts that it needs from the composition, as plain values. */
export interface Module<Parts extends PartsByUse> {
  /** The name of its folder. */
  name: string;
  entities?: readonly EntitySchema[];
  /** Migrations of all modules run in the order of their names. */
  migrations?: readonly MigrationEntry[];
  partitions?: readonly PartitionedTable[];
  /** The codes that its REST routes can answer, for the API description. */
  errors?: { catalogue: ErrorCatalogue };
  /** Its procedures, by the first part of their path: `{ webinars, sessions }`. */
  router?: (parts: Parts['api']) => object;
  /** HTTP routes outside the chain of the procedures, such as sign-in and the room. */
  http?: (parts: Parts['api']) => HttpDoor;
  /** Code that is called when other modules publish. */
  subscribers?: Parts['subscribers'];
  repeats?: (parts: Parts['worker']) => readonly RepeatedWork[];
  jobs?: (parts: Parts['worker']) => ModuleJobs;
  /** Commands of `npm run admin`, by name. */
  commands?: Readonly<Record<string, Command<Parts['admin']>>>;
}

/** Every module, whichever parts it needs: a function of any parameter accepts `never`. */
type AnyModule = Module<{ subscribers: object; api: never; worker: never; admin: never }>;

/**
 * Declares a module. A misspelled field does not compile. A part that the composition does not have does not compile in its
 * list of modules.
 */
export const defineModule = <Definition extends AnyModule>(
  definition: Definition & Record<Exclude<keyof Definition, keyof AnyModule>, never>,
): Definition => definition;
