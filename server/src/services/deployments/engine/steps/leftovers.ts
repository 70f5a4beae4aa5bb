import type { ResultLine } from '@quayside/contract/deployments/endpoints'
import { Failure } from '../../../../platform/http/errors.ts'
import type { LeftObject } from '../../ports.ts'
import { type ActionContext, mustGoOn, StepFailed } from '../action-context.ts'
import { done, type StepEnd } from './findings.ts'

/** After Helm: removes what somebody chose to remove, and says what stays. Can be repeated. */
export async function leftoversStep(context: ActionContext): Promise<StepEnd> {
  const { input, journal } = context
  if (input.kind !== 'Delete' || input.leftovers === undefined) return done
  const { remove, keep, keepPins = false } = input.leftovers
  for (const left of keep) journal.say('delete', `${nameOf(left)} is kept: ${left.why}`)
  await sayPins(context, keepPins)
  const problems: ResultLine[] = []
  for (const left of remove) {
    mustGoOn(context)
    const problem = await removeOne(context, left)
    if (problem === undefined) continue
    journal.say('delete', problem, 'error')
    problems.push({ message: problem, isSummary: false, resultType: 'error' })
  }
  if (problems.length > 0)
    throw new StepFailed(`${problems.length} of ${remove.length} leftovers could not be removed`, problems)
  return done
}

/** Pins go with the record of the app, in the transaction that ends the action. */
async function sayPins({ deps, action, journal }: ActionContext, keep: boolean): Promise<void> {
  const { pins } = await deps.sidebar.pinsOfApp(action.tenant_id, action.app_id ?? '')
  if (pins > 0) journal.say('delete', `Pins of the app in side bars ${keep ? 'are kept' : 'go with it'}: ${pins}`)
}

/** Says what became of it; what went wrong is the answer. */
async function removeOne(context: ActionContext, left: LeftObject): Promise<string | undefined> {
  const { deps, action, journal } = context
  const target = { namespace: action.namespace ?? '', spaceId: action.space_id ?? '' }
  const name = nameOf(left)
  try {
    const became = await deps.clusters.removeLeftover(action.tenant_id, action.cluster_id ?? '', target, left)
    if (typeof became === 'object') return `${name} could not be removed: ${became.refused}`
    journal.say('delete', `${name} ${words[became]}`)
    return undefined
  } catch (error) {
    if (!(error instanceof Failure) || !error.code.startsWith('cluster.')) throw error
    return `${name} could not be removed: ${error.message}`
  }
}

const words = {
  removed: 'is removed',
  going: 'is being removed, it goes as soon as nothing uses it',
  gone: 'was gone already',
  changed: 'stays: it is another object than the one that was looked at',
} as const

function nameOf({ kind, name, detail }: LeftObject): string {
  return `${kind} ${name}${detail === null ? '' : ` (${detail})`}`
}
