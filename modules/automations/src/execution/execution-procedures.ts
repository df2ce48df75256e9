import { pageOf, scopedQuery } from '@service/trpc';
import { findWebinar } from '@service/webinars';
import { findRule } from '../rule/rules.ts';
import { listExecutions } from './list-executions.ts';
import { ExecutionOutput, ListExecutionsInput, ListRuleExecutionsInput } from './schemas.ts';

const tag = 'Automations';

const description =
  'Every event that an enabled rule looked at, newest first: whether it fired, and for each condition what was expected ' +
  'and what was the case.';

/** Why rules fired, and why they did not. */
export const executionProcedures = {
  executions: scopedQuery({
    scope: 'automations:read',
    rest: 'GET /webinars/{webinarId}/executions',
    tool: 'list_executions',
    summary: 'List what rules made of events',
    description,
    tag,
  })
    .input(ListExecutionsInput)
    .output(pageOf(ExecutionOutput))
    .query(async ({ ctx: { reader }, input }) => {
      const webinar = await findWebinar(reader, input.webinarId);
      return listExecutions(reader, { ...input, webinarId: webinar.id });
    }),

  ruleExecutions: scopedQuery({
    scope: 'automations:read',
    rest: 'GET /webinars/{webinarId}/automations/{ruleId}/executions',
    tool: 'list_automation_executions',
    summary: 'List what a rule made of events',
    description,
    tag,
  })
    .input(ListRuleExecutionsInput)
    .output(pageOf(ExecutionOutput))
    .query(async ({ ctx: { reader }, input }) => {
      const rule = await findRule(reader, input);
      return listExecutions(reader, { ...input, ruleId: rule.id });
    }),
};
