import type { Action } from '@quayside/contract/deployments/endpoints'
import { useDeregisterCluster } from '../../../api/clusters/cluster.ts'
import { useActionEvents, useRetryAction } from '../../../api/deployments/ledger.ts'
import { useRepair } from '../../../api/deployments/repair.ts'
import { useConfirm } from '../../../ui/actions/confirm.tsx'
import { useTellFailure } from '../../../ui/actions/tell-failure.ts'
import { everyEvent, linesOf } from './log-lines.ts'

/** Every line that an action has told so far. */
export function useActionLines(id: string, running: boolean) {
  return useActionEvents(id, running, async (eventsAfter) => linesOf(await everyEvent(eventsAfter)))
}

/** Repairing, doing again and forgetting; these answer with the action to look at, or tell why not. */
export function useActionCommands() {
  const confirm = useConfirm()
  const tell = useTellFailure()('Not done')
  const repair = useRepair()
  const again = useRetryAction()
  const deregister = useDeregisterCluster()
  return {
    async repair({ appId, appName }: Action): Promise<string | undefined> {
      const what = `If Helm was interrupted and left the release of ${appName} locked, its newest revision is marked as failed, so that the app can be changed again.`
      return repair(appId ?? '', what).catch(tell)
    },
    async retry(action: Action): Promise<string | undefined> {
      const what = `${action.kind} of ${action.appName} ${action.version ?? ''}`.trim()
      const message = `${what} is done again with the same input.`
      if (!(await confirm({ title: 'Try again', message }))) return undefined
      return (await again.mutateAsync(action.id).catch(tell))?.actionId
    },
    /** Forgets a cluster that did not answer when it was deregistered. */
    async forget({ clusterId, appName }: Action): Promise<string | undefined> {
      const message = `${appName} is forgotten without being asked: the namespaces of its spaces and the accounts of the portal stay on it. Forget it only if it never comes back.`
      if (!(await confirm({ title: 'Forget cluster', danger: true, message }))) return undefined
      const forgotten = await deregister.mutateAsync({ id: clusterId ?? '', forget: true }).catch(tell)
      return forgotten?.actionId
    },
  }
}
