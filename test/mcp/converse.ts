// A conversation of a person with an assistant, as the calls that the official client makes for it.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test as base } from 'vitest';
import { createWorld, type World } from '../support/world.ts';

const callsMax = 5;

export interface Conversation extends AsyncDisposable {
  // oxlint-disable-next-line typescript/no-explicit-any -- each tool has its own result
  ask(tool: string, given?: Record<string, unknown>): Promise<any>;
}

/**
 * Connects a client that knows the tools, and so compares each result with the schema of its tool. `ask` calls a tool that must
 * succeed. The sixth call fails.
 */
export async function converse({ service, key }: Pick<World, 'service' | 'key'>): Promise<Conversation> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.baseUrl}/mcp`), { requestInit }));
  await client.listTools();
  let calls = 0;
  return {
    async ask(tool, given = {}) {
      expect(++calls, tool).toBeLessThanOrEqual(callsMax);
      const {
        isError = false,
        structuredContent,
        content,
      } = await client.callTool({ name: tool, arguments: given });
      expect([isError, isError && content], tool).toEqual([false, false]);
      return structuredContent;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** A workspace, and what its assistant asks for. */
export const test = base
  // oxlint-disable-next-line eslint/no-empty-pattern -- vitest reads here which fixtures this one needs
  .extend('world', async ({}, { onCleanup }) => {
    const world = await createWorld();
    onCleanup(() => world[Symbol.asyncDispose]());
    return world;
  })
  .extend('ask', async ({ world }, { onCleanup }) => {
    const conversation = await converse(world);
    onCleanup(() => conversation[Symbol.asyncDispose]());
    return conversation.ask;
  });

/** The date of the Tuesday after today, YYYY-MM-DD. */
export function nextTuesday(): string {
  const today = new Date();
  const days = (2 - today.getUTCDay() + 7) % 7 || 7;
  return new Date(today.getTime() + days * 86_400_000).toISOString().slice(0, 10);
}
