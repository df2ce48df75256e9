import { mergeRouters, router } from '@service/trpc';
import { createModuleRouter } from './modules.ts';
import type { ApiParts } from './parts.ts';
import { createToolProcedures } from './tools/procedures.ts';

/** Every procedure of the product: those of the modules, and those that tools make of them. */
export function createServiceRouter(parts: ApiParts) {
  const ofModules = createModuleRouter(parts);
  const tools = createToolProcedures((ctx) => ofModules.createCaller(ctx));
  return mergeRouters(ofModules, router({ tools }));
}

export type ServiceRouter = ReturnType<typeof createServiceRouter>;
