import { request } from 'node:https'
import type { KubeConfig } from '@kubernetes/client-node'

/** The Sandbox's own door for faults. */
export function createFaults(kubeconfig: KubeConfig) {
  const server = kubeconfig.getCurrentCluster()?.server ?? ''
  const call = async (method: string, body?: unknown): Promise<{ items?: { namespace?: string }[] }> => {
    const options: Parameters<typeof request>[1] = { method, headers: { 'content-type': 'application/json' } }
    await kubeconfig.applyToHTTPSOptions(options)
    return new Promise((resolve, reject) => {
      const sent = request(`${server}/quayside/faults`, options, (answer) => {
        let text = ''
        answer.on('data', (chunk) => {
          text += chunk
        })
        answer.on('end', () => ((answer.statusCode ?? 500) < 300 ? resolve(JSON.parse(text)) : reject(new Error(text))))
      })
      sent.on('error', reject)
      sent.end(body === undefined ? undefined : JSON.stringify(body))
    })
  }
  return {
    add: (fault: object) => call('POST', fault),
    clear: () => call('DELETE'),
    /** How many of them are still there for a namespace. */
    leftIn: async (namespace: string) =>
      (await call('GET')).items?.filter((fault) => fault.namespace === namespace).length ?? 0,
    /** Tells whether every fault has struck as often as it was asked to. */
    areUsedUp: async () => (await call('GET')).items?.length === 0,
  }
}
