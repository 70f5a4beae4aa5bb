import type { V1Container, V1SecurityContext, V1Volume } from '@kubernetes/client-node'
import { badSeccompProfiles } from './baseline-checks.ts'
import {
  containersNamed,
  containersOf,
  containersWhere,
  faulty,
  hasUserNamespace,
  isWindows,
  type Judge,
  plural,
  quoted,
  sortedOnce,
} from './pod-parts.ts'
import { PROFILES } from './profiles.ts'

const ALLOWED_VOLUMES = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
]

/** A check that has nothing to say about Windows, where what it asks for does not exist. */
export const unlessWindows =
  (judge: Judge): Judge =>
  (pod) =>
    isWindows(pod) ? undefined : judge(pod)

export const unlessUserNamespace =
  (judge: Judge): Judge =>
  (pod) =>
    hasUserNamespace(pod) ? undefined : judge(pod)

export const privilegeEscalation: Judge = (pod) => {
  const bad = containersWhere(pod, ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false)
  if (bad.length === 0) return undefined
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${containersNamed(bad)} must set securityContext.allowPrivilegeEscalation=false`,
  }
}

export const noCapabilities: Judge = (pod) => {
  const added = ({ securityContext }: V1Container) =>
    (securityContext?.capabilities?.add ?? []).filter((name) => name !== 'NET_BIND_SERVICE')
  const keeping = containersWhere(pod, (one) => !one.securityContext?.capabilities?.drop?.includes('ALL'))
  const adding = containersWhere(pod, (container) => added(container).length > 0)
  const names = quoted(sortedOnce(containersOf(pod).flatMap(added)))
  const faults = [
    ...(keeping.length > 0 ? [`${containersNamed(keeping)} must set securityContext.capabilities.drop=["ALL"]`] : []),
    ...(adding.length > 0
      ? [`${containersNamed(adding)} must not include ${names} in securityContext.capabilities.add`]
      : []),
  ]
  return faults.length > 0 ? { reason: 'unrestricted capabilities', detail: faults.join('; ') } : undefined
}

export const volumeTypes: Judge = ({ spec }) => {
  const sourcesOf = (volume: V1Volume) =>
    Object.entries(volume)
      .filter(([key, value]) => key !== 'name' && value !== undefined && value !== null)
      .map(([key]) => key)
  const bad = (spec.volumes ?? []).filter((one) => !sourcesOf(one).some((source) => ALLOWED_VOLUMES.includes(source)))
  if (bad.length === 0) return undefined
  const names = bad.map(({ name }) => name)
  const types = sortedOnce(bad.map((volume) => sourcesOf(volume)[0] ?? 'unknown'))
  const use = names.length === 1 ? 'uses' : 'use'
  return {
    reason: 'restricted volume types',
    detail: `${plural('volume', names.length)} ${quoted(names)} ${use} ${plural('restricted volume type', types.length)} ${quoted(types)}`,
  }
}

const NOT_ROOT = 'runAsNonRoot != true'

export const runAsNonRoot: Judge = (pod) => {
  const own = pod.spec.securityContext?.runAsNonRoot
  const said = (container: V1Container) => container.securityContext?.runAsNonRoot ?? undefined
  const setters = faulty(
    own === false,
    containersWhere(pod, (container) => said(container) === false),
  )
  if (setters) return { reason: NOT_ROOT, detail: `${setters} must not set securityContext.runAsNonRoot=false` }
  const silent = own ? [] : containersWhere(pod, (container) => said(container) === undefined)
  if (silent.length === 0) return undefined
  return { reason: NOT_ROOT, detail: `pod or ${containersNamed(silent)} must set securityContext.runAsNonRoot=true` }
}

export const runAsUser: Judge = (pod) => {
  const isRoot = (context: Pick<V1SecurityContext, 'runAsUser'> | undefined) => context?.runAsUser === 0
  const bad = containersWhere(pod, ({ securityContext }) => isRoot(securityContext))
  const setters = faulty(isRoot(pod.spec.securityContext), bad)
  return setters ? { reason: 'runAsUser=0', detail: `${setters} must not set runAsUser=0` } : undefined
}

export const seccompRequired: Judge = (pod) => {
  const bad = badSeccompProfiles(pod)
  if (bad) return bad
  if (PROFILES.has(pod.spec.securityContext?.seccompProfile?.type ?? '')) return undefined
  const silent = containersWhere(pod, ({ securityContext }) => !securityContext?.seccompProfile)
  if (silent.length === 0) return undefined
  const wanted = 'securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"'
  return { reason: 'seccompProfile', detail: `pod or ${containersNamed(silent)} must set ${wanted}` }
}
