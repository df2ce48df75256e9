import { defineErrors } from '@service/errors';

export const contactErrors = defineErrors({
  tool_not_found: { kind: 'not_found', message: 'The connection does not exist, or is no marketing tool.' },
  nothing_in_step: {
    kind: 'conflict',
    message: 'The connection keeps no registrants in step. Switch it on in the dashboard first.',
  },
  run_not_found: { kind: 'not_found', message: 'The run does not exist.' },
  run_in_progress: {
    kind: 'conflict',
    message: 'The connection has a run that has not ended. Cancel it, or wait for its end.',
  },
});
