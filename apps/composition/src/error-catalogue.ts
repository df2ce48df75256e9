import { accountErrors } from '@service/accounts';
import { automationErrors } from '@service/automations';
import { deliveryErrors } from '@service/deliveries';
import { commonErrors, type ErrorCatalogue } from '@service/errors';
import { keyErrors } from '@service/keys';
import { webinarErrors } from '@service/webinars';

/** Every code the product can answer with. */
export const errorCatalogue: ErrorCatalogue = {
  ...commonErrors.catalogue,
  ...accountErrors.catalogue,
  ...keyErrors.catalogue,
  ...webinarErrors.catalogue,
  ...automationErrors.catalogue,
  ...deliveryErrors.catalogue,
};
