import type { Action } from '@quayside/contract/deployments/endpoints'
import { useDeregisterCluster } from '../../../api/clusters/cluster.ts'
import { useActionEvents, useRetryAction } from '../../../api/deployments/ledger.ts'
import { useRepair } from '../../../api/deployments/repair.ts'
import { explainError } from '../../../lib/api/api-error.ts'
import { useConfirm } from '../../../ui/actions/confirm.tsx'
import { everyEvent, linesOf } from './log-lines.ts'

/** Every line that an action has told so far. */
export function useActionLines(id: string, running: boolean) {
  return useActionEvents(id, running, async (eventsAfter) => linesOf(await everyEvent(eventsAfter)))
}

/** Repairing, doing again and forgetting; these answer with the action to look at, or tell why not. */
export function useActionCommands() {
  const confirm = useConfirm()
  const repair = useRepair()
  const again = useRetryAction()
  const deregister = useDeregisterCluster()
  async function carryOut<T>(command: () => Promise<T>): Promise<T | undefined> {
    try {
      return await command()
    } catch (error) {
      await confirm({ type: 'alert', title: 'Not done', message: explainError(error, navigator.onLine).message })
      return undefined
    }
  }
  return {
    async repair({ appId, appName }: Action): Promise<string | undefined> {
      const what = `If Helm was interrupted and left the release of ${appName} locked, its newest revision is marked as failed, so that the app can be changed again.`
      return carryOut(() => repair(appId ?? '', what))
    },
    async retry(action: Action): Promise<string | undefined> {
      const what = `${action.kind} of ${action.appName} ${action.version ?? ''}`.trim()
      const message = `${what} is done again with the same input.`
      if (!(await confirm({ title: 'Try again', message }))) return undefined
      return (await carryOut(() => again.mutateAsync(action.id)))?.actionId
    },
    /** Forgets a cluster that did not answer when it was deregistered. */
    async forget({ clusterId, appName }: Action): Promise<string | undefined> {
      const message = `${appName} is forgotten without being asked: the namespaces of its spaces and the accounts of the portal stay on it. Forget it only if it never comes back.`
      if (!(await confirm({ title: 'Forget cluster', danger: true, message }))) return undefined
      const forgotten = await carryOut(() => deregister.mutateAsync({ id: clusterId ?? '', forget: true }))
      return forgotten?.actionId
    },
  }
}
