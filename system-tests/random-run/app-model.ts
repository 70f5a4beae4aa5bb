import type { OrderKind } from './plan.ts'

/** One app as everything that was answered and ended so far says it has to be. */
export interface AppModel {
  /** It has a release name: an installation of it was begun. */
  isNamed: boolean
  /** The newest revision is the installed one. */
  isDeployed: boolean
  /** Groups and the app's client: there, not there, or either when a deletion stopped on its way. */
  hasAccess: boolean | 'either'
  isDeleted: boolean
  revisions: readonly number[]
}

export const assigned: AppModel = {
  isNamed: false,
  isDeployed: false,
  hasAccess: false,
  isDeleted: false,
  revisions: [],
}

/** How a command ended, and what the cluster showed of the release then. */
interface Ended {
  kind: OrderKind
  state: string
  isCancelled: boolean
  revisions: readonly number[]
  isDeployed: boolean
}

/** The answer to a command that nothing else stands in the way of. */
export function answerTo(kind: OrderKind, app: AppModel, revision: number): string {
  if (app.isDeleted) return '404 app.not-found'
  if (kind === 'Delete') return '202'
  if (kind === 'Deploy') return app.isDeployed ? '409 deployment.release-name-taken' : '202'
  if (!app.isNamed) return '409 deployment.not-deployed'
  if (kind === 'Upgrade') return '202'
  if (!app.revisions.includes(revision)) return '404 deployment.revision-not-found'
  return app.isDeployed && revision === app.revisions[0] ? '400 request.invalid' : '202'
}

/** The expected state of the app after an action has ended. */
export function after(app: AppModel, { kind, state, isCancelled, revisions, isDeployed }: Ended): AppModel {
  if (isCancelled) return { ...app, revisions, isDeployed }
  const isSuccess = state === 'Success'
  const seen = { revisions, isDeployed, isDeleted: kind === 'Delete' && isSuccess }
  if (kind === 'Delete') return { ...app, ...seen, hasAccess: isSuccess ? false : app.hasAccess && 'either' }
  const isNamed = true
  if (isSuccess) return { ...seen, isNamed, hasAccess: true }
  // An installation over one that was installed once takes back what it granted, and that is all there is.
  if (kind === 'Deploy') return { ...seen, isNamed, hasAccess: app.hasAccess && 'either' }
  return { ...seen, isNamed, hasAccess: app.hasAccess }
}

/** A command's answer and, when it was accepted, from when to when its action ran. */
interface Told {
  kind: OrderKind
  revision: number
  answer: string
  action: { from: number; to: number } | undefined
}

/** Revisions come and go while the other one runs. */
function isBehind({ kind, answer }: Told, other: Told): boolean {
  if (answer === '409 deployment.already-running') return true
  return kind === 'Rollback' && other.kind === 'Deploy' && answer === '404 deployment.revision-not-found'
}

/**
 * Tells whether the answers to the commands of one round are true. Each must be what the app was before, what it was
 * after the other one, or that the other one runs; and what was accepted ran one after the other.
 */
export function untrueAnswers(told: readonly Told[], models: readonly AppModel[]): string[] {
  const broken: string[] = []
  const accepted = told.filter(({ action }) => action !== undefined)
  for (const one of told) {
    const { kind, revision, answer } = one
    const others = accepted.filter((other) => other !== one)
    if (
      others.some((other) => isBehind(one, other)) ||
      models.some((model) => answerTo(kind, model, revision) === answer)
    )
      continue
    broken.push(
      `${kind} was answered ${answer}, not ${models.map((each) => answerTo(kind, each, revision)).join(' or ')}`,
    )
  }
  const [one, other] = accepted
  if (one?.action && other?.action && one.action.from < other.action.to && other.action.from < one.action.to)
    broken.push(`${one.kind} and ${other.kind} ran at the same time`)
  return broken
}
