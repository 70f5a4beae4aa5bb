import type { ResultLine } from '@quayside/contract/deployments/endpoints'
import { fingerprintOf } from '../../ledger/fingerprint.ts'
import type { VersionOf } from '../../ports.ts'
import { releaseNameOf } from '../../releases/release-name.ts'
import { type Subject, stages } from '../../validation/validation-stages.ts'
import { readValues } from '../../values/values.ts'
import { type ActionContext, messageType, StepFailed } from '../action-context.ts'
import type { Rendered } from './findings.ts'

/**
 * Checks values again right before Helm: the chart's schema, which Helm is told to skip, and that every object rendered
 * outside of the space is on the cluster's list or approved. The cluster enforces the rights of the space's account
 * anyway; the refusal here names the object before anything is applied.
 */
export async function checkBeforeHelm(
  context: ActionContext,
  chosen: VersionOf,
  yaml: string,
  secretPaths: string[][],
): Promise<Rendered> {
  const { deps, action } = context
  const app = action.app_id ? await deps.apps.record(action.tenant_id, action.app_id) : undefined
  if (!app) throw new StepFailed('The app was deleted in the meantime')
  const values = await readValues(yaml, 'yaml')
  const subject: Subject = {
    deps,
    actor: { tenantId: action.tenant_id },
    app: { ...app, releaseName: action.release_name ?? releaseNameOf(app.displayName, app.identifier) },
    chosen,
    yaml,
    values,
    mayWriteYaml: true,
    isUpgrade: action.kind === 'Upgrade',
    secretPaths,
    shared: {},
  }
  for (const { name, check } of stages) {
    if (!(name in sentences)) continue
    const found = (await check(subject)).filter(isError)
    if (found.length > 0) throw refusal(context, sentences[name as keyof typeof sentences], found)
  }
  const { manifest, outside } = subject.shared
  return { manifest, outside, fingerprint: fingerprintOf(chosen, values) }
}

const mostSaid = 50
const longestReason = 600

/** The log says each reason, and so do the action's words, from which the app has its own. */
function refusal(
  { action, journal, secrets }: ActionContext,
  sentence: string,
  found: readonly ResultLine[],
): StepFailed {
  const lines = found.map((line) => ({ ...line, message: secrets.redactUntrusted(line.message) }))
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
