// Fields of results. A result is the answer of a procedure with fewer fields, so their values need no further checks.
import { rowsMax } from '@service/mcp';
import { z } from 'zod';

export const text = z.string();
export const whole = z.number();
export const moment = z.string();
/**
 * The answer of a receiver without join and click links, which a receiver may have read over REST. PHP escapes slashes in JSON, and
 * forms encode them. A token has 64 characters or more.
 */
export const withoutJoinLinks = z
  .string()
  .overwrite((snippet) => snippet.replaceAll(/(\\?\/|%2F)(room|r)(\\?\/|%2F)[\w-]{64,}/gi, '$1$2$3[hidden]'));
/** The first rows of a list without pages. */
export const firstRows = <Row>(rows: readonly Row[]): Row[] => rows.slice(0, rowsMax);
export const nullable = (field: z.ZodType) => field.nullable();
