import { EventCredit } from './entities/event-credit.ts';
import { EventKey } from './entities/event-key.ts';
import { Payment } from './entities/payment.ts';
import { PurchaseDescription } from './entities/purchase-description.ts';
import { QuarterTotal } from './entities/quarter-total.ts';
import { RevenueEvent } from './entities/revenue-event.ts';
import { Total } from './entities/total.ts';

export const ledgerEntities = [
  RevenueEvent,
  Payment,
  EventCredit,
  EventKey,
  PurchaseDescription,
  Total,
  QuarterTotal,
];
