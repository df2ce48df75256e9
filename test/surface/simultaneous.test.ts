// Two calls with one idempotency key that both find no kept answer before their handlers run.
import { createId } from '@service/database';
import { clientProcedures, createChain, toKeyedRequest, type ChainOptions } from '@service/surface';
import { dataOf, router, scopedMutation } from '@service/trpc';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createTestAccount, createTestKey, testApi } from '../support/api.ts';
import { chainOptions } from '../support/chain.ts';

test('the second of two simultaneous calls gets the answer of the first, and its work does not run', async () => {
  await using service = await testApi();
  const { key } = await createTestKey(service, (await createTestAccount(service)).accountId);
  const steps: string[] = [];
  const arrived = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const released = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let handlers = 0;
  const writing = router({
    write: scopedMutation({
      scope: 'webinars:write',
      rest: 'POST /write',
      tool: 'write',
      summary: 'Write',
      tag: 'Test',
    })
      .output(dataOf(z.string()))
      .mutation(async ({ ctx }) => {
        const index = handlers++;
        arrived[index]!.resolve();
        await released[index]!.promise;
        const data = await ctx.transaction(async () => {
          steps.push(`work ${index}`);
          return `made by ${index}`;
        });
        steps.push(`handler ${index} ends`);
        return { data };
      }),
  });
  const callTool = createToolSurface(chainOptions(service, writing));
  const call = { tool: 'write', credential: key, idempotencyKey: 'same' };

  const first = callTool(call);
  await arrived[0]!.promise;
  const second = callTool(call);
  await arrived[1]!.promise;
  released[0]!.resolve();
  expect(await first).toEqual({ status: 200, text: '{"data":"made by 0"}', replayed: false });
  released[1]!.resolve();
  expect(await second).toEqual({ status: 200, text: '{"data":"made by 0"}', replayed: true });
  expect(steps).toEqual(['work 0', 'handler 0 ends']);

  const { rows } = await service.db.database.pool.query(
    `select count(*)::int as open from pg_stat_activity
     where datname = current_database() and state like 'idle in transaction%'`,
  );
  expect(rows).toEqual([{ open: 0 }]);
});

interface ToolCall {
  tool: string;
  credential: string;
  idempotencyKey: string;
}

interface ToolAnswer {
  status: number;
  text: string | null;
  replayed: boolean;
}

/** The smallest surface beside REST: a call of a function. */
function createToolSurface(options: ChainOptions): (call: ToolCall) => Promise<ToolAnswer> {
  const answerCall = createChain('mcp', options);
  const procedureByTool = new Map(
    clientProcedures(options.router).map((procedure) => [procedure.meta.tool, procedure]),
  );
  return async ({ tool, credential, idempotencyKey }) => {
    const procedure = procedureByTool.get(tool);
    const { promise, resolve } = Promise.withResolvers<ToolAnswer>();
    const read = () => ({
      keyed: toKeyedRequest(idempotencyKey, [tool], {}),
      input: () => ({}),
    });
    await answerCall({
      authorization: `Bearer ${credential}`,
      requestId: createId(),
      tool,
      sender: { userAgent: undefined, address: undefined, idempotencyKey },
      target: procedure ? { procedure, read } : 'not_found',
      write({ status, body, replayed }) {
        resolve({ status, text: body, replayed });
        return status;
      },
    });
    return promise;
  };
}
