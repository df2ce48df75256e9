import { Migration } from '@mikro-orm/migrations';

/** Rules on clicks that name a handout fire for its downloads, which are an event type of their own from now on. */
export class Migration20261122183001 extends Migration {
  override up(): void {
    // Only webinars knows which interactions are handouts. The version of the rules stays: a process of the former release
    // publishes downloads as clicks and keeps the rules that it has loaded until it ends.
    this.addSql(`
      update automations.rule r set trigger_type = 'handout_download'
      from webinars.interaction i
      where r.trigger_type = 'cta_click' and i.account_id = r.account_id and i.webinar_id = r.webinar_id
        and i.id = (r.trigger_params ->> 'interactionId')::uuid and i.type = 'handout'`);
  }
}
