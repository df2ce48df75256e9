import type { AccountReader, AccountWriter } from '@service/database';
import type { AppError } from '@service/errors';
import type { z } from 'zod';

/** A rule or a subscription, as far as it is the same which. */
export interface Source {
  endpointId: string;
  isOn: boolean;
  /** Its path below /api/v1. */
  path: `/${string}`;
}

/** What the procedures of both differ in. `Shape` names one of them, `EventType` what it can send. */
export interface SourceKind<Shape extends z.ZodRawShape, EventType extends z.ZodType<string>> {
  /** In the names of tools. */
  noun: 'webhook' | 'automation';
  /** For people: `subscription`. */
  title: string;
  tag: string;
  path: `/${string}`;
  key: z.ZodObject<Shape>;
  eventType: EventType;
  find(reader: AccountReader, key: z.output<z.ZodObject<Shape>>): Promise<Source>;
  /** Held until the transaction ends, so that nobody switches it off meanwhile. */
  hold(tx: AccountWriter, key: z.output<z.ZodObject<Shape>>): Promise<Source>;
  /** Nothing is sent by what is switched off. */
  offError(): AppError;
}
