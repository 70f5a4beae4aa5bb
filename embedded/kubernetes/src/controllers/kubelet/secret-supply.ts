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
const MADE_BY = 'sandbox.quayside.io/made-by'

/** Ready to serve: a program that is to end shows only by its end what it was good for. */
const isUp = (pod: Pod) => isReady(pod) && (pod.spec.restartPolicy ?? 'Always') === 'Always'

const MOST_REMEMBERED = 200

/** Secrets that programs create at run time, made when a pod waits for them and a program would have made them. */
interface SecretSupply {
  /** Notes what a program that ended well could have made. */
  ended(pod: Pod): void
  /**
   * Makes what a waiting pod lacks, as far as some program in its namespace accounts for it. With a newcomer, a pod
   * that has just come up or ended, only what is new with it is looked at.
   */
  provide(pod: Pod, newcomer?: Pod): Promise<void>
}

export function createSecretSupply(engine: Engine, access: Pick<Access, 'rulesFor'> | undefined): SecretSupply {
  const { store } = engine
  const running = new Map<string, SecretMaker[]>()
  /** By the namespace's uid: a namespace made anew knows nothing of what ran in the old one. */
  const endedMakers = new Map<string, Map<string, SecretMaker>>()
  const uidOf = (namespace: string) => store.get('/namespaces', undefined, namespace)?.metadata.uid ?? namespace

  function forgetGone() {
    const there = new Set(store.list('/namespaces').map(({ metadata }) => metadata.uid))
    for (const uid of endedMakers.keys()) if (!there.has(uid)) endedMakers.delete(uid)
  }

  function makerOf(pod: Pod): SecretMaker | undefined {
    const { namespace = '' } = pod.metadata
    const account = pod.spec.serviceAccountName ?? 'default'
    const identity = { user: serviceAccountUser(namespace, account), groups: serviceAccountGroups(namespace) }
    return secretMaker(store, pod, access?.rulesFor(identity, namespace) ?? [])
  }

  /** Programs that are up, one of each owner. Looked up once for all pods that ask in the same turn. */
  function runningMakers(namespace: string): SecretMaker[] {
    const known = running.get(namespace)
    if (known) return known
    if (running.size === 0) setImmediate(() => running.clear())
    const ready = store.list('/pods', namespace).filter((pod) => isUp(pod) && !pod.metadata.deletionTimestamp)
    const ofOwner = new Map(ready.map((pod) => [pod.metadata.ownerReferences?.[0]?.uid ?? pod.metadata.uid, pod]))
    const makers = [...ofOwner.values()].map(makerOf).filter((maker) => maker !== undefined)
    running.set(namespace, makers)
    return makers
  }

  /**
   * Name of the pod that would have created the Secret: one that ended, or one that is up and mentions the Secret by
   * name.
   */
  function makerFor(namespace: string, name: string, up: readonly SecretMaker[]): string | undefined {
    const ended = [...(endedMakers.get(uidOf(namespace))?.values() ?? [])]
    const maker =
      ended.find((one) => knowsSecret(one, name) || mayNameSecret(one, name)) ??
      up.find((one) => knowsSecret(one, name))
    return maker?.pod
  }

  return {
    ended(pod) {
      const maker = makerOf(pod)
      if (!maker) return
      forgetGone()
      const uid = uidOf(pod.metadata.namespace ?? '')
      const known = endedMakers.get(uid) ?? new Map<string, SecretMaker>()
      endedMakers.set(uid, known.set(JSON.stringify([maker.text, maker.stems]), maker))
      const [oldest] = known.keys()
      if (known.size > MOST_REMEMBERED && oldest !== undefined) known.delete(oldest)
    },
    async provide(pod, newcomer) {
      const { namespace = '' } = pod.metadata
      const arrived = newcomer && isUp(newcomer) ? makerOf(newcomer) : undefined
      const up = newcomer ? (arrived ? [arrived] : []) : runningMakers(namespace)
      for (const need of secretNeeds(pod)) {
        const found = store.get('/secrets', namespace, need.name)
        const missing = need.keys.filter((key) => found?.data?.[key] === undefined)
        if (found && (missing.length === 0 || !found.metadata.annotations?.[MADE_BY])) continue
        const maker = found?.metadata.annotations?.[MADE_BY] ?? makerFor(namespace, need.name, up)
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
