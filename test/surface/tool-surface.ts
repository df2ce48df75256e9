// The smallest surface beside REST: a call of a function. It reads `{tool, arguments, credential}` and returns the answer.
import { createId } from '@service/database';
import { clientProcedures, createChain, toKeyedRequest, type ChainOptions } from '@service/surface';

export interface ToolCall {
  tool: string;
  arguments?: Record<string, unknown>;
  credential?: string;
  idempotencyKey?: string;
  requestId?: string;
}

export interface ToolAnswer {
  status: number;
  text: string | null;
  replayed: boolean;
}

export function createToolSurface(options: ChainOptions): (call: ToolCall) => Promise<ToolAnswer> {
  const answerCall = createChain('mcp', options);
  const procedureByTool = new Map(
    clientProcedures(options.router).map((procedure) => [procedure.meta.tool, procedure]),
  );
  return async ({ tool, arguments: given = {}, credential, idempotencyKey, requestId = createId() }) => {
    const procedure = procedureByTool.get(tool);
    const { promise, resolve } = Promise.withResolvers<ToolAnswer>();
    const read = () => ({
      keyed: idempotencyKey === undefined ? undefined : toKeyedRequest(idempotencyKey, [tool], given),
      input: () => given,
    });
    await answerCall({
      authorization: credential === undefined ? undefined : `Bearer ${credential}`,
      requestId,
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
