import type { ReleaseLock } from '@quayside/contract/clusters/release-lock'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../lib/api/api-error.ts'
import { usePortal } from '../../lib/portal.tsx'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import { formatRelative } from '../../ui/text/format-relative.ts'
import { actionsKey, useActionChanged } from './actions.ts'
import { postAction } from './deployments.ts'
import { waitForAction } from './ledger.ts'

/** Seconds for which the server waits with an answer. */
const longestWait = 60
const untouched = 'Nothing that runs is touched.'

/** Asks, then frees a release; twice where somebody outside seems to be at work on it. Answers with the action. */
export function useRepair(): (appId: string, what: string, lock?: ReleaseLock | null) => Promise<string | undefined> {
  const { api } = usePortal()
  const queries = useQueryClient()
  const confirm = useConfirm()

  const send = (appId: string, force: boolean) =>
    postAction(api, 'Repair', { appId, ...(force ? { force } : {}) }, crypto.randomUUID())

  const mayCross = (says: string) =>
    confirm({ title: 'Repair release', message: `${says} ${stillAtWork} ${untouched}`, danger: true })

  return async (appId, what, lock) => {
    const isYoung = lock != null && !lock.isDead
    const goesOn = isYoung ? await mayCross(youngWords(lock, Date.now())) : await confirm(asking(what))
    if (!goesOn) return undefined
    try {
      return (await send(appId, isYoung)).actionId
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'deployment.helm-at-work')) throw error
      return (await mayCross(`${error.message}.`)) ? (await send(appId, true)).actionId : undefined
    } finally {
      void queries.invalidateQueries({ queryKey: actionsKey })
    }
  }
}

/** Frees a release as `useRepair` does, and waits until that has ended. */
export function useRepairToTheEnd(appId: string) {
  const { api } = usePortal()
  const repair = useRepair()
  return useMutation({
    async mutationFn({ what, lock }: { what: string; lock: ReleaseLock }) {
      const actionId = await repair(appId, what, lock)
      if (actionId === undefined) return
      const ended = await waitForAction(api, actionId, longestWait)
      if (ended.state === 'Failed') throw new Error(ended.result?.summary ?? 'The repair failed')
    },
    onSettled: useActionChanged(),
  })
}

const asking = (what: string) => ({ title: 'Repair release', message: `${what} ${untouched}` })
const stillAtWork =
  'If that Helm is still at work it goes on beside the next one, and what runs may become a mix of both. Repair all the same?'

function youngWords({ since, movedAt }: ReleaseLock, now: number): string {
  return `Somebody outside this portal began this ${formatRelative(since, now)}, and something last moved ${formatRelative(movedAt, now)}.`
}
