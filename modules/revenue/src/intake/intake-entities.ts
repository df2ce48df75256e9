import { RefusedEvent } from './refused/refused-event.ts';
import { RevenueSource, SourceDay, SuspendedAccount } from './source/entities.ts';

export const intakeEntities = [RevenueSource, SourceDay, SuspendedAccount, RefusedEvent];
