import { allScopes } from '@service/catalogue';
import { summarizeTools } from '@service/mcp';
import { mergeRouters, router, dataOf, memberQuery, type AnyServiceRouter } from '@service/trpc';
import { z } from 'zod';
import { createModuleRouter, type CallModules } from './modules.ts';
import type { ApiParts } from './parts.ts';
import { toolCatalogue } from './tools/catalogue.ts';
import { createDeliveryQueries } from './tools/delivery-queries.ts';
import { createReportQueries } from './tools/report-queries.ts';

/** Every procedure of the product: those of the modules, those that tools make of them, and the list of tools. */
export function createServiceRouter(parts: ApiParts) {
  const ofModules = createModuleRouter(parts);
  const tools = createToolProcedures((ctx) => ofModules.createCaller(ctx));
  const callable = mergeRouters(ofModules, router({ tools }));
  return mergeRouters(callable, router({ mcp: createToolList(callable) }));
}

export type ServiceRouter = ReturnType<typeof createServiceRouter>;

/** Procedures of tools that join several procedures of modules. */
const createToolProcedures = (callModules: CallModules) =>
  router({ ...createReportQueries(callModules), ...createDeliveryQueries(callModules) });

const ToolOutput = z.object({
  name: z.string(),
  title: z.string(),
  summary: z.string(),
  scopes: z.array(z.enum(allScopes)),
  isWrite: z.boolean(),
  isDestructive: z.boolean(),
});

/** The list of tools for members. The dashboard has no copy of the catalogue. */
function createToolList(callable: AnyServiceRouter) {
  const data = summarizeTools(callable, toolCatalogue).map(({ scopes, ...tool }) => ({
    ...tool,
    scopes: [...scopes],
  }));
  return router({
    /** All tools of assistants, with the scopes that each needs. */
    tools: memberQuery()
      .output(dataOf(z.array(ToolOutput)))
      .query(() => ({ data })),
  });
}
