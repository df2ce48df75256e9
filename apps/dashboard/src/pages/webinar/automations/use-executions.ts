import type { inferRouterOutputs } from '@trpc/server';
import type { ApiCall } from '../../../api-call.ts';
import { usePaged } from '../../../paged.ts';
import { useTRPC, useTRPCClient, type ServiceRouter } from '../../../trpc.ts';

export type Execution = inferRouterOutputs<ServiceRouter>['automations']['executions']['data'][number];

/** An execution with the attendee's name. Null if the registration is no longer there. */
export interface NamedExecution extends Execution {
  attendee: { name: string; email: string } | null;
}

export interface ExecutionFilter {
  ruleId?: string | undefined;
  registrationId?: string | undefined;
  outcome?: Execution['outcome'] | undefined;
  skipReason?: NonNullable<Execution['skipReason']> | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** Executions of a webinar, a rule or a registration, newest first. The names of a page take one more call. */
export function useExecutions(webinarId: string, filter: ExecutionFilter) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const { ruleId, ...others } = filter;
  return usePaged<NamedExecution>({
    queryKey: [...trpc.automations.executions.pathKey(), webinarId, filter],
    async fetchPage(page, signal) {
      const input = { webinarId, ...given(others), ...page };
      const found = ruleId
        ? await client.automations.ruleExecutions.query({ ...input, ruleId }, { signal })
        : await client.automations.executions.query(input, { signal });
      const ids = [...new Set(found.data.map(({ registrationId }) => registrationId))];
      const names =
        ids.length === 0 ? [] : (await client.registrations.byIds.query({ ids }, { signal })).data;
      const byId = new Map(names.map((one) => [one.id, one]));
      return {
        ...found,
        data: found.data.map((one) => ({ ...one, attendee: byId.get(one.registrationId) ?? null })),
      };
    },
  });
}

/** The same list over the REST API. */
export const executionsCall = (webinarId: string, { ruleId, ...query }: ExecutionFilter): ApiCall =>
  ruleId === undefined
    ? { operation: 'GET /webinars/{webinarId}/executions', params: { webinarId }, query }
    : {
        operation: 'GET /webinars/{webinarId}/automations/{ruleId}/executions',
        params: { webinarId, ruleId },
        query,
      };

/** The service refuses fields that are undefined in a query. */
const given = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
