import type { AccountWriter } from '@service/database';

/** Another module's code that is called when the attribution window of a webinar changes. The composition passes in revenue's. */
export interface WindowSubscriber {
  /** Called inside the transaction that changed the window, after its other statements. */
  onWindowChanged(tx: AccountWriter): Promise<void>;
}
