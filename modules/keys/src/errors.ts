import { defineErrors } from '@service/errors';

export const keyErrors = defineErrors({
  api_key_not_found: { kind: 'not_found', message: 'There is no such API key.' },
  api_key_limit_reached: {
    kind: 'conflict',
    message: 'This workspace has as many API keys as it may have. Revoke one that is not used.',
  },
});
