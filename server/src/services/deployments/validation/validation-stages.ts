import type { ResultLine } from '@quayside/contract/deployments/endpoints'
import type { HelmOutcome, RenderInput } from '../../../adapters/helm/helm.ts'
import { type ManifestObject, ManifestUnreadableError } from '../../../adapters/helm/manifest.ts'
import { readManifestInWorker } from '../../../adapters/helm/parse-manifest.ts'
import { placeOf } from '../../../adapters/helm/place-of.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import { Failure } from '../../../platform/http/errors.ts'
import type { AppRecord } from '../../apps/index.ts'
import { elevationBy, elevationMessage } from '../commands/elevation.ts'
import type { DeploymentDeps } from '../deps.ts'
import { fingerprintOf } from '../ledger/fingerprint.ts'
import type { OutsideVerdict, VersionOf } from '../ports.ts'
import { releaseNameOf } from '../releases/release-name.ts'
import { handWritten } from '../values/restricted-values.ts'
import type { Values } from '../values/values.ts'
import { inWorker } from '../values/values-pool.ts'
import { namedPriorities } from './named-priorities.ts'
import { policiesBeyondTheSpace } from './policies-beyond-the-space.ts'
import { checkSchema, linesOf } from './schema-check.ts'
import { withoutApiServer } from './without-api-server.ts'

export type StageName = 'YAML' | 'Schema' | 'Helm' | 'Lint' | 'Policy' | 'Cluster' | 'Quota'

/** The deployment to examine; `shared` carries results from one stage to the next. */
export interface Subject {
  deps: DeploymentDeps
  actor: Pick<Actor, 'tenantId'>
  /** The person who would deploy it; left out when their rights are not to be judged. */
  deployer?: { userId: string; username: string; spaceName: string }
  app: AppRecord
  chosen: VersionOf
  yaml: string
  values: Values
  mayWriteYaml: boolean
  secretPaths: string[][]
  /** Rendered as for a release that is there already. */
  isUpgrade?: boolean
  shared: {
    render?: RenderInput
    manifest?: string
    objects?: readonly ManifestObject[]
    scopes?: ReadonlyMap<string, boolean>
    outside?: OutsideVerdict
    /** Templates of the network policies that were refused. */
    refusedPolicies?: string[]
  }
}

const mostLines = 50

/** One after another; the first that finds an error is the last. */
export const stages: readonly { name: StageName; check(subject: Subject): Promise<ResultLine[]> }[] = [
  { name: 'YAML', check: checkKeys },
  { name: 'Schema', check: checkValues },
  { name: 'Helm', check: render },
  { name: 'Lint', check: lint },
  { name: 'Policy', check: checkPolicy },
  { name: 'Cluster', check: dryRun },
  { name: 'Quota', check: checkRoom },
]

async function checkKeys(subject: Subject): Promise<ResultLine[]> {
  const repeated = await inWorker('repeated', { yaml: subject.yaml })
  const found = repeated.map((one): ResultLine => ({ ...one, isSummary: false, resultType: 'info', provider: 'YAML' }))
  return subject.mayWriteYaml ? found : [...(await handWrittenLines(subject)), ...found]
}

async function handWrittenLines({ deps, actor, app, chosen, values, yaml }: Subject): Promise<ResultLine[]> {
  const names = (await handWritten(deps, actor.tenantId, { app, chosen, values })).slice(0, 50)
  const lines = await inWorker('lines', { yaml, paths: names.map((name) => name.split('.')) })
  return names.map((name, index) => ({
    message: `${name}: without the permission for YAML only what the form offers can be set`,
    isSummary: false,
    resultType: 'error',
    provider: 'YAML',
    path: name,
    line: lines[index],
  }))
}

async function checkValues({ chosen, values, yaml, secretPaths }: Subject): Promise<ResultLine[]> {
  if (!chosen.valuesSchema) return []
  const merged = await inWorker('coalesced', { valuesYaml: chosen.valuesYaml, values })
  const answer = await checkSchema({ schema: chosen.valuesSchema, values: merged })
  if ('findings' in answer) return linesOf(answer.findings, yaml, secretPaths)
  // Nobody else checks them: Helm is told to skip it. Values that were not checked are not deployed.
  const message = `The values cannot be checked against the chart's schema: ${answer.unusable}. ${answer.remedy}`
  return [{ message, isSummary: false, resultType: 'error', provider: 'Schema' }]
}

async function render(subject: Subject): Promise<ResultLine[]> {
  const { deps, actor, yaml, values, shared } = subject
  const { resourceScopes, ...input } = await renderInput(deps, actor.tenantId, subject)
  shared.scopes = resourceScopes
  shared.render = { ...input, ...(subject.isUpgrade ? { isUpgrade: true } : {}) }
  const outcome = await deps.helm.template(shared.render)
  if (outcome.ended === 'exit' && outcome.code === 0) {
    shared.manifest = outcome.stdout
    return []
  }
  return located(errorLines(outcome, 'Helm'), yaml, values)
}

/** Lines of Helm with where in the values each is. */
async function located(lines: readonly ResultLine[], yaml: string, values: Values): Promise<ResultLine[]> {
  const where = await inWorker('where', { messages: lines.map(({ message }) => message), yaml, values })
  return lines.map((line, index) => ({ ...line, ...where[index] }))
}

/** How a chart is rendered for an app and the cluster it is on. */
export async function renderInput(
  deps: DeploymentDeps,
  tenantId: string,
  { app, chosen, yaml }: Pick<Subject, 'app' | 'chosen' | 'yaml'>,
): Promise<RenderInput & { resourceScopes: ReadonlyMap<string, boolean> }> {
  const { kubeVersion, apiVersions, resourceScopes } = await deps.clusters.capabilities(tenantId, app.clusterId)
  return {
    chartFile: await deps.catalog.packageFile(tenantId, chosen.version.digest),
    values: yaml,
    releaseName: app.releaseName ?? releaseNameOf(app.displayName, app.identifier),
    namespace: app.namespace,
    kubeVersion,
    apiVersions,
    includeCrds: true,
    resourceScopes,
  }
}

/** Refuses, by name, objects outside of the space that are neither on the cluster's list nor approved. */
async function checkPolicy(subject: Subject): Promise<ResultLine[]> {
  try {
    return [...(await checkOutside(subject)), ...(await checkNetwork(subject)), ...(await checkPriorities(subject))]
  } catch (error) {
    const isRefused = error instanceof Failure && error.code === 'approval.refused'
    if (!isRefused && !(error instanceof ManifestUnreadableError)) throw error
    return [{ message: error.message, isSummary: false, resultType: 'error', provider: 'Policy' }]
  }
}

/** Compares what the release needs of the network with what the space reaches. */
async function checkNetwork({ deps, actor, app, shared }: Subject): Promise<ResultLine[]> {
  const objects = shared.objects ?? []
  const refused = policiesBeyondTheSpace(objects, app.namespace)
  const message = withoutApiServer(objects)
  if (refused.length === 0 && message === undefined) return []
  const reach = await deps.clusters.reachOf(actor.tenantId, app.clusterId, app.spaceId)
  const line = { isSummary: false, provider: 'Policy' } as const
  if (!reach.chartPolicies) shared.refusedPolicies = refused.map(({ object }) => object.source ?? '')
  return [
    ...(reach.chartPolicies ? [] : refused.slice(0, mostLines)).map(
      ({ said, object }): ResultLine => ({ ...line, message: said, resultType: 'error', object }),
    ),
    // A note, and no refusal: many clusters enforce no network policies, and not every pod needs the rights it has.
    ...(reach.apiServer || message === undefined ? [] : [{ ...line, message, resultType: 'info' } as const]),
  ]
}

/** Refuses classes of priority that the cluster would refuse the pods, which are made after Helm has ended. */
async function checkPriorities({ deps, actor, app, shared }: Subject): Promise<ResultLine[]> {
  const named = namedPriorities(shared.objects ?? [])
  if (named.length === 0) return []
  const place = { tenantId: actor.tenantId, clusterId: app.clusterId, spaceId: app.spaceId }
  const names = [...new Set(named.map(({ priorityClass }) => priorityClass))]
  const refused = new Set(await deps.clusters.refusedPriorities(place, names))
  return named
    .filter(({ priorityClass }) => refused.has(priorityClass))
    .slice(0, mostLines)
    .map(({ object, priorityClass, path }) => ({
      message: `${object.kind} ${object.name} has the class of priority ${priorityClass}, whose pods drive those of other spaces off their nodes or come before them. Leave it out in the values, or ask somebody who edits the cluster to put PriorityClass ${priorityClass} on its list.`,
      isSummary: false,
      resultType: 'error',
      provider: 'Policy',
      object: placeOf(object, path),
    }))
}

async function checkOutside(subject: Subject): Promise<ResultLine[]> {
  const { deps, actor, app, chosen, shared } = subject
  shared.objects = await readManifestInWorker(shared.manifest ?? '')
  const outside = await deps.clusters.outsideOf(actor.tenantId, {
    clusterId: app.clusterId,
    spaceId: app.spaceId,
    appId: app.id,
    namespace: app.namespace,
    releaseName: app.releaseName ?? releaseNameOf(app.displayName, app.identifier),
    item: { id: chosen.item.id, publisherId: chosen.publisherId, sourceId: chosen.sourceId },
    objects: shared.objects,
    resourceScopes: shared.scopes ?? new Map(),
  })
  shared.outside = outside
  const missing = outside.decisions.filter(({ need }) => need.verdict !== 'rule' && need.verdict !== 'approved')
  if (missing.length === 0) return checkElevation(subject, outside)
  return missing.slice(0, mostLines).map(({ need, judged }) => ({
    message: need.message,
    isSummary: false,
    resultType: 'error',
    provider: 'Policy',
    object: placeOf({ ...need, source: judged.source }, need.namespace === null ? undefined : 'metadata.namespace'),
  }))
}

/** The action would be refused for the same reason, later. */
async function checkElevation(
  { deps, actor, app, chosen, values, deployer }: Subject,
  toBe: OutsideVerdict,
): Promise<ResultLine[]> {
  if (!deployer) return []
  const who = { tenantId: actor.tenantId, userId: deployer.userId, spaceId: app.spaceId }
  const fingerprint = fingerprintOf(chosen, values)
  const ground = await elevationBy(deps, { who, clusterId: app.clusterId, toBe, fingerprint })
  if (ground.by !== 'none') return []
  const message = elevationMessage(deployer.username, deployer.spaceName, ground.missing)
  return [{ message, isSummary: false, resultType: 'error', provider: 'Policy' }]
}

async function lint({ deps, shared, yaml, values }: Subject): Promise<ResultLine[]> {
  if (!shared.render) return []
  const outcome = await deps.helm.lint(shared.render)
  if (outcome.ended !== 'exit') return errorLines(outcome, 'Lint')
  const found = `${outcome.stdout}\n${outcome.stderr}`.split('\n').flatMap((line): ResultLine[] => {
    const [, level, text] = /^\[(ERROR|WARNING|INFO)\]\s*(.*)$/.exec(line) ?? []
    if (!level || !text) return []
    // Lint says of a good chart that it might have an icon; that is no news to who deploys it.
    if (level === 'INFO') return []
    const resultType = level === 'ERROR' ? 'error' : 'info'
    return [{ message: text, isSummary: false, resultType, provider: 'Lint' }]
  })
  return located(found, yaml, values)
}

async function dryRun({ deps, actor, app, shared }: Subject): Promise<ResultLine[]> {
  const releaseName = app.releaseName ?? releaseNameOf(app.displayName, app.identifier)
  const isNew = app.releaseName === null
  const target = { namespace: app.namespace, spaceId: app.spaceId, releaseName, isNew }
  const found = await deps.clusters.dryRun(actor.tenantId, app.clusterId, target, shared.objects ?? [])
  return found.map((line) => ({ ...line, provider: 'Cluster' }))
}

async function checkRoom({ deps, actor, app, shared }: Subject): Promise<ResultLine[]> {
  const { namespace, releaseName } = app
  const place = { namespace, spaceId: app.spaceId, releaseName }
  const found = await deps.clusters.shortfalls(actor.tenantId, app.clusterId, place, shared.objects ?? [])
  return found.map((line) => ({ ...line, provider: 'Quota' }))
}

function errorLines({ ended, stderr }: HelmOutcome, provider: StageName): ResultLine[] {
  if (ended !== 'exit') {
    const message =
      ended === 'limit' ? 'The chart needs more memory or time than it may' : 'The chart takes too long to render'
    return [{ message, isSummary: true, resultType: 'fatal', provider }]
  }
  const said = stderr.split('\n').filter((line) => line.trim() !== '' && !/level=WARN|^Use --debug flag/.test(line))
  return said
    .slice(0, 20)
    .map((line) => ({ message: line.replace(/^Error: /, ''), isSummary: false, resultType: 'error', provider }))
}
