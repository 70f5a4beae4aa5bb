import { createHash } from 'node:crypto'
import type { App } from '@quayside/contract/apps/endpoints'
import type { Outside } from '@quayside/contract/clusters/outside'
import type { ResultLine, ValidateBody, ValidationResult } from '@quayside/contract/deployments/endpoints'
import { YamlRefused } from '@quayside/values/yaml/yaml-document'
import type { z } from 'zod'
import { ManifestUnreadableError } from '../../../adapters/helm/manifest.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import { Failure } from '../../../platform/http/errors.ts'
import { mustEqual } from '../commands/command-matches-app.ts'
import { findApp, findVersion, mustUseCluster } from '../commands/lookup.ts'
import type { DeploymentDeps } from '../deps.ts'
import type { OutsideVerdict } from '../ports.ts'
import { withKeptSecrets } from '../secrets/kept-secrets.ts'
import { redactor } from '../secrets/redact-untrusted.ts'
import { mayWriteYaml, readSubmitted } from '../values/values.ts'
import { remedyFor } from './remedy.ts'
import { type StageName, type Subject, stages } from './validation-stages.ts'

type Body = z.infer<typeof ValidateBody>
export type Validate = (actor: Actor, versionId: string, body: Body) => Promise<ValidationResult>

const limitMs = 20_000
const remedyMs = 5000
const keptMs = 30_000
const mostKept = 100
const dependOnCluster: ReadonlySet<string> = new Set<StageName>(['Policy', 'Cluster', 'Quota'])

/** Checks values the way a deployment would meet them, without deploying. An unchanged question is answered at once. */
export function createValidate(deps: DeploymentDeps): Validate {
  const kept = new Map<string, { at: number; result: Promise<ValidationResult> }>()
  return async (actor, versionId, body) => {
    const { app, chosen, spaceName } = await subjectOf(deps, actor, versionId, body)
    const may = mayWriteYaml(actor)
    const question = JSON.stringify([
      actor.tenantId,
      actor.userId,
      versionId,
      app.id,
      app.releaseName,
      app.revision,
      may,
      body.yaml,
    ])
    const key = createHash('sha256').update(question).digest('base64')
    const known = kept.get(key)
    if (known && performance.now() - known.at < keptMs) return known.result
    const deployer = { userId: actor.userId, username: actor.username, spaceName }
    const result = examine(deps, { actor, deployer, app, chosen, yaml: body.yaml, mayWriteYaml: may })
    kept.delete(key)
    kept.set(key, { at: performance.now(), result })
    if (kept.size > mostKept) kept.delete(kept.keys().next().value ?? '')
    // Not kept: results without an answer, and those that an approval or a setting can change at any moment.
    result.then(
      ({ resultType, provider, success, outside }) =>
        (resultType === 'fatal' || outside !== null || (!success && dependOnCluster.has(provider))) && kept.delete(key),
      () => kept.delete(key),
    )
    return result
  }
}

/** The app and the version that values are about, if everything said of them fits together. */
export async function subjectOf(
  deps: DeploymentDeps,
  actor: Actor,
  versionId: string,
  { appMetadata }: Pick<Body, 'appMetadata'>,
) {
  const chosen = await findVersion(deps, actor.tenantId, versionId, 'id')
  mustEqual('appMetadata.tenantIdentifier', appMetadata.tenantIdentifier, actor.tenantIdentifier)
  const app: App = await findApp(deps, actor.tenantId, appMetadata.appIdentifier, 'appMetadata.appIdentifier')
  const space = await mustUseCluster(deps, actor.tenantId, app, 'appMetadata.appIdentifier')
  mustEqual('appMetadata.envIdentifier', appMetadata.envIdentifier, space.identifier)
  mustEqual('appMetadata.instanceIdentifier', appMetadata.instanceIdentifier, app.identifier)
  mustEqual('id', chosen.item.id, app.catalogItemId)
  return { app, chosen, spaceName: space.displayName }
}

async function examine(
  deps: DeploymentDeps,
  given: Pick<Subject, 'actor' | 'deployer' | 'app' | 'chosen' | 'yaml' | 'mayWriteYaml'>,
): Promise<ValidationResult> {
  const lines: ResultLine[] = []
  let shared: Subject['shared'] = {}
  let current: StageName = 'YAML'
  let hide = redactor([])
  let examined: Subject | undefined
  const run = async (): Promise<Omit<ValidationResult, 'outside' | 'remedy'>> => {
    const { chosen, actor, app } = given
    const yaml = await withKeptSecrets(deps, actor.tenantId, app, { yaml: given.yaml, field: 'yaml' })
    const { values, secretPaths, hidden } = await readSubmitted(yaml, 'yaml', chosen)
    hide = redactor(hidden)
    const subject: Subject = { ...given, yaml, deps, values, secretPaths, shared: {} }
    shared = subject.shared
    examined = subject
    for (const { name, check } of stages) {
      current = name
      const found = await check(subject)
      lines.push(...found)
      if (found.some((line) => line.resultType === 'error' || line.resultType === 'fatal')) return resultOf(name, lines)
      if (found.length === 0) lines.push({ message: `${name} OK`, isSummary: true, resultType: 'ok', provider: name })
    }
    return resultOf(current, lines)
  }
  const result = await within(limitMs, run).catch((error: unknown) => {
    lines.push(fatalLine(current, error))
    return resultOf(current, lines)
  })
  const outside = shared.outside && outsideOf(shared.outside, hide)
  const remedy = await offered(examined)
  return { ...result, lines: result.lines.map((line) => hiddenLine(line, hide)), outside: outside ?? null, remedy }
}

/** An offer beside the verdict: without it, in time or at all, the verdict says what to do. */
async function offered(examined: Subject | undefined): Promise<ValidationResult['remedy']> {
  if (!examined) return []
  try {
    return await within(remedyMs, (signal) => remedyFor(examined, signal))
  } catch (error) {
    if (!(error instanceof TooSlow)) examined.deps.log.warn({ err: error }, 'no remedy was sought for refused policies')
    return []
  }
}

function hiddenLine({ message, object, ...line }: ResultLine, hide: (text: string) => string): ResultLine {
  const [name, path] = [hide(object?.name ?? ''), object?.path && hide(object.path)]
  return { ...line, message: hide(message), ...(object ? { object: { ...object, name, path } } : {}) }
}

function outsideOf(
  { decisions, elevates, asksFor, approvalId }: OutsideVerdict,
  hide: (text: string) => string,
): Outside | null {
  if (decisions.length === 0) return null
  const missing = decisions.filter(({ need }) => need.verdict !== 'rule' && need.verdict !== 'approved')
  return {
    needs: decisions.map(({ need }) => ({
      ...need,
      name: hide(need.name),
      grants: need.grants.map(hide),
      message: hide(need.message),
    })),
    elevates,
    asksFor,
    approvalId,
    canAsk: missing.length > 0 && missing.every(({ need }) => need.verdict !== 'never'),
  }
}

const severity = ['ok', 'info', 'error', 'fatal'] as const

function resultOf(provider: StageName, lines: readonly ResultLine[]): Omit<ValidationResult, 'outside' | 'remedy'> {
  const worst = Math.max(0, ...lines.map((line) => severity.indexOf(line.resultType)))
  const success = worst < severity.indexOf('error')
  return { provider, resultType: success ? 'ok' : (severity[worst] ?? 'fatal'), lines: [...lines], success }
}

function fatalLine(provider: StageName, error: unknown): ResultLine {
  const isForPeople = [Failure, YamlRefused, TooSlow, ManifestUnreadableError].some((kind) => error instanceof kind)
  if (
    !(error instanceof Error) ||
    !isForPeople ||
    (error instanceof Failure && error.status >= 500 && error.status !== 502)
  )
    throw error
  const line = error instanceof Failure && typeof error.details?.line === 'number' ? error.details.line : undefined
  // Its line is said beside it.
  const message = error.cause instanceof YamlRefused && line !== undefined ? error.cause.problem.message : error.message
  return { message, isSummary: true, resultType: 'fatal', provider, line }
}

class TooSlow extends Error {
  override name = 'TooSlow'
}

/** Gives up on work after a time; the signal tells the work, so that it goes no further. */
async function within<T>(milliseconds: number, begin: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new TooSlow(`The validation takes longer than ${milliseconds / 1000} s`))
      late.abort()
    }, milliseconds)
  })
  const work = begin(late.signal)
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
    // The loser of the race must not become an unhandled rejection.
    work.catch(() => undefined)
  }
}
