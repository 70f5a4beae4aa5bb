import type { V1Container, V1PodSpec, V1PodTemplateSpec, V1Probe, V1Volume } from '@kubernetes/client-node'
import { fill } from './fill.ts'

const FILE_MODE = 0o644
const TOKEN_LIFETIME = 3600
const HOST_PATHS_ANYTHING = ''

/** `nginx`, `nginx:latest` and `nginx@…` without a tag: only the first two are looked up anew each time. */
function pullPolicy(image: string | undefined): string {
  if (!image || image.includes('@')) return 'IfNotPresent'
  const tag = /:([^/:]+)$/.exec(image)?.[1]
  return tag === undefined || tag === 'latest' ? 'Always' : 'IfNotPresent'
}

function fillProbe(probe: V1Probe | undefined): void {
  if (!probe) return
  fill(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 })
  if (probe.httpGet) fill(probe.httpGet, { path: '/', scheme: 'HTTP' })
  if (probe.grpc) fill(probe.grpc, { service: '' })
}

function fillContainer(container: V1Container, hostNetwork: boolean): void {
  fill(container, {
    imagePullPolicy: pullPolicy(container.image),
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    resources: {},
  })
  for (const port of container.ports ?? []) {
    fill(port, { protocol: 'TCP' })
    if (hostNetwork) fill(port, { hostPort: port.containerPort })
  }
  for (const probe of [container.livenessProbe, container.readinessProbe, container.startupProbe]) fillProbe(probe)
  for (const hook of [container.lifecycle?.postStart, container.lifecycle?.preStop]) {
    if (hook?.httpGet) fill(hook.httpGet, { path: '/', scheme: 'HTTP' })
  }
  for (const { valueFrom } of container.env ?? []) {
    if (valueFrom?.fieldRef) fill(valueFrom.fieldRef, { apiVersion: 'v1' })
    if (valueFrom?.resourceFieldRef) fill(valueFrom.resourceFieldRef, { divisor: '0' })
  }
}

function fillVolume(volume: V1Volume): void {
  if (Object.keys(volume).length === 1) volume.emptyDir = {}
  for (const source of [volume.configMap, volume.secret, volume.projected, volume.downwardAPI]) {
    if (source) fill(source, { defaultMode: FILE_MODE })
  }
  if (volume.hostPath) fill(volume.hostPath, { type: HOST_PATHS_ANYTHING })
  for (const { serviceAccountToken } of volume.projected?.sources ?? []) {
    if (serviceAccountToken) fill(serviceAccountToken, { expirationSeconds: TOKEN_LIFETIME })
  }
  for (const source of [volume.projected?.sources?.map(({ downwardAPI }) => downwardAPI), [volume.downwardAPI]]) {
    for (const api of source ?? [])
      for (const { fieldRef } of api?.items ?? []) if (fieldRef) fill(fieldRef, { apiVersion: 'v1' })
  }
}

export function fillPodSpec(spec: V1PodSpec): void {
  fill(spec, {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
  })
  fill(spec, { serviceAccountName: spec.serviceAccount, serviceAccount: spec.serviceAccountName })
  for (const container of spec.initContainers ?? []) fillContainer(container, spec.hostNetwork ?? false)
  for (const container of spec.containers ?? []) fillContainer(container, spec.hostNetwork ?? false)
  for (const volume of spec.volumes ?? []) fillVolume(volume)
}

export function fillTemplate(template: V1PodTemplateSpec | undefined): void {
  if (template?.spec) fillPodSpec(template.spec)
}
