// The OpenAPI document of the room, and its section in the API reference. The calls of the room have no key, so they are not in the
// document of the REST API.
import { restErrorCatalogue, roomOperations } from '@service/composition';
import { httpStatusByKind } from '@service/errors';
import { z } from 'zod';

type Json = Record<string, unknown>;

/** Refusals of every call: a link that is not valid, wrong input, too many calls. */
const commonCodes = ['join_link_expired', 'validation_failed', 'room_busy', 'too_many_invalid_links'];

const ErrorAnswer = z.object({
  code: z.string(),
  message: z.string(),
  issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  details: z.record(z.string(), z.unknown()).optional(),
  requestId: z.string(),
  docUrl: z.string(),
});

export function describeRoomCalls(baseUrl: string): Json {
  const schemas: Record<string, unknown> = {};
  const refer = (name: string, schema: z.ZodType, io: 'input' | 'output'): Json => {
    const { $schema: _dialect, $defs = {}, ...own } = z.toJSONSchema(schema, { io }) as Json;
    Object.assign(schemas, $defs, { [name]: own });
    return { $ref: `#/components/schemas/${name}` };
  };
  const bodyOf = (mediaType: string, schema: Json): Json => ({ content: { [mediaType]: { schema } } });
  const error = refer('Error', ErrorAnswer, 'output');

  const paths: Record<string, Json> = {};
  for (const operation of roomOperations) {
    const {
      id,
      method,
      path,
      summary,
      description,
      input,
      status,
      output,
      mediaType,
      errors = [],
    } = operation;
    const refusals = Object.groupBy([...errors, ...commonCodes], (code) =>
      String(httpStatusByKind[restErrorCatalogue[code]!.kind]),
    );
    const responses: Json = Object.fromEntries(
      Object.entries(refusals).map(([refusedStatus, codes]) => [
        refusedStatus,
        {
          description: codes!.map((code) => `\`${code}\`: ${restErrorCatalogue[code]!.message}`).join('\n\n'),
          ...bodyOf('application/json', error),
        },
      ]),
    );
    responses[String(status)] = {
      description: 'Success',
      ...(output && bodyOf('application/json', refer(...output, 'output'))),
      ...(mediaType && bodyOf(mediaType, { type: 'string' })),
    };
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    const query = id === 'readEvents' ? [{ name: 'since', in: 'query', schema: { type: 'string' } }] : [];
    (paths[path] ??= {})[method] = {
      operationId: id,
      summary,
      ...(description && { description }),
      parameters: [
        ...names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
        ...query,
      ],
      ...(input && {
        requestBody: {
          required: !input[1].safeParse({}).success,
          ...bodyOf('application/json', refer(...input, 'input')),
        },
      }),
      responses,
    };
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Room protocol',
      version: '1.0.0',
      description:
        'The calls of a page or a player for one attendee. `{join}` is the last part of the `joinUrl` of a registration, and the ' +
        'only credential: treat it as a secret. Pages of any origin may call. Bodies may have further fields, and answers may get ' +
        'further fields.',
    },
    servers: [{ url: baseUrl }],
    paths,
    components: { schemas },
  };
  return JSON.parse(JSON.stringify(document).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;
}

/** The section of the API reference. */
export const describeRoom = (baseUrl: string): string => `# The room

Attendees watch in the room at their \`joinUrl\`. A player of your own can do the same: it calls these addresses from any origin, without a
key. The last part of the \`joinUrl\` is the credential, so treat it as a secret. The schemas are in
[/api/v1/room/openapi.json](${baseUrl}/api/v1/room/openapi.json).

| Call | Use |
|---|---|
${roomOperations.map(({ method, path, summary }) => `| \`${method.toUpperCase()} ${path}\` | ${summary} |`).join('\n')}

The server decides what an attendee sees: \`showWhen\` of interactions, the opening of the lobby and the time of the replay. A player decides
only when an interaction appears, by \`showAtSeconds\` and \`hideAtSeconds\`. It sends the \`interactionsVersion\` of its list with each heartbeat
and gets a new list when the list has changed.`;
