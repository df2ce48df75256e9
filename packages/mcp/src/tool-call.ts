import type { Issue } from '@service/errors';
import { toKeyedRequest, type CallContent } from '@service/surface';
import { parseInput, refuseInput } from '@service/trpc';
import { z } from 'zod';
import { rowsMax } from './tool-schema.ts';
import type { Tool } from './tool.ts';

/** The idempotency key of a write: an argument for assistants, and a member of `_meta` for programs. */
const keyName = 'idempotency_key';

/** The version of the record that a change began with. */
const ifMatchName = 'if_match';

interface ToolArguments {
  arguments: Record<string, unknown>;
  meta: Record<string, unknown>;
}

/** The idempotency key as it was sent, also a malformed one, for Activity. */
export function sentKeyOf({ arguments: given, meta }: ToolArguments): string | undefined {
  const key = given[keyName] ?? meta[keyName];
  return typeof key === 'string' ? key : undefined;
}

/**
 * Reads an admitted call of a tool. The fingerprint of a write with a key is the name of the tool and its arguments without the key.
 * Throws validation_failed, malformed_idempotency_key.
 */
export function readToolCall(tool: Tool, { arguments: given, meta }: ToolArguments): CallContent {
  if (!tool.isWrite) return { keyed: undefined, input: () => inputOf(tool, given) };
  const { [keyName]: argument, ...rest } = given;
  const issues: Issue[] = [];
  const key = keyOf(argument, meta[keyName], issues);
  const keyed = key === undefined ? undefined : toKeyedRequest(key, [tool.name], rest);
  if (!tool.isEdit) return { keyed, input: () => inputOf(tool, rest, issues) };
  const { [ifMatchName]: version, ...input } = rest;
  return { keyed, ifMatch: ifMatchOf(version, issues), input: () => inputOf(tool, input, issues) };
}

/** As `If-Match` of REST: a version without quotes is an ETag of it. */
function ifMatchOf(version: unknown, issues: Issue[]): string | undefined {
  if (typeof version === 'string') return /^\w+$/.test(version) ? `"${version}"` : version;
  if (version !== undefined) issues.push({ path: ifMatchName, message: 'Must be a string.' });
  return undefined;
}

function keyOf(argument: unknown, meta: unknown, issues: Issue[]): string | undefined {
  const isText = [argument, meta].every((key) => key === undefined || typeof key === 'string');
  if (!isText) issues.push({ path: keyName, message: 'Must be a string.' });
  else if (argument !== undefined && meta !== undefined && argument !== meta)
    issues.push({ path: keyName, message: 'The argument and _meta have different keys.' });
  return issues.length > 0 ? undefined : ((argument ?? meta) as string | undefined);
}

/** A list has fewer rows than over REST. Throws validation_failed, which names the given problems too. */
function inputOf(
  { procedure, isPaged, takesLimit }: Tool,
  given: Record<string, unknown>,
  issues: readonly Issue[] = [],
): unknown {
  const { limit } = given;
  const isTooLong = takesLimit && typeof limit === 'number' && limit > rowsMax;
  const found = isTooLong ? [...issues, { path: 'limit', message: `At most ${rowsMax}.` }] : issues;
  const schema = procedure.input ?? z.strictObject({});
  if (found.length > 0) throw refuseInput(schema, given, found);
  if (!procedure.input) return parseInput(schema, given);
  return isPaged && limit === undefined ? { ...given, limit: rowsMax } : given;
}
