import type { Revision } from '@quayside/contract/deployment'
import { useQuery } from '@tanstack/react-query'
import { revisionsQuery, useLiveRevisions } from '../../../api/releases.ts'
import { usePortal } from '../../../lib/portal.tsx'
import { laterRevision } from './meanwhile.ts'

/** What somebody has deployed since `base`; `look` asks once more, for whoever is about to start. */
export function useLaterRevision(appId: string, base: number | null | undefined) {
  const { api } = usePortal()
  useLiveRevisions(appId)
  const isAsked = base != null
  const revisions = useQuery({ ...revisionsQuery(api, appId), enabled: isAsked, staleTime: 0 })
  const look = async (): Promise<Revision | undefined> => {
    if (!isAsked) return undefined
    api.forget()
    // Who cannot be told it now is told by the server, which refuses what was made for another revision.
    return laterRevision((await revisions.refetch()).data, base)
  }
  return { later: laterRevision(revisions.data, base), look }
}
