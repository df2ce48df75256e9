import type { EntitySchema } from '@mikro-orm/postgresql';
import type { MigrationEntry, PartitionedTable } from '@service/database';
import type { DocumentedErrors } from '@service/errors';
import type { CronTask, JobContext, JobTask } from '@service/jobs';
import type { IRouter } from 'express';
import type { Command } from './command.ts';

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
  /** Every column with values of a secret box. `npm run admin -- reseal` seals them again after a change of the key. */
  sealed?: readonly SealedColumn[];
  /** The codes that its REST routes can answer, for the API description. Each has a remedy. */
  errors?: { catalogue: DocumentedErrors };
  /** Its procedures, by the first part of their path: `{ webinars, sessions }`. */
  router?: (parts: Parts['api']) => object;
  /** HTTP routes outside the chain of the procedures, such as sign-in and the room. */
  http?: (parts: Parts['api']) => HttpDoor;
  /** Code that is called when other modules publish. */
  subscribers?: Parts['subscribers'];
  repeats?: (parts: Parts['worker']) => readonly RepeatedWork[];
  /**
   * An SQL condition for each work of a worker that it names: true if a round of the work may find something in any account. A worker
   * asks all of them in one statement each second, those of mails and contacts four times a second, and leaves out rounds that would find
   * nothing. So each should be answered by the first entry of an index. A condition that is false although work is due delays it by up to a minute.
   */
  workConditions?: Readonly<Record<string, string>>;
  jobs?: (parts: Parts['worker']) => ModuleJobs;
  /** Commands of `npm run admin`, by name. */
  commands?: Readonly<Record<string, Command<Parts['admin']>>>;
}

/** A column whose values are sealed by packages/secrets. Its name contains `sealed`, by which a test finds it. */
export interface SealedColumn {
  /** With its schema. */
  table: string;
  column: string;
  /** `bytea` values come from `sealBytes`. */
  type: 'text' | 'bytea';
  /** The columns of the primary key, in its order. */
  key: readonly string[];
  /** The columns whose texts, with spaces between, are the context of a value. */
  context: readonly string[];
  /** False for rows that belong to no account. */
  hasAccount?: boolean;
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

/** HTTP routes outside the chain of the procedures. */
export interface HttpDoor {
  /** Adds the routes. Their answers are not compressed. */
  mount: (routes: IRouter) => void;
  /** Ends connections that would keep a stopping server waiting. */
  close?: () => void;
}

/** Work that every worker repeats. It does not run while the clocks of the worker and the database disagree. */
export interface RepeatedWork {
  /** snake_case. The metric of skipped rounds and the answer of `/readyz` contain it. A condition of the same name saves rounds. */
  name: string;
  everyMs: number;
  /** `now` is the database's time. A run that throws is repeated, with growing waits. */
  run: (now: Date, context: RepeatContext) => Promise<void>;
}

interface RepeatContext extends JobContext {
  /** Logs the failure of one part of the work, such as one account. The run goes on. */
  onFailure: (error: unknown) => void;
}

/** Scheduled work. One worker runs it, and only while its clock and the database's agree. `now` is the database's time. */
export interface ScheduledTask extends Pick<CronTask, 'name' | 'pattern'> {
  run: (now: Date, context: JobContext) => Promise<void>;
}

export interface ModuleJobs {
  /** Run when a caller has queued them. */
  tasks?: readonly JobTask[];
  /** Run at their times. */
  crons?: readonly ScheduledTask[];
}
