import { defineEntity, p } from '@mikro-orm/postgresql';

/**
 * A registration that has clicked an interaction, one row for each pair. The event stream has every click, but in the order of
 * clicks and only for the time that events are kept; lists of registrations need the order of registrations.
 */
export const Click = defineEntity({
  name: 'Click',
  tableName: 'click',
  schema: 'attendees',
  properties: {
    accountId: p.uuid().primary(),
    interactionId: p.uuid().primary(),
    registrationId: p.uuid().primary(),
  },
});
