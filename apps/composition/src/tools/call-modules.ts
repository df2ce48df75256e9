import type { Scope } from '@service/catalogue';
import type { Principal, RequestContext } from '@service/trpc';
import type { ModuleRouter } from '../modules.ts';

/** The procedures of the modules as functions. */
export type Modules = ReturnType<ModuleRouter['createCaller']>;

/** Calls procedures of the modules in the context of another procedure. Each checks its scopes again. */
export type CallModules = (ctx: RequestContext) => Modules;

/** True if a result may contain more than its tool requires. */
export const mayRead = (principal: Principal, scope: Scope): boolean =>
  principal.kind === 'member' || principal.scopes.has(scope);
