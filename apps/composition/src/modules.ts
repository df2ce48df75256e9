import {
  accountsModule,
  createSuspension,
  endAllSignIns,
  findSuspendedAccounts,
  type MembershipSubscriber,
} from '@service/accounts';
import { activityModule } from '@service/activity';
import { attendeesModule } from '@service/attendees';
import { automationsModule } from '@service/automations';
import { connectionsModule } from '@service/connections';
import { connectorsModule, endAllGrants } from '@service/connectors';
import { contactsModule } from '@service/contacts';
import type { Database } from '@service/database';
import { deliveriesModule, resumeAllDeliveries, stopAllDeliveries } from '@service/deliveries';
import { commonErrors, joinCatalogues } from '@service/errors';
import { idempotencyModule } from '@service/idempotency';
import { jobConditions } from '@service/jobs';
import { keysModule, revokeAllKeys } from '@service/keys';
import { mailsModule, resumeAllMails, stopAllMails } from '@service/mails';
import type { Command, HttpDoor, Module, RepeatedWork } from '@service/module';
import { revenueModule } from '@service/revenue';
import { router, type RequestContext } from '@service/trpc';
import { webinarsModule, type WindowSubscriber } from '@service/webinars';
import type { AdminParts, ApiParts, ServiceParts, WorkerParts } from './parts.ts';
import { createResealCommand } from './reseal.ts';

/** Every module. All other lists follow from this one. */
const typedModules = [
  accountsModule,
  keysModule,
  connectorsModule,
  idempotencyModule,
  webinarsModule,
  attendeesModule,
  automationsModule,
  deliveriesModule,
  revenueModule,
  connectionsModule,
  activityModule,
  mailsModule,
  contactsModule,
] as const satisfies readonly Module<ServiceParts>[];

export const modules: readonly Module<ServiceParts>[] = typedModules;

export const serviceEntities = modules.flatMap(({ entities = [] }) => entities);
export const serviceMigrations = modules.flatMap(({ migrations = [] }) => migrations);
export const servicePartitionedTables = modules.flatMap(({ partitions = [] }) => partitions);

/** All error codes of the REST API, for its documentation. */
export const restErrorCatalogue = joinCatalogues([
  commonErrors.catalogue,
  ...modules.map(({ errors }) => errors?.catalogue ?? {}),
]);

export const sealedColumns = modules.flatMap(({ sealed = [] }) => sealed);

interface RestoreParts {
  database: Pick<Database, 'transaction'>;
}

/**
 * For a database that was restored to an earlier time: what was ended since then works again, and what was sent since then waits again. So access is
 * ended and sending is stopped. docs/backup.md has the whole order of steps.
 */
const afterRestore: Command<RestoreParts> = {
  summary:
    'After a restore, before workers start: signs everyone out, ends links in mails and grants of AI clients, revokes all API keys (--keys revoke) or leaves them (--keys keep), and stops all webhooks and mails. Once you have checked what waits, --resume sends them. Prints the counts.',
  options: { keys: { type: 'text', hint: 'revoke|keep' }, resume: { type: 'flag' } },
  async run({ database }, { keys, resume }) {
    if (resume === true && keys === undefined)
      return database.transaction(async ({ query }) => {
        const suspended = await findSuspendedAccounts(query);
        return {
          accountsWithResumedWebhooks: await resumeAllDeliveries(query, suspended),
          accountsWithResumedMails: await resumeAllMails(query, suspended),
        };
      });
    if (resume === true || (keys !== 'revoke' && keys !== 'keep'))
      throw new Error(
        'Give either --resume, or --keys revoke, or --keys keep if no API key was revoked since the time of the restore.',
      );
    return database.transaction(async ({ query }) => ({
      accountsWithStoppedWebhooks: await stopAllDeliveries(query),
      accountsWithStoppedMails: await stopAllMails(query),
      endedSessions: await endAllSignIns(query),
      endedGrants: await endAllGrants(query),
      revokedKeys: keys === 'revoke' ? await revokeAllKeys(query) : 0,
    }));
  },
};

/** The commands of `npm run admin`, by name. */
export const serviceCommands: Readonly<Record<string, Command<AdminParts>>> = join([
  ...modules.map(({ commands }) => commands),
  { reseal: createResealCommand(sealedColumns), 'after-restore': afterRestore },
]);

export const { suspendAccount, resumeAccount } = createSuspension(
  modules.flatMap(({ subscribers }) => subscribers?.suspension ?? []),
);

export const windowSubscriber: WindowSubscriber = {
  async onWindowChanged(tx) {
    for (const { subscribers } of modules) await subscribers?.windows?.onWindowChanged(tx);
  },
};

export const membershipSubscriber: MembershipSubscriber = {
  async memberRemoved(tx, userId, options) {
    for (const { subscribers } of modules) await subscribers?.membership?.memberRemoved(tx, userId, options);
  },
};

export const purgers = modules.flatMap(({ subscribers }) => subscribers?.purge ?? []);

/** The procedures of all modules. */
export const createModuleRouter = (parts: ApiParts) =>
  router(join(modules.map((module) => module.router?.(parts))) as Routers);

export type ModuleRouter = ReturnType<typeof createModuleRouter>;

export const createDoors = (parts: ApiParts): HttpDoor[] =>
  modules.flatMap((module) => module.http?.(parts) ?? []);

export const createRepeats = (parts: WorkerParts): RepeatedWork[] =>
  modules.flatMap((module) => module.repeats?.(parts) ?? []);

/** By the name of the work. */
export const workConditions = join<string>([
  ...modules.map((module) => module.workConditions),
  jobConditions,
]);

export function createModuleJobs(parts: WorkerParts) {
  const jobs = modules.map((module) => module.jobs?.(parts) ?? {});
  return {
    tasks: jobs.flatMap(({ tasks = [] }) => tasks),
    crons: jobs.flatMap(({ crons = [] }) => crons),
  };
}

/** Throws when two records have the same name. */
function join<Value>(records: readonly (object | undefined)[]): Record<string, Value> {
  const entries = records.flatMap((record) => Object.entries(record ?? {}) as [string, Value][]);
  const names = entries.map(([name]) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new Error(`Two modules have a "${repeated}"`);
  return Object.fromEntries(entries);
}

type RoutersOf<SomeModule> = SomeModule extends { router: (parts: never) => infer Own } ? Own : never;
type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;
type Routers = Intersection<RoutersOf<(typeof typedModules)[number]>>;

/** The procedures of the modules as functions. */
export type Modules = ReturnType<ModuleRouter['createCaller']>;

/** Calls procedures of the modules in the context of another procedure. Each checks its scopes again. */
export type CallModules = (ctx: RequestContext) => Modules;
