import { setTimeout as delay } from 'node:timers/promises'
import { CoreV1Api, KubeConfig, type V1Pod } from '@kubernetes/client-node'

const lookEveryMs = 250
const fault = 'sandbox.quayside.io/fault'

/**
 * Says of every pod that it runs and is ready, or that it has succeeded when it is one of those that end: on a cluster
 * without nodes nobody else does. One that asks for a fault only runs.
 */
export function pretendPods(kubeconfigFile: string): { stop(): Promise<void> } {
  const kubeconfig = new KubeConfig()
  kubeconfig.loadFromFile(kubeconfigFile)
  const core = kubeconfig.makeApiClient(CoreV1Api)
  const ending = new AbortController()
  const pretend = async () => {
    while (!ending.signal.aborted) {
      // A pod that has changed or gone meanwhile is seen at the next look.
      await lookOnce(core).catch(() => undefined)
      await delay(lookEveryMs, undefined, { signal: ending.signal }).catch(() => undefined)
    }
  }
  const done = pretend()
  return {
    async stop() {
      ending.abort()
      await done
    },
  }
}

async function lookOnce(core: CoreV1Api): Promise<void> {
  const { items } = await core.listPodForAllNamespaces()
  for (const pod of items.filter(({ status }) => (status?.phase ?? 'Pending') === 'Pending')) {
    const { name = '', namespace = '' } = pod.metadata ?? {}
    await core.replaceNamespacedPodStatus({ name, namespace, body: { ...pod, status: statusOf(pod) } })
  }
}

function statusOf({ metadata, spec, status }: V1Pod): V1Pod['status'] {
  const isFaulty = metadata?.annotations?.[fault] !== undefined
  const phase = !isFaulty && spec?.restartPolicy === 'Never' ? 'Succeeded' : 'Running'
  const ready = phase === 'Running' && !isFaulty ? 'True' : 'False'
  const conditions = ['Initialized', 'PodScheduled', 'ContainersReady', 'Ready'].map((type) => ({
    type,
    status: type.endsWith('Ready') ? ready : 'True',
  }))
  return { ...status, phase, conditions, startTime: new Date() }
}
