import { mergeRouters, router } from '@service/trpc';
import { createModuleRouter } from './modules.ts';
import type { ApiParts } from './parts.ts';
import { createToolList } from './tools/list.ts';
import { createToolProcedures } from './tools/tool-procedures.ts';

/** Every procedure of the product: those of the modules, those that tools make of them, and the list of tools. */
export function createServiceRouter(parts: ApiParts) {
  const ofModules = createModuleRouter(parts);
  const tools = createToolProcedures((ctx) => ofModules.createCaller(ctx));
  const callable = mergeRouters(ofModules, router({ tools }));
  return mergeRouters(callable, router({ mcp: createToolList(callable) }));
}

export type ServiceRouter = ReturnType<typeof createServiceRouter>;
