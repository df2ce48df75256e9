import { defineErrors } from '@service/errors';

export const contactErrors = defineErrors({
  tool_not_found: {
    kind: 'not_found',
    message: 'The connection does not exist, or is no marketing tool.',
    remedy: 'Take the id of a marketing tool from `GET /connections`.',
  },
  nothing_in_step: {
    kind: 'conflict',
    message: 'The connection keeps no registrants in step. Switch it on in the dashboard first.',
    remedy:
      'Switch on that the connection keeps registrants in step, in the dashboard under Settings, Marketing tools.',
  },
  run_not_found: {
    kind: 'not_found',
    message: 'The run does not exist.',
    remedy: 'Take the id from the list of runs of the same connection.',
  },
  run_in_progress: {
    kind: 'conflict',
    message: 'The connection has a run that has not ended. Cancel it, or wait for its end.',
    remedy: 'Wait until the run has ended, or cancel it, then start the new one.',
  },
});
