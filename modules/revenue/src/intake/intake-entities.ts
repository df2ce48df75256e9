import { RefusedEvent } from './refused/refused-event.ts';
import { RevenueSource, SourceDay } from './source/entities.ts';

export const intakeEntities = [RevenueSource, SourceDay, RefusedEvent];
