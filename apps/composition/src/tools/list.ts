// The list of tools for members. The dashboard has no copy of the catalogue.
import { allScopes } from '@service/catalogue';
import { summarizeTools } from '@service/mcp';
import { dataOf, memberQuery, router, type AnyServiceRouter } from '@service/trpc';
import { z } from 'zod';
import { toolCatalogue } from './catalogue.ts';

const ToolOutput = z.object({
  name: z.string(),
  title: z.string(),
  summary: z.string(),
  scopes: z.array(z.enum(allScopes)),
  isWrite: z.boolean(),
  isDestructive: z.boolean(),
});

export function createToolList(callable: AnyServiceRouter) {
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
