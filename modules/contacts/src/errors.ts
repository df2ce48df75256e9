import { defineErrors } from '@service/errors';

export const contactErrors = defineErrors({
  run_not_found: { kind: 'not_found', message: 'The run does not exist.' },
  run_in_progress: {
    kind: 'conflict',
    message: 'The connection has a run that has not ended. Cancel it, or wait for its end.',
  },
});
