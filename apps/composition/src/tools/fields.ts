// Fields of results. A result is the answer of a procedure with fewer fields, so their values need no further checks.
import { rowsMax } from '@service/mcp';
import { z } from 'zod';

export const text = z.string();
export const whole = z.number();
export const moment = z.string();
/** The answer of a receiver. Some receivers repeat the body, which may have the join link of the attendee. */
export const withoutJoinLinks = z
  .string()
  .overwrite((snippet) => snippet.replaceAll(/\/(join|room)\/[\w.-]+/g, '/$1/[hidden]'));
/** The first rows of a list without pages. */
export const firstRows = <Row>(rows: readonly Row[]): Row[] => rows.slice(0, rowsMax);
export const nullable = (field: z.ZodType) => field.nullable();
