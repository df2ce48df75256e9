import { withUntrusted, type ToolDefinition } from '@service/mcp';
import { z } from 'zod';
import { moment, nullable, text, whole } from './output-fields.ts';

/** What was sent and the runs of a connection are read over REST: the list of tools has no room for further ones. */
export const connectionTools: readonly ToolDefinition[] = [
  {
    name: 'list_connections',
    procedure: 'connections.list',
    title: 'List connections',
    description:
      'Lists the e-mail providers and marketing tools with their state, and how many people wait for a tool.',
    output: z.object({
      data: z.array(
        withUntrusted(
          {
            id: text,
            kind: text,
            provider: text,
            state: text,
            since: moment,
            waiting: z.object({ people: whole, oldestAt: nullable(moment) }).nullable(),
          },
          // Mostly in the words of the provider.
          { reason: nullable(text) },
        ),
      ),
    }),
  },
];
