import type { Revision } from '@quayside/contract/deployments/endpoints'
import { useQuery } from '@tanstack/react-query'
import { revisionsQuery, useLiveRevisions } from '../../../../api/deployments/releases.ts'
import { usePortal } from '../../../../lib/portal.tsx'
import { laterRevision } from './meanwhile.ts'

/** The revision deployed after `base`, if any; `look` reads the revisions once more before an action starts. */
export function useLaterRevision(appId: string, base: number | null | undefined) {
  const { api } = usePortal()
  useLiveRevisions(appId)
  const isAsked = base != null
  const revisions = useQuery({ ...revisionsQuery(api, appId), enabled: isAsked, staleTime: 0 })
  const look = async (): Promise<Revision | undefined> => {
    if (!isAsked) return undefined
    api.forget()
    // When the read fails, the server still refuses an action made for another revision.
    return laterRevision((await revisions.refetch()).data, base)
  }
  return { later: laterRevision(revisions.data, base), look }
}
