import type { GroupResource, KubeObject } from '../../object-store.ts'
import { isTrue, withCondition } from '../engine/conditions.ts'
import { type Engine, timestamp } from '../engine/engine.ts'
import type { Condition, Pod } from '../engine/pod-kinds.ts'
import { type Controller, keyOf } from '../engine/reconcile-loop.ts'
import { statusCode } from '../engine/typed-store.ts'
import { isReady } from '../workloads/pod-facts.ts'
import { simulatedCertificate } from './simulated-certificate.ts'

interface Certificate extends KubeObject {
  spec?: { secretName?: string; dnsNames?: string[]; commonName?: string }
  status?: { conditions?: Condition[] }
}

const KINDS = {
  'cert-manager.io/certificates': 'Certificate is up to date and has not expired',
  'cert-manager.io/issuers': 'Signing authority simulated',
  'cert-manager.io/clusterissuers': 'Signing authority simulated',
} as const

type Kind = keyof typeof KINDS
const RESOURCES = Object.keys(KINDS) as Kind[]

const isManager = ({ spec }: Pod) => spec.containers.some(({ image }) => image.includes('cert-manager-controller'))

/** Does the work of cert-manager for plain certificates and issuers, once cert-manager itself runs. */
export function certManager(engine: Engine, onError: (error: unknown, where: string) => void): Controller {
  const { store, clock } = engine
  const running = new Set<string>()
  const own = (event: { object: KubeObject }, resource: GroupResource) => [`${resource} ${keyOf(event.object)}`]
  const everything = () =>
    RESOURCES.flatMap((resource) => store.list(resource).map((object) => `${resource} ${keyOf(object)}`))

  return {
    name: 'cert-manager',
    watches: {
      ...(Object.fromEntries(RESOURCES.map((resource) => [resource, own])) as Record<Kind, typeof own>),
      '/pods': ({ type, object }) => {
        const pod = object as Pod
        if (!isManager(pod)) return undefined
        const known = running.has(pod.metadata.uid)
        if (type === 'DELETED' || !isReady(pod)) running.delete(pod.metadata.uid)
        else running.add(pod.metadata.uid)
        return running.size > 0 && !known ? everything() : undefined
      },
    },
    reconcile(key): undefined {
      const [resource, path = ''] = key.split(' ') as [Kind, string]
      const [namespace = '', name = ''] = path.split('/')
      const object = store.get(resource, namespace || undefined, name) as Certificate | undefined
      if (!object || object.metadata.deletionTimestamp || running.size === 0) return
      if (object.spec?.secretName && !store.get('/secrets', namespace, object.spec.secretName)) {
        issue(engine, object, object.spec.secretName).catch((error: unknown) => onError(error, `certificate ${path}`))
      }
      if (isTrue(object.status?.conditions, 'Ready')) return
      const ready = {
        type: 'Ready',
        status: 'True',
        reason: 'Ready',
        message: KINDS[resource],
        observedGeneration: object.metadata.generation,
      }
      const conditions = withCondition(object.status?.conditions, ready, timestamp(clock.now()))
      store.setStatus(resource, object, { ...object.status, conditions })
    },
  }
}

async function issue({ store, clock }: Engine, { metadata, spec }: Certificate, secretName: string): Promise<void> {
  const hosts = [...(spec?.dnsNames ?? []), ...(spec?.commonName ? [spec.commonName] : [])]
  const { ca, certificate, key } = await simulatedCertificate(hosts, clock.now())
  const encoded = (text: string) => Buffer.from(text).toString('base64')
  const annotations = { 'cert-manager.io/certificate-name': metadata.name }
  try {
    store.create('/secrets', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: secretName, namespace: metadata.namespace, annotations },
      type: 'kubernetes.io/tls',
      data: { 'ca.crt': encoded(ca), 'tls.crt': encoded(certificate), 'tls.key': encoded(key) },
    })
  } catch (error) {
    // Somebody else was quicker, or the namespace is going.
    if (statusCode(error) === undefined) throw error
  }
}
