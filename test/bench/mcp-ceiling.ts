// The SDK's own server with one tool, `get_webinar`. It checks the key, counts the call and reads the record by hand with pg, as the
// ceiling of the bench read does, or it answers a constant.
import { once } from 'node:events';
import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import pg from 'pg';
import { z } from 'zod';
import { admit, toWebinar } from './read-ceiling.ts';

const find = {
  name: 'find',
  text: `
    select w.*, s.id as next_id, s.starts_at as next_starts_at, s.ends_at as next_ends_at
    from webinars.webinar w
    left join lateral (
      select id, starts_at, ends_at from webinars.session
      where account_id = $1 and webinar_id = w.id and kind = 'scheduled' and status = 'scheduled' and starts_at > now()
      order by starts_at limit 1
    ) s on true
    where w.account_id = $1 and w.id = $2 and w.status in ('draft', 'published')`,
};

const constant = { id: '019aa1b7-0d11-7d6e-9a51-3f8f8be7ce11', title: 'Webinar 0', status: 'published' };

const output = z.object({ data: z.looseObject({ id: z.string(), title: z.string(), status: z.string() }) });
const input = z.object({ webinarId: z.uuid() });

/** Starts it on a free port. Without a database it answers a constant. */
export async function startMcpCeiling(databaseUrl: string | undefined): Promise<number> {
  const pool =
    databaseUrl === undefined ? undefined : new pg.Pool({ connectionString: databaseUrl, max: 10 });

  async function read(authorization: string | null | undefined, webinarId: string) {
    if (!pool) return constant;
    const key = hash('sha256', authorization!.slice('Bearer '.length), 'buffer');
    const admitted = await pool.query({
      ...admit,
      text: admit.text.replace("'rest'", "'mcp'"),
      values: [key],
    });
    const { rows } = await pool.query({ ...find, values: [admitted.rows[0].account_id, webinarId] });
    return toWebinar(rows[0]);
  }

  const handler = createMcpHandler(({ requestInfo }) => {
    const server = new McpServer({ name: 'ceiling', version: '1.0.0' });
    server.registerTool(
      'get_webinar',
      { description: 'Reads one webinar.', inputSchema: input, outputSchema: output },
      async ({ webinarId }) => {
        const structuredContent = { data: await read(requestInfo?.headers.get('authorization'), webinarId) };
        return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
      },
    );
    return server;
  });
  const listen = toNodeHandler(handler);
  const server = createServer((request, response) => void listen(request, response));
  server.listen(0);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
