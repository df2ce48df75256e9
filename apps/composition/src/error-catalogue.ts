import { attendeeErrors } from '@service/attendees';
import { automationErrors } from '@service/automations';
import { deliveryErrors } from '@service/deliveries';
import { commonErrors, type ErrorCatalogue } from '@service/errors';
import { webinarErrors } from '@service/webinars';

/** All error codes of the REST API, for its documentation. */
export const restErrorCatalogue: ErrorCatalogue = {
  ...commonErrors.catalogue,
  ...webinarErrors.catalogue,
  ...attendeeErrors.catalogue,
  ...automationErrors.catalogue,
  ...deliveryErrors.catalogue,
};
