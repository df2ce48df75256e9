import type { RequestContext } from '@service/trpc';
import type { ModuleRouter } from '../modules.ts';

/** The procedures of the modules as functions. */
export type Modules = ReturnType<ModuleRouter['createCaller']>;

/** Calls procedures of the modules in the context of another procedure. Each checks its scopes again. */
export type CallModules = (ctx: RequestContext) => Modules;
