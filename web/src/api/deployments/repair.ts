import type { ReleaseLock } from '@quayside/contract/clusters/release-lock'
import { useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../lib/api/api-error.ts'
import { usePortal } from '../../lib/portal.tsx'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import { formatRelative } from '../../ui/text/format-relative.ts'
import { actionsKey } from './actions.ts'
import { postAction } from './deployments.ts'

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

const asking = (what: string) => ({ title: 'Repair release', message: `${what} ${untouched}` })
const stillAtWork =
  'If that Helm is still at work it goes on beside the next one, and what runs may become a mix of both. Repair all the same?'

function youngWords({ since, movedAt }: ReleaseLock, now: number): string {
  return `Somebody outside of this portal began this ${formatRelative(since, now)}, and something last moved ${formatRelative(movedAt, now)}.`
}
