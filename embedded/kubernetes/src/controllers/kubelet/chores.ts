import type { Access } from '../../auth/access.ts'
import type { GroupResource, KubeObject } from '../../object-store.ts'
import type { Engine } from '../engine/engine.ts'
import type { Pod } from '../engine/pod-kinds.ts'
import { keyOf } from '../engine/reconcile-loop.ts'
import { statusCode } from '../engine/typed-store.ts'
import { type PatchWish, patchWish, type SecretWish, secretWish } from './certgen.ts'
import { createSecretSupply } from './secret-supply.ts'
import { simulatedCertificate } from './simulated-certificate.ts'

/** Changes that a container's program would have made in the cluster, applied when the container ends. */
export interface Chores {
  afterExit(pod: Pod, container: string, exitCode: number): void
  /** Gives pods that wait for Secrets those that some program would have made. */
  provideFor(waiting: readonly Pod[], newcomer?: Pod): void
}

const WEBHOOKS: GroupResource[] = [
  'admissionregistration.k8s.io/validatingwebhookconfigurations',
  'admissionregistration.k8s.io/mutatingwebhookconfigurations',
]

/** Certificate generators of public charts are known by their arguments, and their work is done for them. */
export function createChores(
  engine: Engine,
  access: Pick<Access, 'rulesFor'> | undefined,
  onError: (error: unknown, where: string) => void,
): Chores {
  const supply = createSecretSupply(engine, access)
  return {
    provideFor(waiting, newcomer) {
      for (const pod of waiting)
        supply.provide(pod, newcomer).catch((error: unknown) => onError(error, `secrets of ${keyOf(pod)}`))
    },
    afterExit(pod, name, exitCode) {
      const container = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].find((one) => one.name === name)
      if (!container || exitCode !== 0) return
      supply.ended(pod)
      const wish = secretWish(pod, container)
      const patch = patchWish(pod, container)
      if (wish)
        makeSecret(engine, wish).catch((error: unknown) => onError(error, `secret ${wish.namespace}/${wish.name}`))
      if (patch) patchWebhooks(engine, patch)
    },
  }
}

const encoded = (text: string) => Buffer.from(text).toString('base64')

async function makeSecret({ store, clock }: Engine, { namespace, name, hosts, keys, type }: SecretWish): Promise<void> {
  if (store.get('/secrets', namespace, name)) return
  const pair = await simulatedCertificate(hosts, clock.now())
  const data = {
    [keys.ca]: encoded(pair.ca),
    [keys.certificate]: encoded(pair.certificate),
    [keys.key]: encoded(pair.key),
  }
  try {
    store.create('/secrets', { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, type, data })
  } catch (error) {
    // Made by somebody else meanwhile, or the namespace is going: either way it is not ours to make.
    if (statusCode(error) === undefined) throw error
  }
}

interface WebhookConfiguration extends KubeObject {
  webhooks?: { clientConfig?: Record<string, unknown> }[]
}

function patchWebhooks({ store }: Engine, { webhooks, secret }: PatchWish) {
  const caBundle = store.get('/secrets', secret.namespace, secret.name)?.data?.ca
  if (!caBundle) return
  for (const resource of WEBHOOKS) {
    for (const name of webhooks) {
      const configuration = store.get(resource, undefined, name)
      if (!configuration) continue
      store.update(resource, configuration, (own: WebhookConfiguration) => ({
        ...own,
        webhooks: own.webhooks?.map((hook) => ({ ...hook, clientConfig: { ...hook.clientConfig, caBundle } })),
      }))
    }
  }
}
