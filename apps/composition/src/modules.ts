import { accountsModule, createSuspension, type MembershipSubscriber } from '@service/accounts';
import { activityModule } from '@service/activity';
import { attendeesModule } from '@service/attendees';
import { automationsModule } from '@service/automations';
import { connectionsModule } from '@service/connections';
import { connectorsModule } from '@service/connectors';
import { contactsModule } from '@service/contacts';
import { deliveriesModule } from '@service/deliveries';
import { commonErrors, joinCatalogues } from '@service/errors';
import { idempotencyModule } from '@service/idempotency';
import { keysModule } from '@service/keys';
import { mailsModule } from '@service/mails';
import type { Command, HttpDoor, Module, RepeatedWork } from '@service/module';
import { revenueModule } from '@service/revenue';
import { router, type RequestContext } from '@service/trpc';
import { webinarsModule, type WindowSubscriber } from '@service/webinars';
import type { AdminParts, ApiParts, ServiceParts, WorkerParts } from './parts.ts';
import { afterRestore } from './after-restore.ts';
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
