// The SDK's own server with one tool that answers a constant record: no key, no limit, no database, no Activity.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

const record = {
  id: '019aa1b7-0d11-7d6e-9a51-3f8f8be7ce11',
  title: 'Webinar 0',
  status: 'published',
  timezone: 'UTC',
  description: 'Of the usual length: the topic of the webinar, the people it is made for, and its speakers.',
  schedule: { recurrences: [{ frequency: 'once', time: '09:00', startDate: '2030-06-01', endDate: null }] },
};

const output = z.object({ data: z.looseObject({ id: z.string(), title: z.string(), status: z.string() }) });
const input = z.object({ webinarId: z.uuid() });
const structuredContent = { data: record };

/** Starts it on a free port. */
export async function startMcpCeiling(): Promise<number> {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'ceiling', version: '1.0.0' });
    server.registerTool(
      'get_webinar',
      { description: 'Reads one webinar.', inputSchema: input, outputSchema: output },
      () => ({ content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent }),
    );
    return server;
  });
  const listen = toNodeHandler(handler);
  const server = createServer((request, response) => void listen(request, response));
  server.listen(0);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
