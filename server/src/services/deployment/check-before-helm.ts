import type { ResultLine } from '@quayside/contract/deployment'
import type { VersionOf } from './ports.ts'
import { releaseNameOf } from './release-name.ts'
import { messageType, type Run, StepFailed } from './run.ts'
import { type Subject, stages } from './validation-stages.ts'
import { readValues } from './values.ts'

/**
 * What must hold for values however they came here: the chart's schema, which Helm is told to skip, and on a cluster
 * where charts stay in their space, that the rendered objects do. The space's own identity is the wall behind this;
 * refusing here names the object before anything is applied.
 */
export async function checkBeforeHelm(
  run: Run,
  chosen: VersionOf,
  yaml: string,
  secretPaths: string[][],
): Promise<void> {
  const { deps, action } = run
  const app = action.app_id ? await deps.apps.record(action.tenant_id, action.app_id) : undefined
  if (!app) throw new StepFailed('The app was deleted in the meantime')
  const cluster = await deps.clusters.record(action.tenant_id, app.clusterId)
  const mayReachOut = cluster?.clusterScoped ?? false
  const names = [
    'Schema',
    ...(mayReachOut && action.kind !== 'Upgrade' ? [] : ['Helm']),
    ...(mayReachOut ? [] : ['Policy']),
  ]
  const subject: Subject = {
    deps,
    actor: { tenantId: action.tenant_id },
    app: { ...app, releaseName: action.release_name ?? releaseNameOf(app.displayName, app.identifier) },
    chosen,
    yaml,
    values: await readValues(yaml, 'yaml'),
    mayWriteYaml: true,
    secretPaths,
    shared: {},
  }
  for (const { name, check } of stages) {
    if (!names.includes(name)) continue
    const found = (await check(subject)).filter(isError)
    if (found.length > 0) throw refusal(run, sentences[name as keyof typeof sentences], found)
  }
  run.manifest = subject.shared.manifest
}

const mostSaid = 50
const longestReason = 600

/** The log says each reason, and so do the action's words, from which the app has its own. */
function refusal({ action, journal, secrets }: Run, sentence: string, found: readonly ResultLine[]): StepFailed {
  const lines = found.map((line) => ({ ...line, message: secrets.hideForeign(line.message) }))
  journal.say(messageType(action.kind), sentence, 'error')
  for (const { message } of lines.slice(0, mostSaid)) journal.say(messageType(action.kind), message, 'error')
  const all = lines.map(({ message }) => message).join(sentence === sentences.Helm ? ' ' : '; ')
  const reason = all.length > longestReason ? `${all.slice(0, longestReason)} …` : all
  return new StepFailed(`${sentence}: ${reason}`, lines)
}

const sentences = {
  Schema: "The values do not fit the chart's schema",
  Helm: 'The chart cannot be rendered with these values',
  Policy: 'The chart makes objects that it may not make on this cluster',
}

function isError({ resultType }: ResultLine): boolean {
  return resultType === 'error' || resultType === 'fatal'
}
