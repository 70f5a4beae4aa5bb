import { failpointNames } from './failpoints.ts'

/** Faults injected at a failpoint: into the portal, into Helm, or by the cluster's API. */
type PortalFault = 'kill' | 'sigterm' | 'throw'
type HelmFault = 'kill-helm' | 'hang' | 'server-error' | 'reset' | 'lost-reply'
export type Kind =
  | 'Assign'
  | 'Prepare'
  | 'Deploy'
  | 'Upgrade'
  | 'Rollback'
  | 'Delete'
  | 'DeleteSpace'
  | 'DeregisterCluster'

export interface Case {
  kind: Kind
  point: string
  fault: PortalFault | HelmFault
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `F${from + index}`)

const pointsOf: Record<Kind, string[]> = {
  Assign: [...range(1, 3), 'F20'],
  Prepare: [...range(1, 6), 'F20'],
  Deploy: [...range(1, 21), 'F26'],
  Upgrade: [...range(1, 8), ...range(13, 21), 'F26'],
  Rollback: [...range(1, 4), ...range(13, 21), 'F26'],
  Delete: [...range(1, 4), ...range(13, 23), 'F26'],
  DeleteSpace: [...range(1, 4), 'F20', 'F21', 'F24', 'F25'],
  DeregisterCluster: [...range(1, 4), 'F20', 'F21', 'F24', 'F25'],
}
const helmKinds = ['Deploy', 'Upgrade', 'Rollback', 'Delete'] as const
const portalFaults = ['kill', 'sigterm', 'throw'] as const
const helmFaults = ['kill-helm', 'hang', 'server-error', 'reset', 'lost-reply'] as const

/** 97 pairs of action and failpoint, three ways each, and what can happen to a Helm that runs: 391 in all. */
export const allCases: Case[] = [
  ...(Object.keys(pointsOf) as Kind[]).flatMap((kind) =>
    pointsOf[kind].flatMap((point) => portalFaults.map((fault): Case => ({ kind, point, fault }))),
  ),
  ...helmKinds.flatMap((kind) =>
    range(14, 18).flatMap((point) => helmFaults.map((fault): Case => ({ kind, point, fault }))),
  ),
]

export const isOfPortal = (fault: string) => fault === 'kill' || fault === 'sigterm' || fault === 'throw'
export const isInHelm = (point: string) => ['F15', 'F16', 'F17', 'F18'].includes(point)

/**
 * The spread of a quick run: three quarters cut the portal, at every point and evenly over the 97 pairs, the rest cut Helm. To start a
 * portal again is what takes long, so one in three is killed or told to end. Hanging calls are left to the long run.
 */
export function spread(count: number): Case[] {
  const pairs = (Object.keys(pointsOf) as Kind[]).flatMap((kind) => pointsOf[kind].map((point) => ({ kind, point })))
  const ofEach = failpointNames.flatMap((name, index) => {
    const those = pairs.filter(({ point }) => point === name)
    return those.slice(index % those.length).slice(0, 1)
  })
  const others = pairs.filter((pair) => !ofEach.includes(pair))
  const turns = ['kill', 'throw', 'throw', 'sigterm', 'throw', 'throw'] as const
  const ofPortal = [...ofEach, ...evenly(others, Math.ceil((count * 3) / 4) - ofEach.length)].map(
    (pair, index): Case => ({ ...pair, fault: turns[index % turns.length] ?? 'throw' }),
  )
  const ofHelm = allCases.filter(({ fault }) => !isOfPortal(fault) && fault !== 'hang')
  return [...ofPortal, ...evenly(ofHelm, count - ofPortal.length)]
}

const evenly = <Each>(all: Each[], count: number): Each[] =>
  all.filter((_, index) => Math.floor(((index + 1) * count) / all.length) > Math.floor((index * count) / all.length))

/** The call of Helm that a point stands at; by name, because the portal reads and tries out the same objects. */
export function callAt(kind: Kind, point: string): { userAgent: 'Helm/*' } & Call {
  return { userAgent: 'Helm/*', ...callOf(kind, point) }
}

interface Call {
  method: string
  resource: string
  name?: string
}

function callOf(kind: Kind, point: string): Call {
  const release = 'sh.helm.release*'
  // Helm's first question of any action: which revisions there are.
  if (point === 'F14') return { method: 'GET', resource: 'secrets' }
  if (kind === 'Delete') {
    if (point === 'F15') return { method: 'PUT', resource: 'secrets', name: release }
    if (point === 'F16') return { method: 'DELETE', resource: 'deployments' }
    if (point === 'F17') return { method: 'DELETE', resource: 'services' }
    return { method: 'DELETE', resource: 'secrets', name: release }
  }
  if (point === 'F15') return { method: 'POST', resource: 'secrets' }
  if (point === 'F16') return { method: 'PATCH', resource: 'secrets' }
  if (point === 'F17') return { method: 'PATCH', resource: 'deployments' }
  return { method: 'PUT', resource: 'secrets', name: release }
}
