// Calls at one time: two with one idempotency key that both find no kept answer before their handlers run, and calls of a batch.
import { createId } from '@service/database';
import { clientProcedures, createChain, toKeyedRequest, type ChainOptions } from '@service/surface';
import { createBatchedWrite, dataOf, router, scopedMutation } from '@service/trpc';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createTestAccount, createTestKey, testApi } from '../support/api.ts';
import { chainOptions } from '../support/chain.ts';
import { eventually } from '../support/eventually.ts';

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

test('a call whose answer cannot be made fails alone: the other calls of its batch are answered, and none waits for it', async () => {
  await using service = await testApi();
  const { key } = await createTestKey(service, (await createTestAccount(service)).accountId);
  const begun = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const works: string[][] = [];
  const batched = createBatchedWrite({
    keyOf: () => 'all',
    async run(_tx, values: readonly string[]) {
      works.push([...values]);
      begun.resolve();
      await released.promise;
      return values;
    },
  });
  const meta = {
    scope: 'webinars:write',
    rest: 'POST /write',
    tool: 'write',
    summary: 'Write',
    tag: 'Test',
  } as const;
  const writing = router({
    write: scopedMutation(meta)
      .input(z.object({ value: z.string() }))
      .output(dataOf(z.unknown()))
      // JSON has no such number.
      .mutation(({ ctx, input: { value } }) =>
        ctx.batched(batched, value, async (_tx, data) => ({ data: data === 'bad' ? 1n : data })),
      ),
  });
  const callTool = createToolSurface(chainOptions(service, writing));
  const call = (value: string) =>
    callTool({ tool: 'write', credential: key, idempotencyKey: value, input: { value } });

  const first = call('first');
  await begun.promise;
  const others = ['one', 'bad', 'two'].map(call);
  await eventually('the others to wait', async () => service.api.service.database.callUsage().used === 4);
  released.resolve();
  expect((await first).status).toBe(200);
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 500, 200]);
  expect(works.map((values) => values.length)).toEqual([1, 3, 1, 1]);
  expect((await call('later')).status).toBe(200);
});

interface ToolCall {
  tool: string;
  credential: string;
  idempotencyKey: string;
  input?: object;
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
  return async ({ tool, credential, idempotencyKey, input = {} }) => {
    const procedure = procedureByTool.get(tool);
    const { promise, resolve } = Promise.withResolvers<ToolAnswer>();
    const read = () => ({
      keyed: toKeyedRequest(idempotencyKey, [tool], {}),
      input: () => input,
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
