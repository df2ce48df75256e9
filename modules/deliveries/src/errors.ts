import { defineErrors } from '@service/errors';

export const deliveryErrors = defineErrors({
  delivery_not_found: { kind: 'not_found', message: 'There is no such delivery.' },
  endpoint_not_found: { kind: 'not_found', message: 'There is no such endpoint.' },
});
