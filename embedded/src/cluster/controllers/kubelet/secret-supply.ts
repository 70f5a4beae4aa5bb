import { randomBytes } from 'node:crypto'
import type { Access } from '../../auth/access.ts'
import { serviceAccountGroups, serviceAccountUser } from '../../auth/identity.ts'
import type { Engine } from '../engine/engine.ts'
import type { Pod } from '../engine/pod-kinds.ts'
import { statusCode } from '../engine/typed-store.ts'
import { isReady } from '../workloads/pod-facts.ts'
import { knowsSecret, mayNameSecret, type SecretMaker, secretMaker } from './secret-makers.ts'
import { type SecretNeed, secretNeeds } from './secret-needs.ts'
import { simulatedCertificate } from './simulated-certificate.ts'

/** On Secrets that the Sandbox filled in: the pod whose program would have made them. */
export const MADE_BY = 'sandbox.quayside.io/made-by'

/** Secrets that programs create at run time, made when a pod waits for them and a program would have made them. */
export interface SecretSupply {
  /** Notes what a program that ended well could have made. */
  ended(pod: Pod): void
  /** Makes what a waiting pod lacks, as far as some program in its namespace accounts for it. */
  provide(pod: Pod): Promise<void>
}

export function createSecretSupply(engine: Engine, access: Pick<Access, 'rulesFor'> | undefined): SecretSupply {
  const { store } = engine
  const endedMakers = new Map<string, Map<string, SecretMaker>>()
  store.subscribe((resource, { type, object }) => {
    if (resource === '/namespaces' && type === 'DELETED') endedMakers.delete(object.metadata.name)
  })

  function makerOf(pod: Pod): SecretMaker | undefined {
    const { namespace = '' } = pod.metadata
    const account = pod.spec.serviceAccountName ?? 'default'
    const identity = { user: serviceAccountUser(namespace, account), groups: serviceAccountGroups(namespace) }
    return secretMaker(store, pod, access?.rulesFor(identity, namespace) ?? [])
  }

  /** Who would have made it: a program that ended, or one that is up and speaks of it. */
  function makerFor(namespace: string, name: string): string | undefined {
    for (const maker of endedMakers.get(namespace)?.values() ?? []) {
      if (knowsSecret(maker, name) || mayNameSecret(maker, name)) return maker.pod
    }
    for (const pod of store.list('/pods', namespace)) {
      if (pod.metadata.deletionTimestamp || !isReady(pod)) continue
      const maker = makerOf(pod)
      if (maker && knowsSecret(maker, name)) return maker.pod
    }
    return undefined
  }

  return {
    ended(pod) {
      const maker = makerOf(pod)
      if (!maker) return
      const { namespace = '' } = pod.metadata
      const known = endedMakers.get(namespace) ?? new Map<string, SecretMaker>()
      endedMakers.set(namespace, known.set(JSON.stringify([maker.text, maker.stems]), maker))
    },
    async provide(pod) {
      const { namespace = '' } = pod.metadata
      for (const need of secretNeeds(pod)) {
        const found = store.get('/secrets', namespace, need.name)
        const missing = need.keys.filter((key) => found?.data?.[key] === undefined)
        if (found && (missing.length === 0 || !found.metadata.annotations?.[MADE_BY])) continue
        const maker = found?.metadata.annotations?.[MADE_BY] ?? makerFor(namespace, need.name)
        if (maker) await make(engine, namespace, { name: need.name, keys: missing }, maker)
      }
    },
  }
}

const encoded = (text: string) => Buffer.from(text).toString('base64')

async function make({ store, clock }: Engine, namespace: string, { name, keys }: SecretNeed, maker: string) {
  const data = await valuesFor(keys, clock.now())
  const known = store.get('/secrets', namespace, name)
  try {
    if (known) store.update('/secrets', known, (own) => ({ ...own, data: { ...data, ...own.data } }))
    else {
      const metadata = { name, namespace, annotations: { [MADE_BY]: maker } }
      store.create('/secrets', { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', data })
    }
  } catch (error) {
    // Made by somebody else meanwhile, or the namespace is going.
    if (statusCode(error) === undefined) throw error
  }
}

/** Certificates where a key's name asks for one, else something random. */
async function valuesFor(keys: string[], now: number): Promise<Record<string, string>> {
  const wanted = keys.length > 0 ? keys : ['ca.crt', 'tls.crt', 'tls.key']
  const pair = wanted.some((key) => /\.(crt|pem|key)$/.test(key)) ? await simulatedCertificate([], now) : undefined
  const value = (key: string) => {
    if (!pair || !/\.(crt|pem|key)$/.test(key)) return randomBytes(24).toString('hex')
    if (key.endsWith('key') || /key\.pem$/.test(key)) return pair.key
    return /^ca\b|ca\.(crt|pem)$/.test(key) ? pair.ca : pair.certificate
  }
  return Object.fromEntries(wanted.map((key) => [key, encoded(value(key))]))
}
