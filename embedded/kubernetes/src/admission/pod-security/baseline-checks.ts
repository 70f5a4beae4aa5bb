import type { V1Container, V1LifecycleHandler, V1Probe, V1SELinuxOptions } from '@kubernetes/client-node'
import {
  containersNamed,
  containersOf,
  containersWhere,
  faulty,
  hasUserNamespace,
  type Judge,
  type PodParts,
  plural,
  quoted,
  sortedOnce,
  type Violation,
} from './pod-parts.ts'
import { PROFILES, type Profile } from './profiles.ts'

const APPARMOR = 'container.apparmor.security.beta.kubernetes.io/'
const SECCOMP_POD = 'seccomp.security.alpha.kubernetes.io/pod'
const SECCOMP_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/'

const DEFAULT_CAPABILITIES = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
])

export const appArmorProfile: Judge = (pod) => {
  const isBad = (profile: Profile | undefined): profile is Profile => Boolean(profile && !PROFILES.has(profile.type))
  const own = pod.spec.securityContext?.appArmorProfile
  const bad = containersWhere(pod, ({ securityContext }) => isBad(securityContext?.appArmorProfile))
  const profiles = [own, ...containersOf(pod).map(({ securityContext }) => securityContext?.appArmorProfile)]
  const values = sortedOnce(profiles.filter(isBad).map(({ type }) => type))
  const annotations = Object.entries(pod.annotations)
    .filter(([key, value]) => key.startsWith(APPARMOR) && value !== '' && value !== 'runtime/default')
    .filter(([, value]) => !value.startsWith('localhost/'))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .sort()
  const setters = [
    faulty(isBad(own), bad),
    annotations.length > 0 ? plural('annotation', annotations.length) : undefined,
  ].filter((setter) => setter !== undefined)
  if (setters.length === 0) return undefined
  const all = [...values, ...annotations]
  return {
    reason: plural('forbidden AppArmor profile', all.length),
    detail: `${setters.join(' and ')} must not set AppArmor profile type to ${quoted(all)}`,
  }
}

export const capabilities: Judge = (pod) => {
  const added = ({ securityContext }: V1Container) =>
    (securityContext?.capabilities?.add ?? []).filter((name) => !DEFAULT_CAPABILITIES.has(name))
  const bad = containersWhere(pod, (container) => added(container).length > 0)
  if (bad.length === 0) return undefined
  const names = sortedOnce(containersOf(pod).flatMap(added))
  return {
    reason: 'non-default capabilities',
    detail: `${containersNamed(bad)} must not include ${quoted(names)} in securityContext.capabilities.add`,
  }
}

export const hostNamespaces: Judge = ({ spec }) => {
  const shared = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((name) => spec[name])
  if (shared.length === 0) return undefined
  return { reason: 'host namespaces', detail: shared.map((name) => `${name}=true`).join(', ') }
}

export const hostPathVolumes: Judge = ({ spec }) => {
  const names = (spec.volumes ?? []).filter(({ hostPath }) => hostPath).map(({ name }) => name)
  if (names.length === 0) return undefined
  return { reason: 'hostPath volumes', detail: `${plural('volume', names.length)} ${quoted(names)}` }
}

export const hostPorts: Judge = (pod) => {
  const taken = ({ ports }: V1Container) =>
    (ports ?? []).flatMap(({ hostPort }) => (hostPort ? [String(hostPort)] : []))
  const bad = containersWhere(pod, (container) => taken(container).length > 0)
  if (bad.length === 0) return undefined
  const ports = sortedOnce(containersOf(pod).flatMap(taken))
  const use = bad.length === 1 ? 'uses' : 'use'
  return {
    reason: 'hostPort',
    detail: `${containersNamed(bad)} ${use} ${plural('hostPort', ports.length)} ${ports.join(', ')}`,
  }
}

const hostsOf = (handler: V1Probe | V1LifecycleHandler | undefined): string[] =>
  [handler?.httpGet?.host, handler?.tcpSocket?.host].filter((host) => host !== undefined && host !== '') as string[]

export const hostsOfProbes: Judge = (pod) => {
  const asked = ({ livenessProbe, readinessProbe, startupProbe, lifecycle }: V1Container) =>
    [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop].flatMap(hostsOf)
  const bad = sortedOnce(containersWhere(pod, (container) => asked(container).length > 0))
  if (bad.length === 0) return undefined
  const hosts = sortedOnce(containersOf(pod).flatMap(asked))
  const use = bad.length === 1 ? 'uses' : 'use'
  return {
    reason: 'probe or lifecycle host',
    detail: `${containersNamed(bad)} ${use} ${plural('probe or lifecycle host', hosts.length)} ${quoted(hosts)}`,
  }
}

export const privileged: Judge = (pod) => {
  const bad = containersWhere(pod, ({ securityContext }) => securityContext?.privileged)
  if (bad.length === 0) return undefined
  return { reason: 'privileged', detail: `${containersNamed(bad)} must not set securityContext.privileged=true` }
}

export const procMount: Judge = (pod) => {
  const mount = ({ securityContext }: V1Container) => securityContext?.procMount ?? 'Default'
  const bad = containersWhere(pod, (container) => mount(container) !== 'Default')
  if (bad.length === 0) return undefined
  const values = sortedOnce(containersOf(pod).map(mount)).filter((value) => value !== 'Default')
  return {
    reason: 'procMount',
    detail: `${containersNamed(bad)} must not set securityContext.procMount to ${quoted(values)}`,
  }
}

export const procMountOnTheHost: Judge = (pod) => (hasUserNamespace(pod) ? undefined : procMount(pod))

/** The judge of SELinux options where these types are allowed. */
export function seLinuxOptions(...types: readonly string[]): Judge {
  const allowed = new Set(['', 'container_t', 'container_init_t', 'container_kvm_t', ...types])
  const isBad = (options: V1SELinuxOptions | undefined): options is V1SELinuxOptions =>
    Boolean(options && (!allowed.has(options.type ?? '') || options.user || options.role))
  return (pod) => {
    const own = pod.spec.securityContext?.seLinuxOptions
    const bad = containersWhere(pod, ({ securityContext }) => isBad(securityContext?.seLinuxOptions))
    const setters = faulty(isBad(own), bad)
    if (!setters) return undefined
    const all = [own, ...containersOf(pod).map(({ securityContext }) => securityContext?.seLinuxOptions)].filter(isBad)
    const bads = sortedOnce(all.map(({ type }) => type ?? '')).filter((type) => !allowed.has(type))
    const faults = [
      ...(bads.length > 0 ? [`${plural('type', bads.length)} ${quoted(bads)}`] : []),
      ...(all.some(({ user }) => user) ? ['user may not be set'] : []),
      ...(all.some(({ role }) => role) ? ['role may not be set'] : []),
    ]
    const detail = `${setters} set forbidden securityContext.seLinuxOptions: ${faults.join('; ')}`
    return { reason: 'seLinuxOptions', detail }
  }
}

/** Seccomp was asked for by annotations before it had fields. */
export const seccompAnnotations: Judge = (pod) => {
  const keys = [SECCOMP_POD, ...containersOf(pod).map(({ name }) => `${SECCOMP_CONTAINER}${name}`)]
  const isAllowed = (value: string) =>
    value === 'runtime/default' || value === 'docker/default' || value.startsWith('localhost/')
  const bad = sortedOnce(
    keys.flatMap((key) => {
      const value = pod.annotations[key]
      return value === undefined || isAllowed(value) ? [] : [`${key}=${JSON.stringify(value)}`]
    }),
  )
  if (bad.length === 0) return undefined
  return { reason: 'seccompProfile', detail: `forbidden ${plural('annotation', bad.length)} ${bad.join(', ')}` }
}

export function badSeccompProfiles(pod: PodParts): Violation | undefined {
  const isBad = (profile: Profile | undefined): profile is Profile => Boolean(profile && !PROFILES.has(profile.type))
  const own = pod.spec.securityContext?.seccompProfile
  const bad = containersWhere(pod, ({ securityContext }) => isBad(securityContext?.seccompProfile))
  const setters = faulty(isBad(own), bad)
  if (!setters) return undefined
  const all = [own, ...containersOf(pod).map(({ securityContext }) => securityContext?.seccompProfile)]
  const values = sortedOnce(all.filter(isBad).map(({ type }) => type))
  return {
    reason: 'seccompProfile',
    detail: `${setters} must not set securityContext.seccompProfile.type to ${quoted(values)}`,
  }
}

/** The judge of kernel settings where these are harmless as well. */
export function sysctls(...names: readonly string[]): Judge {
  const allowed = new Set([
    'kernel.shm_rmid_forced',
    'net.ipv4.ip_local_port_range',
    'net.ipv4.tcp_syncookies',
    'net.ipv4.ping_group_range',
    'net.ipv4.ip_unprivileged_port_start',
    ...names,
  ])
  return ({ spec }) => {
    const bad = (spec.securityContext?.sysctls ?? []).map(({ name }) => name).filter((name) => !allowed.has(name))
    return bad.length > 0 ? { reason: 'forbidden sysctls', detail: bad.join(', ') } : undefined
  }
}

export const hostProcess: Judge = (pod) => {
  const bad = containersWhere(pod, ({ securityContext }) => securityContext?.windowsOptions?.hostProcess)
  const setters = faulty(Boolean(pod.spec.securityContext?.windowsOptions?.hostProcess), bad)
  if (!setters) return undefined
  return {
    reason: 'hostProcess',
    detail: `${setters} must not set securityContext.windowsOptions.hostProcess=true`,
  }
}
