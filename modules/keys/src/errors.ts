import { defineErrors } from '@service/errors';

export const keyErrors = defineErrors({
  api_key_not_found: {
    kind: 'not_found',
    message: 'There is no such API key.',
    remedy: 'Take the id from the list of API keys; the key may belong to another workspace.',
  },
  api_key_limit_reached: {
    kind: 'conflict',
    message: 'This workspace has the maximum number of API keys (200). Revoke a key that is not used.',
    remedy: 'Revoke a key that has not been used for long, then create the new one.',
  },
});
