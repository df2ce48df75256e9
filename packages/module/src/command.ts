import type { CommandOption } from '@service/config';
import type { AccountWriter, Database } from '@service/database';
import { z } from 'zod';

/** A command of `npm run admin`. */
export interface Command<Parts> {
  summary: string;
  options: Readonly<Record<string, CommandOption>>;
  /** Returns the object that is printed. Throws an error of one line. */
  run: (parts: Parts, values: CommandLineValues) => Promise<unknown>;
}

export type CommandLineValues = Readonly<Record<string, string | number | boolean | undefined>>;

/** The parts of a command that changes one account. */
export interface AccountCommandParts {
  database: Database;
  /** The id in `--account`. Throws when there is no such account. */
  requireAccount: (values: CommandLineValues) => Promise<string>;
  /** Runs one transaction for an account. */
  write: <Result>(accountId: string, work: (tx: AccountWriter) => Promise<Result>) => Promise<Result>;
}

export const accountOption = { type: 'text', hint: 'ACCOUNT_ID', required: true } as const;

/** The id in an option. Throws when it is not an id. */
export function readId(values: CommandLineValues, option: string): string {
  const parsed = z.uuid().toLowerCase().safeParse(values[option]);
  if (!parsed.success)
    throw new Error(`--${option} must be an id, such as 01a1fa00-44e8-743f-b362-6e80fc279e81.`);
  return parsed.data;
}
