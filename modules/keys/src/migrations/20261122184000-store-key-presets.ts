import { Migration } from '@mikro-orm/migrations';

// The presets of this day. They stay as they are here, so that this migration has the same result on every day.
const resources = ['webinars', 'sessions', 'registrations', 'automations', 'interactions'];
const reads = resources.map((resource) => `${resource}:read`);
const writes = resources.map((resource) => `${resource}:write`);

/** Stores the preset of each key. Keys with exactly the scopes and surfaces of a preset get it. No key gains or loses a scope. */
export class Migration20261122184000 extends Migration {
  override up(): void {
    this.addSql(`
      alter table keys.api_key
        add column preset text null constraint api_key_preset_check check (preset in ('full', 'read'))`);
    this.addSql(`
      update keys.api_key set preset = case
        when ${isSet('scopes', [...reads, ...writes])} then 'full'
        when ${isSet('scopes', reads)} then 'read'
      end
      where ${isSet('surfaces', ['rest', 'mcp'])}`);
  }
}

/** True for an array with exactly these entries, in any order. */
function isSet(column: string, entries: readonly string[]): string {
  const set = `array[${entries.map((entry) => `'${entry}'`).join(', ')}]`;
  return `(${column} @> ${set} and ${column} <@ ${set})`;
}
