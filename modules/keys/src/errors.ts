import { defineErrors } from '@service/errors';

export const keyErrors = defineErrors({
  api_key_not_found: {
    kind: 'not_found',
    message: 'There is no such API key.',
  },
  api_key_limit_reached: {
    kind: 'conflict',
    message: 'This workspace has the maximum number of API keys (200). Revoke a key that is not used.',
  },
});
