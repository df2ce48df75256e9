import { defineErrors } from '@service/errors';

export const deliveryErrors = defineErrors({
  delivery_not_found: { kind: 'not_found', message: 'There is no such delivery.' },
  delivery_still_waiting: {
    kind: 'conflict',
    message: 'The delivery is not finished yet. Only a finished one can be sent again.',
  },
  endpoint_not_found: { kind: 'not_found', message: 'There is no such endpoint.' },
});
